#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/learn/sample.h"

namespace joseki::learn {

struct SelfPlayOptions {
  uint64_t nodes = 2500;     // for each move; the actual number is random, 0.5 to 1.5 times this
  int random_plies = 6;      // upper bound of the random moves after the start
  int decided_score = 2500;  // ends a game on which both sides' scores agree by this much
  int longest = 320;         // plies after which a game is drawn
};

// Plays one game of the engine against itself from `start`. Returns, in order, its positions that
// are not in check and have scores below decided_score. Deterministic in `rng`.
std::vector<Sample> PlaySelfPlayGame(const shogi::Position& start, const SelfPlayOptions& options,
                                     Rng& rng, Search<Shogi>& search);

}  // namespace joseki::learn
