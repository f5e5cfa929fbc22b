// What an option of SearchLimits does: searches of the bench positions to one depth with and
// without it, and paired games of one against the other from random openings. Prints nodes, and
// points with a 95 % interval. For hands, not for ctest.
//   option_match hand_repetition|mate_nodes=N [DEPTH PAIRS NODES SEED]

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/rng.h"
#include "engine/search/bench.h"
#include "engine/search/shogi_game.h"
#include "engine/shogi/sfen.h"

namespace joseki {
namespace {

constexpr size_t kTable = size_t{4} << 20;

// The option that the command line names; nothing is set if it names none.
struct Option {
  bool hand_repetition = false;
  uint64_t mate_nodes = 0;

  bool Set(const std::string& text) {
    const std::string mates = "mate_nodes=";
    hand_repetition = text == "hand_repetition";
    if (text.rfind(mates, 0) == 0)
      mate_nodes = std::strtoull(text.c_str() + mates.size(), nullptr, 10);
    return hand_repetition || mate_nodes > 0;
  }
  void Give(SearchLimits& limits) const {
    limits.hand_repetition = hand_repetition;
    limits.mate_nodes = mate_nodes;
  }
};

uint64_t NodesOfBench(int depth, const Option& option) {
  Search<Shogi> search(kTable);
  uint64_t nodes = 0;
  for (const char* text : BenchPositions()) {
    const auto start = shogi::ParseSfen(text);
    if (!start.ok()) continue;
    SearchLimits limits;
    limits.depth = depth;
    option.Give(limits);
    search.NewGame();
    nodes += search.Run(start->position, limits).nodes;
  }
  return nodes;
}

// Half points of the side with the option.
int Play(const shogi::Position& start, uint64_t nodes, Color with, const Option& option) {
  Search<Shogi> a(kTable);
  Search<Shogi> b(kTable);
  shogi::Position position = start;
  while (position.plies() < 300) {
    const bool ours = position.side_to_move() == with;
    SearchLimits limits;
    limits.nodes = nodes;
    if (ours) option.Give(limits);
    const SearchResult result = (ours ? a : b).Run(position, limits);
    if (result.declare) return ours ? 2 : 0;
    if (!result.best) return ours ? 0 : 2;
    shogi::Undo undo;
    position.Do(result.best, undo);
    switch (position.CheckRepetition(4)) {
      case Repetition::kNone:
        break;
      case Repetition::kDraw:
        return 1;
      case Repetition::kWin:
        return position.side_to_move() == with ? 2 : 0;
      case Repetition::kLoss:
        return position.side_to_move() == with ? 0 : 2;
    }
  }
  return 1;
}

int Main(int argc, char** argv) {
  Option option;
  if (argc < 2 || !option.Set(argv[1])) {
    std::cerr << "option_match hand_repetition|mate_nodes=N [DEPTH PAIRS NODES SEED]" << std::endl;
    return 2;
  }
  const int depth = argc > 2 ? std::atoi(argv[2]) : 6;
  const int pairs = argc > 3 ? std::atoi(argv[3]) : 50;
  const uint64_t nodes = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1000;
  Rng rng(argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 1);
  std::cout << "bench to depth " << depth << ": " << NodesOfBench(depth, Option())
            << " nodes without, " << NodesOfBench(depth, option) << " with" << std::endl;

  double sum = 0;  // of the points of a pair, 0 to 2, and of their squares
  double squares = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    shogi::Position start;
    for (int ply = 0; ply < 8; ++ply) {
      shogi::MoveList moves;
      start.Generate<GenType::kAll>(moves);
      shogi::Undo undo;
      start.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
    }
    const double points =
        (Play(start, nodes, Color::kFirst, option) + Play(start, nodes, Color::kSecond, option)) /
        2.0;
    sum += points;
    squares += points * points;
  }
  if (pairs > 0) {
    const double mean = sum / pairs;
    const double error = std::sqrt((squares / pairs - mean * mean) / pairs);
    std::cout << pairs << " pairs at " << nodes << " nodes: " << 50 * mean << " % +- "
              << 50 * 1.96 * error << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) { return joseki::Main(argc, argv); }
