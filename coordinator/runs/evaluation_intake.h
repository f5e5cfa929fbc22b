#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// An evaluation, seen by replaying its slot's line. A score is the engine's opinion; all else is
// checked.
struct CheckedEvaluation {
  Ending ending;  // none where it was searched; else a resignation, an end by the rules, or a fault
  size_t followed = 0;           // moves of the line before what was found; of a fault all
  PackedPosition position;       // after them
  std::optional<int16_t> score;  // for the side to move there; nullopt: a fault, or none given
  uint64_t payload_hash = 0;
  uint64_t found_hash = 0;  // of moves and scores: what another worker must find the same
};

// Stands for the score of a position that is won or lost for the side to move.
inline constexpr int16_t kWonScore = 32'000;

// A trial's score is that of its end, or the mean over so many plies before it was broken off.
inline constexpr size_t kTrialWindow = 10;

// Replays `game`, which was sent for a slot whose kind IsSearch. InvalidArgument, which the worker
// is told as the reason of its rejection, with one of these codes:
//   wrong_line         the moves are not the line's, or a fault's moves are not its beginning; the
//                      line was left by a reply where the opponent did not search
//   illegal_move       a move is not legal, or the best move is excluded
//   wrong_ending       the claim is not what the rules say, or a search of a position where the
//                      game is over
//   bad_field          not a score for each move that was found, or not as many moves as were
//                      asked for; a number or text out of range
// Thread-safe: no state.
absl::StatusOr<CheckedEvaluation> CheckEvaluation(const Rules& rules, const MatchRules& match,
                                                  const Slot& slot, const SubmittedGame& game);

}  // namespace joseki::coordinator
