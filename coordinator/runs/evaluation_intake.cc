#include "coordinator/runs/evaluation_intake.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/runs/intake.h"
#include "coordinator/runs/rejection.h"
#include "engine/core/resignation.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

absl::Status WrongLine(size_t moves, size_t line) {
  return Reject("wrong_line", absl::StrCat(moves, " moves"),
                absl::StrCat("the ", line, " of the line"));
}

// How the side to move stands where the game is over.
int16_t ScoreOf(const Ending& ending, Color to_move) {
  if (ending.result == Result::kDraw) return 0;
  return ending.result == WinFor(to_move) ? kWonScore : static_cast<int16_t>(-kWonScore);
}

}  // namespace

absl::StatusOr<CheckedEvaluation> CheckEvaluation(const Rules& rules, const MatchRules& match,
                                                  const Slot& slot, const SubmittedGame& game) {
  const Ending& claim = game.claim;
  const bool fault = IsFault(claim.termination);
  const bool searched = claim.termination == Termination::kNone;
  if (game.fault.size() > kMaxFaultBytes) {
    return Reject("bad_field", absl::StrCat("a fault of ", game.fault.size(), " bytes"),
                  "at most 500");
  }
  if (game.depth > kMaxDepth) {
    return Reject("bad_field", absl::StrCat("depth ", game.depth), "at most 1000");
  }
  if (game.scores.size() != (searched ? 1U : 0U)) {
    return Reject("bad_field", absl::StrCat(game.scores.size(), " scores"),
                  "one where the position was searched, else none");
  }
  const std::span<const Move> line = slot.line;
  const size_t expected = line.size() + (searched ? 1 : 0);
  if (fault ? game.moves.size() > line.size() : game.moves.size() != expected) {
    return WrongLine(game.moves.size(), expected);
  }
  const size_t shared = std::min(game.moves.size(), line.size());
  if (!std::equal(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(shared),
                  game.moves.begin())) {
    return WrongLine(game.moves.size(), line.size());
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(slot.start, match));
  for (const Move move : line) {
    if (!state->Play(move)) {
      return Reject("illegal_move", rules.Text(move), "a line of legal moves");
    }
  }
  CheckedEvaluation checked;
  checked.position = state->packed();
  checked.payload_hash = PayloadHash(game);
  if (fault) {
    checked.ending = {Result::kNone, claim.termination};
    return checked;
  }
  const Color to_move = state->side_to_move();
  if (const std::optional<Ending> derived = state->ending()) {
    if (claim != *derived) return Reject("wrong_ending", Words(claim), Words(*derived));
    checked.ending = *derived;
    checked.score = ScoreOf(*derived, to_move);
    return checked;
  }
  if (!searched) {
    const Ending resigned{WinFor(~to_move), Termination::kResign};
    if (claim != resigned) {
      return Reject("wrong_ending", Words(claim), "a search, a resignation or a fault");
    }
    checked.ending = resigned;
    checked.score = ScoreOf(resigned, to_move);
    return checked;
  }
  if (!state->Play(game.moves.back())) {
    return Reject("illegal_move", rules.Text(game.moves.back()), "a legal best move");
  }
  checked.ending = {Result::kNone, Termination::kNone};
  if (game.scores[0] != kNoScore) checked.score = game.scores[0];
  return checked;
}

}  // namespace joseki::coordinator
