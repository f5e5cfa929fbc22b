#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/perft.h"

namespace joseki {

// A legal move and the number of sequences that begin with it.
struct MoveNodes {
  Move move;
  uint64_t nodes = 0;
};

// Perft of `depth` plies for each first move, in the generator's order, on `threads` threads.
// Counts do not depend on their number. REQUIRES: depth >= 1, threads >= 1.
template <typename G>
std::vector<MoveNodes> PerftSplit(const typename G::Position& start, int depth, int threads) {
  typename G::MoveList moves;
  start.template Generate<GenType::kAll>(moves);
  std::vector<MoveNodes> counts;
  for (const Move move : moves) counts.push_back({move, 0});
  std::atomic<size_t> next{0};
  auto work = [&] {
    typename G::Position position = start;
    for (size_t i = next.fetch_add(1); i < counts.size(); i = next.fetch_add(1)) {
      typename G::Undo undo;
      position.Do(counts[i].move, undo);
      counts[i].nodes = Perft<G>(position, depth - 1);
      position.TakeBack(counts[i].move, undo);
    }
  };
  const auto wanted = std::min(static_cast<size_t>(threads), std::max<size_t>(counts.size(), 1));
  std::vector<std::thread> others;
  for (size_t i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return counts;
}

}  // namespace joseki
