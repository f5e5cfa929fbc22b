#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/types.h"

namespace joseki {

// The winner. Values are stored and sent: never renumber them.
enum class Result : uint8_t { kNone = 0, kFirstWins = 1, kSecondWins = 2, kDraw = 3 };

constexpr Result WinFor(Color winner) {
  return winner == Color::kFirst ? Result::kFirstWins : Result::kSecondWins;
}

// Reason why a game ended. Values are stored and sent: never renumber them.
enum class Termination : uint8_t {
  kNone = 0,
  // Endings by the rules, derived by every replay.
  kNoLegalMove = 1,     // the side to move has lost
  kRepetition = 2,      // the position occurred as often as the game allows: draw
  kPerpetualCheck = 3,  // repetition by one side's perpetual checks: that side has lost
  kDeclaration = 4,     // the side to move declares a win by points, or a 24-point draw
  kMaxPlies = 5,        // the match's ply cap: draw
  // Repetition by one side's perpetual attacks on one piece: that side has lost.
  kPerpetualChase = 6,
  kNoCapture = 7,    // too many plies without a capture: draw
  kNoAttackers = 8,  // neither side has a piece left that can attack: draw
  // Endings by a claim that a replay cannot derive.
  kResign = 16,  // the side to move resigned
  // Faults: they say nothing about the opening and never credit a book move.
  kIllegalMove = 32,
  kCrash = 33,
  kStall = 34,
  kDisconnect = 35,
  kTimeForfeit = 36,
  kInterrupted = 37,
};

constexpr bool IsFault(Termination t) { return t >= Termination::kIllegalMove; }

// The word of output, metrics and JSON: "no_legal_move", "repetition", ...
std::string_view Name(Termination termination);
// The word of a result: "first_wins", "second_wins", "draw" or "none".
std::string_view Name(Result result);
// The inverse of Name; nullopt for an unknown word.
std::optional<Termination> TerminationOf(std::string_view name);

struct Ending {
  Result result = Result::kNone;
  Termination termination = Termination::kNone;
  bool operator==(const Ending&) const = default;
};

// The entering-king declaration that a match allows (docs/reference/glossary.md).
enum class Declaration : uint8_t {
  kNone = 0,
  k27 = 1,  // computer shogi: 28 points for Black, 27 for White win
  k24 = 2,  // 31 win, 24 to 30 draw
};

// The meaning of a repeated position where the game leaves it to the match, as xiangqi does
// (docs/reference/xiangqi.md). Values are stored and sent: never renumber them.
enum class RepetitionRule : uint8_t {
  // A side that alone gives check throughout loses; else one that alone chases one piece
  // throughout.
  kAsian = 0,
  kCheck = 1,  // a side that alone gives check throughout loses
  kDraw = 2,   // a draw
};
inline constexpr std::string_view kRepetitionNames[] = {"asian", "check", "draw"};
std::string_view Name(RepetitionRule rule);
// The rule of a name in kRepetitionNames; nullopt for an unknown word.
std::optional<RepetitionRule> RepetitionRuleOf(std::string_view name);

// Rules that a match adds to those of the game.
struct MatchRules {
  int max_plies =
      300;  // the game is drawn once this many plies are played; counted from the start line
  Declaration declaration = Declaration::k27;
  RepetitionRule repetition = RepetitionRule::kAsian;
  bool operator==(const MatchRules&) const = default;
};

}  // namespace joseki
