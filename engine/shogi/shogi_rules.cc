#include "engine/shogi/shogi_rules.h"

#include <array>
#include <limits>

#include "base/problem.h"
#include "engine/core/rules_inl.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/turned.h"

namespace joseki::shogi {
namespace {

class ShogiJudge {
 public:
  explicit ShogiJudge(const MatchRules& match) : match_(match) {}

  void See(const Position& position) {
    uint8_t& count = seen_[BucketOf(position)];
    if (count < std::numeric_limits<uint8_t>::max()) ++count;
  }

  std::optional<Ending> Ended(const Position& position) const {
    const Color us = position.side_to_move();
    switch (Repeated(position)) {
      case Repetition::kNone:
        break;
      case Repetition::kDraw:
        return Ending{Result::kDraw, Termination::kRepetition};
      case Repetition::kWin:
        return Ending{WinFor(us), Termination::kPerpetualCheck};
      case Repetition::kLoss:
        return Ending{WinFor(~us), Termination::kPerpetualCheck};
    }
    if (const Result declared = Declared(position); declared != Result::kNone) {
      return Ending{declared, Termination::kDeclaration};
    }
    if (position.plies() >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }

 private:
  static constexpr size_t kBuckets = 1024;

  // A fourth occurrence needs three earlier ones in its bucket; nearly always this test suffices.
  Repetition Repeated(const Position& position) const {
    return seen_[BucketOf(position)] < 4 ? Repetition::kNone : position.CheckRepetition(4);
  }
  static size_t BucketOf(const Position& position) { return position.key().lo % kBuckets; }

  // The result if the side to move may declare; kNone if it may not.
  Result Declared(const Position& position) const {
    const Color us = position.side_to_move();
    switch (match_.declaration) {
      case Declaration::kNone:
        break;
      case Declaration::k27:
        if (position.CanDeclare27()) return WinFor(us);
        break;
      case Declaration::k24: {
        const int points = position.DeclarationPoints();
        if (points >= 31) return WinFor(us);
        if (points >= 24) return Result::kDraw;
        break;
      }
    }
    return Result::kNone;
  }

  MatchRules match_;
  // Positions of the game, counted by the low bits of their keys.
  std::array<uint8_t, kBuckets> seen_{};
};

// The traits that engine/core/rules_inl.h requires.
struct ShogiByRules {
  using Position = shogi::Position;
  using Undo = shogi::Undo;
  using MoveList = shogi::MoveList;
  using Judge = ShogiJudge;

  static constexpr std::string_view kName = "shogi";
  static constexpr int kMaps = 1;  // the turned board

  static absl::StatusOr<SfenPosition> Parse(std::string_view text) {
    if (text == "startpos") {
      static const SfenPosition even;
      return even;
    }
    absl::StatusOr<SfenPosition> start = ParseSfen(text);
    if (!start.ok() ||
        (start->position.king(kBlack) != kNoSquare && start->position.king(kWhite) != kNoSquare)) {
      return start;
    }
    return MakeProblem({.code = "no_king", .expected = "both kings on the board"});
  }
  static int FirstPly(const Position& /*position*/) { return 1; }
  static absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
    return shogi::Unpack(packed);
  }
  static PackedPosition Pack(const Position& position) { return shogi::Pack(position); }
  static std::string Text(const Position& position, int ply) { return ToSfen(position, ply); }
  static std::string Text(Move move) { return ToUsi(move); }
  static std::optional<Move> MoveOf(std::string_view text) { return MoveFromUsi(text); }
  static absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
    return shogi::ParseMove(position, text);
  }
  static bool ExchangesColours(int /*map*/) { return true; }
  static Position Image(int /*map*/, const Position& position) { return Turned(position); }
  static Move Image(int /*map*/, Move move) { return Turned(move); }
};

}  // namespace

const Rules& ShogiRules() {
  static const PositionRules<ShogiByRules> rules;
  return rules;
}

}  // namespace joseki::shogi
