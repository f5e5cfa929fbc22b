#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "book/reentry.h"
#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Result of replaying a game. Nothing of the worker's claim is taken on trust but a resignation and
// a fault.
struct CheckedGame {
  Ending ending;  // derived; a fault has no result
  uint64_t payload_hash = 0;
  uint64_t moves_hash = 0;        // of start and moves
  Color chooser = Color::kFirst;  // who makes the first move after the line
  // With re-entry: the book moves that were played after the line, in order (book::Follower).
  std::vector<book::EdgeId> reentered;
};

// Replays `game` from its slot's start. InvalidArgument, which the worker is told as the reason of
// its rejection, with one of these codes:
//   wrong_line         a move of the line is another one, or the line was not played to its end
//   excluded_move      the first move after the line is one that the slot excludes
//   illegal_move       a move is not legal
//   moves_after_end    moves after the rules have ended the game
//   unfinished_game    no ending by the rules, no resignation, no fault
//   wrong_ending       the claim is not what the rules say
//   wrong_reentry      another move than the book's where the book was to be followed, or a
//                      resignation there
//   bad_field          too many moves, a termination that does not exist, a fault text too long
// A fault may end a game anywhere, on the line too. `book` is what the slot says to follow on
// re-entry, null for none. Thread-safe: no state.
absl::StatusOr<CheckedGame> CheckGame(const Rules& rules, const MatchRules& match, const Slot& slot,
                                      const SubmittedGame& game,
                                      const book::AnswerBook* book = nullptr);

// Hash of a worker's message, which tells a repeated game from another one under the same key. The
// time used is left out; the same game played twice on one machine differs in it.
uint64_t PayloadHash(const SubmittedGame& game);
// Hash of the game that was played, whoever played it.
uint64_t MovesHash(const std::string& start, const std::vector<Move>& moves);

}  // namespace joseki::coordinator
