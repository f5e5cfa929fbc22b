#include "engine/xiangqi/xiangqi_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/status_macros.h"
#include "engine/core/turning.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::xiangqi {
namespace {

class XiangqiState final : public GameState {
 public:
  XiangqiState(Position position, int first_ply, RepetitionRule rule, const MatchRules& match)
      : position_(std::move(position)), first_ply_(first_ply), rule_(rule), match_(match) {}

  bool Play(Move move) override {
    if (!position_.IsLegal(move)) return false;
    Undo undo;
    position_.Do(move, undo);
    return true;
  }

  size_t PlayAll(std::span<const Move> moves) override {
    position_.ReserveHistory(position_.plies() + static_cast<int>(moves.size()));
    size_t played = 0;
    // That there is no legal move need not be asked before each: then the next one is not legal.
    while (played < moves.size() && !EndedBesidesMate() && XiangqiState::Play(moves[played])) {
      ++played;
    }
    return played;
  }

  std::optional<Ending> ending() const override {
    if (!position_.HasLegalMove()) {
      return Ending{WinFor(~side_to_move()), Termination::kNoLegalMove};
    }
    return EndedBesidesMate();
  }

  Color side_to_move() const override { return position_.side_to_move(); }
  int plies() const override { return position_.plies(); }
  Key key() const override { return position_.key(); }
  PackedPosition packed() const override { return Pack(position_); }
  std::string text() const override { return ToFen(position_, first_ply_ + plies()); }

  std::vector<Move> LegalMoves() const override {
    MoveList moves;
    position_.Generate<GenType::kAll>(moves);
    return {moves.begin(), moves.end()};
  }

  absl::StatusOr<Move> ParseMove(std::string_view text) const override {
    return xiangqi::ParseMove(position_, text);
  }

 private:
  std::optional<Ending> EndedBesidesMate() const {
    const HistoryVerdict verdict = JudgeHistory(position_, rule_, kDecidingOccurrence);
    switch (verdict.outcome) {
      case Repetition::kNone:
        break;
      case Repetition::kDraw:
        return Ending{Result::kDraw, verdict.reason};
      case Repetition::kWin:
        return Ending{WinFor(side_to_move()), verdict.reason};
      case Repetition::kLoss:
        return Ending{WinFor(~side_to_move()), verdict.reason};
    }
    if (plies() >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }

  Position position_;
  int first_ply_;
  RepetitionRule rule_;
  MatchRules match_;
};

class RulesOfXiangqi final : public Rules, public Turning {
 public:
  explicit RulesOfXiangqi(RepetitionRule rule) : rule_(rule) {}

  std::string_view game() const override { return "xiangqi"; }

  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view text,
                                                   const MatchRules& match) const override {
    ASSIGN_OR_RETURN(FenPosition start, ParseFen(text));
    return std::make_unique<XiangqiState>(std::move(start.position), start.ply, rule_, match);
  }

  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& packed,
                                                   const MatchRules& match) const override {
    ASSIGN_OR_RETURN(Position position, Unpack(packed));
    const int first_ply = 1 + Index(position.side_to_move());
    return std::make_unique<XiangqiState>(std::move(position), first_ply, rule_, match);
  }

  absl::Status Expand(const PackedPosition& packed, std::span<const Move> moves,
                      Expansion& expansion) const override {
    ASSIGN_OR_RETURN(Position position, Unpack(packed));
    expansion.key = position.key();
    expansion.packed = packed;  // Unpack takes the canonical form alone
    expansion.to_move = position.side_to_move();
    MoveList legal;
    position.Generate<GenType::kAll>(legal);
    expansion.legal_moves = static_cast<size_t>(legal.size());
    expansion.children.clear();
    for (const Move move : moves) {
      std::optional<Expansion::Child>& child = expansion.children.emplace_back();
      if (std::find(legal.begin(), legal.end(), move) == legal.end()) continue;
      Undo undo;
      position.Do(move, undo);
      child = {position.key(), Pack(position)};
      position.TakeBack(move, undo);
    }
    return absl::OkStatus();
  }

  std::string Text(const PackedPosition& packed, int ply) const override {
    const absl::StatusOr<Position> position = Unpack(packed);
    return position.ok() ? ToFen(*position, ply) : std::string();
  }
  std::string Text(Move move) const override { return ToUcci(move); }
  std::optional<Move> MoveOf(std::string_view text) const override { return MoveFromUcci(text); }

  PackedPosition Turned(const PackedPosition& packed) const override {
    const absl::StatusOr<Position> position = Unpack(packed);
    return position.ok() ? Pack(Mapped(Symmetry::kTurn, *position)) : packed;
  }
  Move Turned(Move move) const override { return Mapped(Symmetry::kTurn, move); }

 private:
  RepetitionRule rule_;
};

}  // namespace

const Rules& XiangqiRules(RepetitionRule rule) {
  static const RulesOfXiangqi draw(RepetitionRule::kDraw);
  static const RulesOfXiangqi asian(RepetitionRule::kAsian);
  static const RulesOfXiangqi check(RepetitionRule::kCheck);
  switch (rule) {
    case RepetitionRule::kDraw:
      return draw;
    case RepetitionRule::kAsian:
      break;
    case RepetitionRule::kCheck:
      return check;
  }
  return asian;
}

}  // namespace joseki::xiangqi
