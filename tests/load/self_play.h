#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"
#include "engine/search/shogi/game.h"

namespace joseki {

// Games of the engine against itself at a handful of nodes a move: fast, legal, and all different,
// for some moves of their openings fall to chance. Game `number` of a seed is the same on every
// machine, whichever were played before it.
class SelfPlay {
 public:
  struct Options {
    uint64_t seed = 1;
    uint64_t nodes = 30;      // a move; up to half as many more by chance
    int random_plies = 20;    // so many plies long a move may fall to chance,
    int random_percent = 30;  // with this chance
    int resign_below = 4000;  // centipawns that the side to move is behind
    int max_plies = 300;
  };

  explicit SelfPlay(const Options& options) : options_(options), search_(size_t{1} << 18) {}

  // To the end by the rules, a resignation or the ply cap.
  std::vector<Move> Play(uint64_t number);

 private:
  const Options options_;
  Search<Shogi> search_;
};

}  // namespace joseki
