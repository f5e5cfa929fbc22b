#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/types.h"

namespace joseki {

// The winner. Values are stored and sent: never renumber.
enum class Result : uint8_t { kNone = 0, kFirstWins = 1, kSecondWins = 2, kDraw = 3 };

constexpr Result WinFor(Color winner) {
  return winner == Color::kFirst ? Result::kFirstWins : Result::kSecondWins;
}

// Why a game ended. Values are stored and sent: never renumber.
enum class Termination : uint8_t {
  kNone = 0,
  // By the rules; derived by every replay.
  kNoLegalMove = 1,     // the side to move has lost
  kRepetition = 2,      // the position came back as often as the game allows: draw
  kPerpetualCheck = 3,  // it did by checks of one side only: the checker has lost
  kDeclaration = 4,     // the side to move declares a win by points, or a 24-point draw
  kMaxPlies = 5,        // the match's ply cap: draw
  kPerpetualChase = 6,  // it came back by one side's attacks on one piece: the chaser has lost
  kNoCapture = 7,       // too many plies without a capture: draw
  kNoAttackers = 8,     // neither side has a piece left to attack with: draw
  // By a claim that a replay cannot derive.
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

// "no_legal_move", "repetition", ...: the words of output, metrics and JSON.
std::string_view Name(Termination termination);
// "first_wins", "second_wins", "draw", "none".
std::string_view Name(Result result);
// The inverse; nullopt for an unknown word.
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

// The meaning of a repeated position, where the game leaves it to the match: in xiangqi
// (docs/reference/xiangqi.md). Values are stored and sent: never renumber.
enum class RepetitionRule : uint8_t {
  kAsian = 0,  // the side that alone checks all along loses, else the one that alone chases one
               // piece all along
  kCheck = 1,  // the side that alone checks all along loses
  kDraw = 2,   // a draw
};
inline constexpr std::string_view kRepetitionNames[] = {"asian", "check", "draw"};
std::string_view Name(RepetitionRule rule);
// The inverse; nullopt for an unknown word.
std::optional<RepetitionRule> RepetitionRuleOf(std::string_view name);

// A match's additions to the rules of the game.
struct MatchRules {
  int max_plies =
      300;  // the game is drawn once this many plies are played; counted from the start line
  Declaration declaration = Declaration::k27;
  RepetitionRule repetition = RepetitionRule::kAsian;
  bool operator==(const MatchRules&) const = default;
};

}  // namespace joseki
