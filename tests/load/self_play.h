#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"
#include "engine/search/shogi/game.h"

namespace joseki {

// Games of the engine against itself at a few nodes a move: fast, legal, and all distinct, because
// some opening moves are random. Game `number` of a seed is the same on every machine, whichever
// were played before it.
class SelfPlay {
 public:
  struct Options {
    uint64_t seed = 1;
    uint64_t nodes = 30;      // for each move; plus up to half as many more at random
    int random_plies = 20;    // plies within which a move may be random
    int random_percent = 30;  // probability of that, in percent
    int resign_below = 4000;  // centipawns by which the side to move is behind
    int max_plies = 300;
  };

  explicit SelfPlay(const Options& options) : options_(options), search_(size_t{1} << 18) {}

  // Plays to the end by the rules, a resignation or the ply cap.
  std::vector<Move> Play(uint64_t number);

 private:
  const Options options_;
  Search<Shogi> search_;
};

}  // namespace joseki
