// Simulates a cluster under many seeds (simulation.h) and prints each with its outcome.
//
//   simulate_cluster [--seeds N] [--first SEED] [--workers N] [--games N] [--print]
//
// Exit status 1 if anything was violated; the printed seed reproduces it.

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "CLI/CLI.hpp"
#include "tests/simulation/simulation.h"

namespace joseki::testing {
namespace {

int Main(int argc, char** argv) {
  uint64_t seeds = 100;
  uint64_t first = 1;
  bool print = false;
  SimulationOptions options;
  CLI::App app("Simulates a cluster under many seeds.", "simulate_cluster");
  app.add_option("--seeds", seeds, "how many");
  app.add_option("--first", first, "the first of them");
  app.add_option("--workers", options.workers);
  app.add_option("--games", options.games, "of each run");
  app.add_flag("--print", print, "every event");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (print) options.print = [](const std::string& line) { std::cout << line << "\n"; };
  const auto folder =
      std::filesystem::temp_directory_path() / ("joseki-simulation-" + std::to_string(getpid()));
  options.folder = folder.string();
  const auto began = std::chrono::steady_clock::now();
  uint64_t violated = 0;
  uint64_t games = 0;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    options.seed = seed;
    const SimulationReport report = Simulate(options);
    games += report.games;
    std::cout << "seed " << seed << ": games " << report.games << " acknowledged "
              << report.acknowledged << " duplicates " << report.duplicates << " stale "
              << report.stale << " faults " << report.faults << " messages " << report.messages
              << " lost " << report.lost << " repeated " << report.repeated << " kills "
              << report.coordinator_deaths << " (" << report.deaths_while_writing
              << " while writing, " << report.power_losses << " power lost) disk faults "
              << report.storage_faults << " workers killed " << report.worker_deaths
              << " leases with answers " << report.leases_with_replies << " checks "
              << report.copies << " quarantined " << report.quarantines << " blocked "
              << report.blocks << " extended " << report.extensions << " backups " << report.backups
              << " restored " << report.restores << " (" << report.of_lost_epochs
              << " games of a lost epoch) simulated s " << report.simulated_seconds << " trace "
              << std::hex << report.trace << std::dec << std::endl;
    for (const std::string& violation : report.violations) {
      std::cout << "seed " << seed << " VIOLATION: " << violation << std::endl;
    }
    violated += !report.violations.empty();
  }
  std::filesystem::remove_all(folder);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::cout << "seeds " << seeds << ", games " << games << ", seeds with violations " << violated
            << ", " << took.count() << " s" << std::endl;
  return violated == 0 ? 0 : 1;
}

}  // namespace
}  // namespace joseki::testing

int main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }
