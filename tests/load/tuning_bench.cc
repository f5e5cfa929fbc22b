// What tuning costs a game: choosing its line, and crediting its moves.
//
//   tuning_bench [--moves N] [--games N] [--in-flight N] [--settle P] [POLICY...]
//
// Makes a book of about N moves (book/simulation/world.h: transpositions, frequencies,
// evaluations), has that many games in flight, and prints for each policy or goal the processor
// time of a game in microseconds: the median, and what one game in a hundred and the slowest took.
// Results are by chance; a staged policy freezes its weights every tenth of the games.

#include <time.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/simulation/world.h"
#include "book/tuning/goals.h"
#include "book/tuning/line.h"
#include "book/tuning/policy.h"
#include "book/tuning/tuner.h"

namespace joseki::book {
namespace {

struct Flags {
  size_t moves = 1'000'000;
  size_t games = 20'000;
  size_t in_flight = 1;
  double settle = 0;
  std::vector<std::string> policies = {"default", "robust", "result-driven", "graph-puct", "ucb1"};
};

// Processor time of this thread: what others do on the machine is not counted.
double ThreadMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

World WorldOf(size_t moves) {
  WorldOptions options = *NamedWorld("mild");
  // Nearly every move leads to a position of its own.
  options.positions = std::max<size_t>(
      2, static_cast<size_t>((1 - options.transposing) * static_cast<double>(moves)));
  options.depth = 40;
  return MakeWorld(options, 1);
}

absl::StatusOr<std::shared_ptr<const Policy>> PolicyNamed(const std::string& name) {
  NamedPolicy named{name, {}};
  if (absl::StatusOr<NamedPolicy> goal = PolicyOfGoal(name); goal.ok()) named = *std::move(goal);
  ASSIGN_OR_RETURN(std::unique_ptr<const Policy> policy, MakePolicy(named.name, named.options));
  return std::shared_ptr<const Policy>(std::move(policy));
}

void Measure(const Flags& flags, const std::string& name, const World& world,
             std::shared_ptr<const Policy> policy) {
  Tuner tuner(world.graph, std::move(policy), world.priors);
  tuner.Settle();
  LineRules rules;
  rules.settling.error = flags.settle;
  Rng rng(1);
  std::deque<std::vector<EdgeId>> flying;
  std::vector<double> times;
  times.reserve(flags.games);
  uint64_t moves = 0;
  int stage = 0;
  const bool staged = !tuner.policy().stages().empty();
  for (uint64_t game = 1; game <= flags.in_flight + flags.games; ++game) {
    const double began = ThreadMicroseconds();
    Line line = *ChooseLine(tuner, world.start, stage, rules, rng);  // nothing is refused
    tuner.AddInFlight(line.edges);
    flying.push_back(std::move(line.edges));
    if (game <= flags.in_flight) continue;
    const std::vector<EdgeId> edges = std::move(flying.front());
    flying.pop_front();
    const Ending ending{rng.Below(2) == 0 ? Result::kFirstWins : Result::kSecondWins,
                        Termination::kResign};
    tuner.RemoveInFlight(edges);
    tuner.Apply({edges, ending, stage, game});
    times.push_back(ThreadMicroseconds() - began);
    moves += edges.size();
    if (staged && times.size() % (flags.games / 10 + 1) == 0) {
      tuner.Freeze();
      ++stage;
    }
  }
  std::sort(times.begin(), times.end());
  std::cout << absl::StreamFormat(
      "%-16s %6.1f us a game, 99 %% in %7.1f, slowest %8.1f; %4.1f moves\n", name,
      times[times.size() / 2], times[times.size() * 99 / 100], times.back(),
      static_cast<double>(moves) / static_cast<double>(times.size()));
}

int Run(int argc, char** argv) {
  CLI::App app("What tuning costs a game");
  Flags flags;
  app.add_option("--moves", flags.moves, "of the book")->check(CLI::Range(10, 100'000'000));
  app.add_option("--games", flags.games)->check(CLI::Range(10, 100'000'000));
  app.add_option("--in-flight", flags.in_flight)->check(CLI::Range(1, 1'000'000));
  app.add_option("--settle", flags.settle, "as in joseki tune")->check(CLI::Range(0.0, 0.5));
  app.add_option("policy", flags.policies, "policies or goals")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const World world = WorldOf(flags.moves);
  std::cout << absl::StreamFormat("%d positions, %d moves, %d in flight\n",
                                  world.graph->node_count(), world.graph->edge_count(),
                                  flags.in_flight);
  for (const std::string& name : flags.policies) {
    absl::StatusOr<std::shared_ptr<const Policy>> policy = PolicyNamed(name);
    if (!policy.ok()) {
      std::cerr << "tuning_bench: " << policy.status().message() << "\n";
      return 2;
    }
    Measure(flags, name, world, *std::move(policy));
  }
  return 0;
}

}  // namespace
}  // namespace joseki::book

int main(int argc, char** argv) { return joseki::book::Run(argc, argv); }
