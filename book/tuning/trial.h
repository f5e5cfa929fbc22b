#pragma once

#include <cstddef>
#include <cstdint>

namespace joseki::book {

// Plies of a trial after its line. A longer trial would cost more and depend more on chance
// (docs/reference/tuning.md).
inline constexpr uint32_t kTrialPlies = 16;
// Plies at the end of a trial whose mean score is the trial's. A trial that ends by the rules has
// the score of its end.
inline constexpr size_t kTrialWindow = 10;
// Share of trials in the nodes of all searches along lines, in percent.
inline constexpr uint32_t kTrialShare = 40;
// Moves of a game at the run's limit, where searches are paid from a budget of games.
inline constexpr uint64_t kGameMoves = 90;

}  // namespace joseki::book
