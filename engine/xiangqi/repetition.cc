#include "engine/xiangqi/repetition.h"

#include <array>

#include "engine/xiangqi/chase.h"

namespace joseki::xiangqi {
namespace {

// Plies since the first of the last `occurrences` occurrences of the position, the present one
// included; 0 if it has not occurred so often.
int PliesSince(const Position& position, int occurrences) {
  const auto history = position.history();
  const int count = static_cast<int>(history.size());
  int left = occurrences - 1;
  for (int back = 1; back <= count; ++back) {
    const Ply& ply = history[static_cast<size_t>(count - back)];
    if (!ply.move || ply.captured != kNoPiece) return 0;  // no repetition extends across these
    if (ply.key == position.key() && --left == 0) return back;
  }
  return 0;
}

// By colour, true if each of the side's last `plies` / 2 moves gave check.
std::array<bool, 2> ChecksAllAlong(const Position& position, int plies) {
  std::array<bool, 2> checks = {true, true};
  const auto history = position.history();
  auto side = static_cast<size_t>(Index(~position.side_to_move()));
  for (size_t i = history.size(); i > history.size() - static_cast<size_t>(plies); --i) {
    checks[side] = checks[side] && history[i - 1].checks;
    side = 1 - side;
  }
  return checks;
}

HistoryVerdict Lost(Color loser, Color side_to_move, Termination reason) {
  return {loser == side_to_move ? Repetition::kLoss : Repetition::kWin, reason};
}

bool CanCrossRiver(const Position& position) {
  return static_cast<bool>(position.pieces(kRook) | position.pieces(kCannon) |
                           position.pieces(kKnight) | position.pieces(kPawn));
}

}  // namespace

HistoryVerdict JudgeRepetition(const Position& position, RepetitionRule rule, int occurrences) {
  const int plies = PliesSince(position, occurrences);
  if (plies == 0) return {};
  const HistoryVerdict draw{Repetition::kDraw, Termination::kRepetition};
  if (rule == RepetitionRule::kDraw) return draw;
  const Color us = position.side_to_move();
  const auto checks = ChecksAllAlong(position, plies);
  if (checks[0] != checks[1]) {
    return Lost(checks[0] ? kRed : kBlack, us, Termination::kPerpetualCheck);
  }
  if (checks[0] || rule == RepetitionRule::kCheck) return draw;
  const Chased chased = ChasedAllAlong(position, plies);
  const bool by_red = static_cast<bool>(chased.by[Index(kRed)]);
  const bool by_black = static_cast<bool>(chased.by[Index(kBlack)]);
  if (by_red == by_black) return draw;
  return Lost(by_red ? kRed : kBlack, us, Termination::kPerpetualChase);
}

HistoryVerdict JudgeHistory(const Position& position, RepetitionRule rule, int occurrences) {
  const HistoryVerdict verdict = JudgeRepetition(position, rule, occurrences);
  if (verdict.outcome != Repetition::kNone) return verdict;
  if (position.quiet_plies() >= kMostQuietPlies) {
    return {Repetition::kDraw, Termination::kNoCapture};
  }
  if (!CanCrossRiver(position)) return {Repetition::kDraw, Termination::kNoAttackers};
  return {};
}

}  // namespace joseki::xiangqi
