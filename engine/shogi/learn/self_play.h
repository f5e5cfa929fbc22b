#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/learn/sample.h"

namespace joseki::learn {

struct SelfPlayOptions {
  uint64_t nodes = 2500;     // a move, drawn between half and one and a half of it
  int random_plies = 6;      // at most so many random moves after the start
  int decided_score = 2500;  // a game in which both sides' scores agree on this much is over
  int longest = 320;         // plies; a longer game is drawn
};

// One game of the engine against itself from `start`; its positions out of check, in order, whose
// scores are below decided_score. The same `rng` gives the same game.
std::vector<Sample> PlaySelfPlayGame(const shogi::Position& start, const SelfPlayOptions& options,
                                     Rng& rng, Search<Shogi>& search);

}  // namespace joseki::learn
