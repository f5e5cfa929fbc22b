#include "engine/shogi/shogi_rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/turning.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/turned.h"

namespace joseki::shogi {
namespace {

class ShogiState final : public GameState {
 public:
  ShogiState(Position position, int first_ply, const MatchRules& match)
      : position_(std::move(position)), first_ply_(first_ply), match_(match) {
    See();
  }

  bool Play(Move move) override {
    if (!position_.IsLegal(move)) return false;
    Undo undo;
    position_.Do(move, undo);
    See();
    return true;
  }

  size_t PlayAll(std::span<const Move> moves) override {
    position_.ReserveHistory(position_.plies() + static_cast<int>(moves.size()));
    size_t played = 0;
    // That there is no legal move need not be asked before each: then the next one is not legal.
    while (played < moves.size() && !EndedBesidesMate() && ShogiState::Play(moves[played])) {
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
  std::string text() const override { return ToSfen(position_, first_ply_ + plies()); }

  std::vector<Move> LegalMoves() const override {
    MoveList moves;
    position_.Generate<GenType::kAll>(moves);
    return {moves.begin(), moves.end()};
  }

  absl::StatusOr<Move> ParseMove(std::string_view text) const override {
    return shogi::ParseMove(position_, text);
  }

 private:
  static constexpr size_t kBuckets = 1024;

  std::optional<Ending> EndedBesidesMate() const {
    const Color us = side_to_move();
    switch (Repeated()) {
      case Repetition::kNone:
        break;
      case Repetition::kDraw:
        return Ending{Result::kDraw, Termination::kRepetition};
      case Repetition::kWin:
        return Ending{WinFor(us), Termination::kPerpetualCheck};
      case Repetition::kLoss:
        return Ending{WinFor(~us), Termination::kPerpetualCheck};
    }
    if (const Result declared = Declared(); declared != Result::kNone) {
      return Ending{declared, Termination::kDeclaration};
    }
    if (plies() >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }

  // A fourth occurrence has three before it in its bucket; nearly always that is all there is to
  // ask.
  Repetition Repeated() const {
    return seen_[Bucket()] < 4 ? Repetition::kNone : position_.CheckRepetition(4);
  }
  size_t Bucket() const { return position_.key().lo % kBuckets; }
  void See() {
    uint8_t& count = seen_[Bucket()];
    if (count < std::numeric_limits<uint8_t>::max()) ++count;
  }

  // The result if the side to move may declare now; kNone if it may not.
  Result Declared() const {
    switch (match_.declaration) {
      case Declaration::kNone:
        break;
      case Declaration::k27:
        if (position_.CanDeclare27()) return WinFor(side_to_move());
        break;
      case Declaration::k24: {
        const int points = position_.DeclarationPoints();
        if (points >= 31) return WinFor(side_to_move());
        if (points >= 24) return Result::kDraw;
        break;
      }
    }
    return Result::kNone;
  }

  Position position_;
  int first_ply_;
  MatchRules match_;
  std::array<uint8_t, kBuckets> seen_{};  // positions of the game by the low bits of their keys
};

absl::Status CheckKings(const Position& position) {
  if (position.king(kBlack) != kNoSquare && position.king(kWhite) != kNoSquare)
    return absl::OkStatus();
  return MakeProblem({.code = "no_king", .expected = "both kings on the board"});
}

class RulesOfShogi final : public Rules, public Turning {
 public:
  std::string_view game() const override { return "shogi"; }

  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view text,
                                                   const MatchRules& match) const override {
    if (text == "startpos") {
      static const Position even;
      return std::make_unique<ShogiState>(even, 1, match);
    }
    ASSIGN_OR_RETURN(SfenPosition start, ParseSfen(text));
    RETURN_IF_ERROR(CheckKings(start.position));
    return std::make_unique<ShogiState>(std::move(start.position), start.ply, match);
  }

  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& packed,
                                                   const MatchRules& match) const override {
    ASSIGN_OR_RETURN(Position position, Unpack(packed));
    return std::make_unique<ShogiState>(std::move(position), 1, match);
  }

  absl::Status Expand(const PackedPosition& packed, std::span<const Move> moves,
                      Expansion& expansion) const override {
    ASSIGN_OR_RETURN(Position position, Unpack(packed));
    expansion.key = position.key();
    expansion.packed = packed;  // Unpack takes the canonical form alone
    expansion.to_move = position.side_to_move();
    MoveList legal;
    position.Generate<GenType::kAll>(legal);
    expansion.legal_moves = legal.size();
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
    return position.ok() ? ToSfen(*position, ply) : std::string();
  }
  std::string Text(Move move) const override { return ToUsi(move); }
  std::optional<Move> MoveOf(std::string_view text) const override { return MoveFromUsi(text); }

  PackedPosition Turned(const PackedPosition& packed) const override {
    const absl::StatusOr<Position> position = Unpack(packed);
    return position.ok() ? Pack(shogi::Turned(*position)) : packed;
  }
  Move Turned(Move move) const override { return shogi::Turned(move); }
};

}  // namespace

const Rules& ShogiRules() {
  static const RulesOfShogi rules;
  return rules;
}

}  // namespace joseki::shogi
