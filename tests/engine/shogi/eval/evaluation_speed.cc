// Measures an evaluation as a search calls it: in every child of a position in turn, and along a
// line.
//   evaluation_speed               nanoseconds and calls a second, best of the rounds
//   evaluation_speed plain ROUNDS  this variant alone, for an instruction counter; none, plain,
//                                  learned or anew
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "engine/shogi/eval/evaluator.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {
namespace {

enum class Way : uint8_t { kNone, kPlain, kLearned, kAnew };
constexpr const char* kNames[] = {"none", "plain", "learned", "anew"};

// Games of random moves, which are played on from one position to the next.
std::vector<std::vector<Move>> Lines() {
  std::vector<std::vector<Move>> lines(8);
  Rng rng(5);
  for (std::vector<Move>& line : lines) {
    Position position;
    for (int ply = 0; ply < 100; ++ply) {
      MoveList moves;
      position.Generate<GenType::kSearch>(moves);
      if (moves.size() == 0) break;
      line.push_back(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))]);
      Undo undo;
      position.Do(line.back(), undo);
    }
  }
  return lines;
}

struct Walked {
  uint64_t calls = 0;
  int64_t sum = 0;  // keeps the calls from being left out
};

Walked Walk(const std::vector<std::vector<Move>>& lines, Way way) {
  Walked walked;
  Evaluator kept;
  kept.SetOptions({.learned_evaluation = way != Way::kPlain ? 1 : 0});
  auto ask = [&](const Position& position) {
    ++walked.calls;
    if (way == Way::kNone) return;
    if (way != Way::kAnew) {
      walked.sum += kept.Evaluate(position);
      return;
    }
    Evaluator fresh;
    walked.sum += fresh.Evaluate(position);
  };
  for (const std::vector<Move>& line : lines) {
    Position position;
    for (const Move next : line) {
      MoveList moves;
      position.Generate<GenType::kSearch>(moves);
      ask(position);
      for (const Move move : moves) {
        Undo undo;
        position.Do(move, undo);
        ask(position);
        position.TakeBack(move, undo);
      }
      Undo undo;
      position.Do(next, undo);
    }
  }
  return walked;
}

int Main(int argc, char** argv) {
  const std::vector<std::vector<Move>> lines = Lines();
  if (argc == 3) {
    const auto* const name =
        std::find(std::begin(kNames), std::end(kNames), std::string_view(argv[1]));
    if (name == std::end(kNames)) return 2;
    Walked walked;
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
      walked = Walk(lines, static_cast<Way>(name - std::begin(kNames)));
    }
    std::printf("%llu calls a round, sum %lld\n", static_cast<unsigned long long>(walked.calls),
                static_cast<long long>(walked.sum));
    return 0;
  }
  constexpr int kRounds = 10;
  double best[std::size(kNames)];
  std::fill(std::begin(best), std::end(best), 1e9);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t way = 0; way < std::size(kNames); ++way) {
      const auto start = std::chrono::steady_clock::now();
      const Walked walked = Walk(lines, static_cast<Way>(way));
      const std::chrono::duration<double, std::nano> taken =
          std::chrono::steady_clock::now() - start;
      best[way] = std::min(best[way], taken.count() / static_cast<double>(walked.calls));
    }
  }
  for (size_t way = 1; way < std::size(kNames); ++way) {
    const double each = best[way] - best[0];
    std::printf("%-8s %7.1f ns %12.0f a second\n", kNames[way], each, 1e9 / each);
  }
  return 0;
}

}  // namespace
}  // namespace joseki::shogi

int main(int argc, char** argv) { return joseki::shogi::Main(argc, argv); }
