#include "engine/xiangqi/xiangqi_rules.h"

#include "engine/core/rules_inl.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/repetition.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::xiangqi {
namespace {

class XiangqiJudge {
 public:
  explicit XiangqiJudge(const MatchRules& match) : match_(match) {}

  void See(const Position& /*position*/) {}  // a position holds its own history

  std::optional<Ending> Ended(const Position& position) const {
    const HistoryVerdict verdict = JudgeHistory(position, match_.repetition, kDecidingOccurrence);
    switch (verdict.outcome) {
      case Repetition::kNone:
        break;
      case Repetition::kDraw:
        return Ending{Result::kDraw, verdict.reason};
      case Repetition::kWin:
        return Ending{WinFor(position.side_to_move()), verdict.reason};
      case Repetition::kLoss:
        return Ending{WinFor(~position.side_to_move()), verdict.reason};
    }
    if (position.plies() >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }

 private:
  MatchRules match_;
};

// The traits that engine/core/rules_inl.h requires.
struct XiangqiByRules {
  using Position = xiangqi::Position;
  using Undo = xiangqi::Undo;
  using MoveList = xiangqi::MoveList;
  using Judge = XiangqiJudge;

  static constexpr std::string_view kName = "xiangqi";
  static constexpr int kMaps = 3;  // the values of Symmetry but kNone

  static absl::StatusOr<FenPosition> Parse(std::string_view text) { return ParseFen(text); }
  static int FirstPly(const Position& position) { return 1 + Index(position.side_to_move()); }
  static absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
    return xiangqi::Unpack(packed);
  }
  static PackedPosition Pack(const Position& position) { return xiangqi::Pack(position); }
  static std::string Text(const Position& position, int ply) { return ToFen(position, ply); }
  static std::string Text(Move move) { return ToUcci(move); }
  static std::optional<Move> MoveOf(std::string_view text) { return MoveFromUcci(text); }
  static absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
    return xiangqi::ParseMove(position, text);
  }
  static bool ExchangesColours(int map) {
    return xiangqi::ExchangesColours(static_cast<Symmetry>(map));
  }
  static Position Image(int map, const Position& position) {
    return Mapped(static_cast<Symmetry>(map), position);
  }
  static Move Image(int map, Move move) { return Mapped(static_cast<Symmetry>(map), move); }
};

}  // namespace

const Rules& XiangqiRules() {
  static const PositionRules<XiangqiByRules> rules;
  return rules;
}

}  // namespace joseki::xiangqi
