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
  uint32_t think_ms = 0;        // inside Player::Choose
  absl::Duration search;        // processor time of thread or engine inside Player::Choose
  std::string fault;            // description of a fault
  std::vector<int16_t> scores;  // of the moves after the line, if spec.keep_scores or in a trial
  uint32_t depth = 0;           // of an evaluation's search; 0: not reported
  bool operator==(const RefereedGame&) const = default;
};

// Called after every move and before every choice with the plies played so far. Returning false
// interrupts the game (kInterrupted).
using KeepGoing = std::function<bool(int plies)>;

// The limit of the move that follows `ply` plies since the slot's start. It is spec.move_ms, or
// `nodes` where that is 0, varied by up to +- jitter percent from the slot's seed.
Limits LimitsFor(const PlaySpec& spec, uint64_t nodes, uint64_t seed, int ply);

// Plays the game of `slot` under our own rules: the line, then the player's choices for both sides.
//
// - The rules are checked after every move, the line's included, and may end the game. A win by
//   declaration needs no claim by the side to move.
// - At the end of the line, the slot's excluded moves may not be chosen. If they are all the legal
//   moves, none is excluded: the engine plays freely.
// - An illegal or excluded move, or a declaration that the rules do not grant, ends the game as
//   kIllegalMove; a resignation is a claim.
// - A side resigns instead of making its move if spec.resign says so, unless the slot is played on
//   (PlaysOn).
// - The player's errors are terminations: Unavailable kCrash, DeadlineExceeded kStall, Cancelled
//   kInterrupted, any other kCrash. A slot that the rules refuse is kInterrupted, with a fault that
//   begins with kCannotPlay: another build's rules may know it.
// - With `book` (null for none) the game follows it on re-entry: a book move that is due
//   (book::Follower) is played without asking the player. Against an opponent (slot.own) only the
//   run's side does so, and the player is a Duel, which knows both.
// - A slot of kind kEvaluation is no game. Unless the game is over at the end of the line, the
//   player is asked once, with slot.nodes, and no book is followed. Its move and score are the last
//   of the record, which has no ending; or the ending is kResign where the player resigns.
// - In a slot of kind kReply the player is also asked along the line, from slot.searched_from on,
//   in the positions of the side to move at the end. If its move differs from the line's, the
//   record ends with it, like an evaluation's.
// - A game of kind kTrial stops slot.plies after the line, without an ending; it always has scores.
RefereedGame PlayGame(const Rules& rules, const PlaySpec& spec, const Slot& slot, Player& player,
                      const KeepGoing& keep_going, const book::AnswerBook* book = nullptr);

}  // namespace joseki::worker
