// Measures minimax over a large graph, half of whose moves are transpositions and cycles:
//   minimax_benchmark [POSITIONS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/rng.h"
#include "book/minimax.h"

namespace joseki::book {
namespace {

// A book with a thousand or more positions at each distance from the start. Each has three moves:
// one leaves the book, most others lead one ply further, and one in twenty leads back to an earlier
// position.
MinimaxGraph Generated(uint32_t count, Rng& rng) {
  MinimaxGraph graph;
  const uint32_t width = count / 100 + 1;
  graph.first.push_back(0);
  for (uint32_t node = 0; node < count; ++node) {
    const uint32_t layer = node / width;
    graph.second.push_back(layer % 2);
    for (int move = 0; move < 3; ++move) {
      int32_t to = kNoTarget;
      if (move > 0) {
        const bool back = layer > 3 && rng.Below(20) == 0;
        const uint64_t target = back ? layer - 3 : layer + 1;
        const uint64_t place = target * width + rng.Below(width);
        if (place < count) to = static_cast<int32_t>(place);
      }
      graph.to.push_back(to);
      graph.value.push_back(static_cast<int32_t>(rng.Below(601)) - 300);
    }
    graph.first.push_back(static_cast<uint32_t>(graph.to.size()));
  }
  return graph;
}

int Main(int argc, char** argv) {
  const uint32_t count =
      argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 3'000'000;
  Rng rng(1);
  const MinimaxGraph graph = Generated(count, rng);
  const auto begin = std::chrono::steady_clock::now();
  const MinimaxValues values = Minimax(graph);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::vector<uint32_t> ways(count);
  for (const int32_t to : graph.to) {
    if (to != kNoTarget) ++ways[static_cast<size_t>(to)];
  }
  const auto met = std::count_if(ways.begin(), ways.end(), [](uint32_t n) { return n > 1; });
  std::printf(
      "%u positions, %zu moves, %.1f %% of the positions reached in several ways: %u circles, the "
      "largest of %u positions; %.2f s\n",
      count, graph.to.size(), 100.0 * static_cast<double>(met) / count, values.circles,
      values.largest, seconds);
  return 0;
}

}  // namespace
}  // namespace joseki::book

int main(int argc, char** argv) { return joseki::book::Main(argc, argv); }
