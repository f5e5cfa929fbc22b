#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "book/reentry.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"
#include "worker/play/play_spec.h"
#include "worker/play/player.h"

namespace joseki::worker {

// The referee's record of one game.
struct RefereedGame {
  std::vector<Move> moves;  // every legal move played since the start, the line included
  Ending ending;            // a fault has Result::kNone
  uint64_t nodes = 0;
  uint32_t think_ms = 0;  // inside Player::Choose
  absl::Duration search;  // processor time of thread or engine, inside Player::Choose
  std::string fault;      // what went wrong, where the ending is a fault
  std::vector<int16_t>
      scores;          // of the moves after the line, where spec.keep_scores, or of a trial
  uint32_t depth = 0;  // of an evaluation's search; 0: the engine did not tell
};

// Called after every move and before every choice with the plies played so far; false breaks the
// game off (kInterrupted).
using KeepGoing = std::function<bool(int plies)>;

// The limit of the move that follows `ply` plies since the slot's start: spec.nodes or
// spec.move_ms, varied by up to +- jitter percent from the slot's seed.
Limits LimitsFor(const PlaySpec& spec, uint64_t seed, int ply);

// Plays the game of `slot` under our own rules: the line, then the player's choices for both sides.
//
// - The rules are asked after every move, the line's included, and may end the game; they find a
//   win by declaration, the side to move need not ask for it.
// - Where the line ends, the slot's excluded moves may not be chosen, once. If they are all the
//   legal moves, none is excluded: the engine plays freely.
// - A choice is checked: an illegal or excluded move, or a declaration that the rules do not grant,
//   ends the game as kIllegalMove; a resignation is a claim.
// - A side resigns instead of making its move if spec.resign says so, unless the slot is played on
//   (PlaysOn).
// - The player's errors are terminations: Unavailable kCrash, DeadlineExceeded kStall, Cancelled
//   kInterrupted, any other kCrash. So is a slot that the rules refuse (kInterrupted).
// - With `book` (null for none) the game follows it on re-entry: a move of it that is due
//   (book::Follower) is played without asking the player. Against an opponent (slot.own) that is
//   for one side; the player is then one that knows both (Duel).
// - A slot of kind kEvaluation is no game: unless it is over at the end of the line, the player is
//   asked once, with slot.nodes. Its move and its score stand at the end of the record, which has
//   no ending; or kResign where the player resigns. No book is followed.
// - In a slot of kind kReply the player is asked along the line too, in each position from
//   slot.searched_from on where the side to move is the one at the end. If it chooses another move
//   than the line's, the record ends with that one, as an evaluation does.
// - A game of kind kTrial stops slot.plies after the line, without an ending; it always has scores.
RefereedGame PlayGame(const Rules& rules, const PlaySpec& spec, const Slot& slot, Player& player,
                      const KeepGoing& keep_going, const book::AnswerBook* book = nullptr);

}  // namespace joseki::worker
