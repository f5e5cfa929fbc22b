// Measures choosing a line and crediting a game on a book of a million moves, for each policy.
// Settled positions and the rule that ends a run when nothing is left to find take part. Figures
// are processor time, so that other programs on the machine hardly matter:
//   tuning_benchmark [POSITIONS] [GAMES] [IN_FLIGHT]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "book/simulation/world.h"
#include "book/tuning/goals.h"
#include "book/tuning/line.h"
#include "book/tuning/prospects.h"
#include "book/tuning/tuner.h"

namespace joseki::book {
namespace {

// Processor time of this process so far, in microseconds.
double ProcessorTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

int Main(int argc, char** argv) {
  const auto number = [&](int i, uint64_t missing) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : missing;
  };
  WorldOptions options;
  options.positions = number(1, 950'000);
  options.depth = 45;
  options.transposing = 0.15;
  const uint64_t games = number(2, 20'000);
  const uint64_t in_flight = number(3, 10'000);
  const World world = MakeWorld(options, 1);
  std::printf("%zu positions, %zu moves, %llu games, %llu in flight\n", world.graph->node_count(),
              world.graph->edge_count(), static_cast<unsigned long long>(games),
              static_cast<unsigned long long>(in_flight));
  for (const std::string_view name : PolicyNames()) {
    const std::shared_ptr<const Policy> policy = MakePolicy(name, {}).value();
    Tuner tuner(world.graph, policy, world.priors);
    const Settling settling = {.error = 0.05};
    Prospects prospects(*world.graph, policy->draw_value(), settling);
    double begin = ProcessorTime();
    tuner.ComputeValues();
    const double settle = ProcessorTime() - begin;
    Rng rng(2);
    std::vector<std::vector<EdgeId>> flying;
    double choose = 0;
    double credit = 0;
    uint64_t plies = 0;
    uint64_t touched = 0;
    for (uint64_t game = 0; game < games + in_flight; ++game) {
      begin = ProcessorTime();
      Line line = *ChooseLine(tuner, world.start, 0, {0.008, 0, settling}, rng);
      tuner.AddInFlight(line.edges);
      if (game >= in_flight) choose += ProcessorTime() - begin;
      flying.push_back(std::move(line.edges));
      if (game < in_flight) continue;
      std::swap(flying[rng.Below(flying.size())], flying.back());
      const std::vector<EdgeId> edges = std::move(flying.back());
      flying.pop_back();
      const NodeId end = edges.empty() ? world.start : world.graph->edge(edges.back()).to;
      const Result result =
          rng.Unit() < world.score[end] ? Result::kFirstWins : Result::kSecondWins;
      begin = ProcessorTime();
      tuner.RemoveInFlight(edges);
      tuner.Apply({edges, {result, Termination::kResign}, 0, game});
      prospects.Update(tuner, edges);
      credit += ProcessorTime() - begin;
      plies += edges.size();
      touched += tuner.touched().size();
    }
    const auto n = static_cast<double>(games);
    std::printf(
        "%-20.*s choose %6.1f us  credit %6.1f us  plies %4.1f  positions changed %5.1f  "
        "settle %6.0f ms\n",
        static_cast<int>(name.size()), name.data(), choose / n, credit / n,
        static_cast<double>(plies) / n, static_cast<double>(touched) / n, settle / 1000);
  }
  return 0;
}

}  // namespace
}  // namespace joseki::book

int main(int argc, char** argv) { return joseki::book::Main(argc, argv); }
