#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Result of replaying a search's line. Only the score is the engine's opinion; all else is checked.
struct CheckedEvaluation {
  Ending ending;            // none if searched; else a resignation, an end by the rules, or a fault
  size_t followed = 0;      // moves of the line before the result; of a fault all
  PackedPosition position;  // position after these moves
  std::optional<int16_t> score;  // for the side to move there; nullopt: a fault, or no score
  uint64_t payload_hash = 0;
  uint64_t found_hash = 0;  // hash of moves and scores, equal in every copy
};

// Score of a position that is won, or negated of one that is lost, for the side to move.
inline constexpr int16_t kWonScore = 32'000;

// A trial's score, for the side to move before the first of its scores: the mean of the last ones.
std::optional<int16_t> TrialScore(std::span<const int16_t> scores);

// Replays `game`, sent for a slot whose kind IsSearch. InvalidArgument, which the worker gets as
// the reason of its rejection, with one of these codes:
//   wrong_line         the moves are not the line's, or a fault's are not its beginning; or a reply
//                      left the line where the opponent did not search
//   illegal_move       a move is not legal, or the best move is excluded
//   wrong_ending       the claim differs from the rules' ending, or a search of a position where
//                      the game is over
//   bad_field          scores do not match the moves, or moves do not match the request; a number
//                      or text out of range
// Thread-safe: no state.
absl::StatusOr<CheckedEvaluation> CheckEvaluation(const Rules& rules, const MatchRules& match,
                                                  const Slot& slot, const SubmittedGame& game);

}  // namespace joseki::coordinator
