// Kills coordinator and workers with SIGKILL, in turn, while many games are in flight, and compares
// at the end what the workers were told, what the database holds, and what the book moves count.
//
//   kill_campaign [--kills N] [--games N] [--nodes N] [--workers N] [--slots N] [--in-flight N]
//
// Exit status 0 if nothing was lost and nothing counted twice. N kills are N of the coordinator and
// N of a worker.

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "CLI/CLI.hpp"
#include "base/rng.h"
#include "engine/search/bench.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"

namespace joseki::testing {
namespace {

struct Flags {
  int kills = 10;
  uint64_t games = 2000;
  uint64_t nodes = 2000;
  int workers = 2;
  int slots = 64;
  uint32_t in_flight = 100;
  uint64_t seed = 1;
  std::string policy = "result-driven";
  std::string binaries = JOSEKI_BINARY_DIR;
};

v1::RunSpec SpecOf(const Flags& flags) {
  v1::RunSpec spec;
  spec.set_name("kill campaign");
  v1::PlaySpec& play = *spec.mutable_play();
  play.set_game("shogi");
  play.set_engine_id("embedded");
  play.set_engine_signature(BenchSignature());
  play.set_nodes(flags.nodes);
  play.set_jitter_percent(20);
  play.set_max_plies(300);
  play.set_declaration(v1::DECLARATION_27);
  spec.mutable_policy()->set_name(flags.policy);
  spec.set_games(flags.games);
  spec.set_deviation(0.008);
  spec.set_seed(flags.seed);
  spec.set_start("startpos");
  return spec;
}

int Failed(Cluster& cluster, const std::string& what) {
  std::cerr << "kill_campaign: " << what << "\n" << cluster.Logs();
  return 1;
}

int Campaign(const Flags& flags) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("joseki-kill-" + std::to_string(getpid()));
  Cluster cluster(folder.string(), flags.binaries,
                  {.workers = flags.workers, .slots = flags.slots, .lease_seconds = 5});
  cluster.StartCoordinator();
  const auto run = cluster.CreateRun(SpecOf(flags));
  if (!run.ok()) return Failed(cluster, run.status().ToString());
  for (int worker = 0; worker < flags.workers; ++worker) cluster.StartWorker(worker);

  Rng rng(flags.seed);
  const auto began = std::chrono::steady_clock::now();
  int coordinators = 0;
  int workers = 0;
  for (int kill = 0; kill < 2 * flags.kills; ++kill) {
    uint64_t done = 0;
    uint32_t in_flight = 0;
    bool over = false;
    // Spread over the run: each kill waits for its share of the games, and for enough in flight.
    const uint64_t due =
        flags.games * static_cast<uint64_t>(kill) / static_cast<uint64_t>(2 * flags.kills + 2);
    if (!cluster.Await(*run, [&](const v1::RunStatus& status) {
          done = status.games_done();
          in_flight = status.slots_in_flight();
          over = status.state() != "running";
          return over || (done >= due && in_flight >= flags.in_flight);
        })) {
      return Failed(cluster, "no progress");
    }
    if (over) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.Below(300)));
    const bool coordinator = kill % 2 == 0;
    if (coordinator) {
      cluster.KillCoordinator();
      cluster.StartCoordinator();
      ++coordinators;
    } else {
      const int worker = workers++ % flags.workers;
      cluster.KillWorker(worker);
      cluster.StartWorker(worker);
    }
    std::cout << "kill " << kill + 1 << " of " << (coordinator ? "the coordinator" : "a worker")
              << ": " << done << " games done, " << in_flight << " in flight" << std::endl;
  }
  if (!cluster.Await(
          *run, [](const v1::RunStatus& status) { return status.state() == "done"; },
          std::chrono::seconds(1800))) {
    return Failed(cluster, "the run does not end");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  bool clean = true;
  for (int worker = 0; worker < flags.workers; ++worker) clean &= cluster.StopWorker(worker) == 0;
  clean &= cluster.StopCoordinator() == 0;

  const Cluster::Stored stored = cluster.Read();
  const std::set<Cluster::Key> acknowledged = cluster.Acknowledged();
  std::set<Cluster::Key> answered = stored.games;
  answered.insert(stored.checks.begin(), stored.checks.end());
  std::cout << "coordinator killed " << coordinators << " times, workers " << workers << " times, "
            << took.count() << " s\n"
            << "games acknowledged " << acknowledged.size() << ", stored " << stored.games.size()
            << " and " << stored.checks.size() << " played again"
            << ", faults " << stored.faults << ", bad verdicts " << cluster.BadVerdicts() << "\n"
            << "book moves credited " << stored.credited << ", in the games "
            << stored.expected_credit << "\n"
            << "audit: " << stored.audited << " games, " << stored.mismatches << " mismatches"
            << std::endl;
  if (!clean) return Failed(cluster, "a process did not end well");
  if (coordinators < flags.kills || workers < flags.kills) {
    return Failed(cluster, "the run was over before the kills were");
  }
  if (::testing::Test::HasFailure() || acknowledged != answered ||
      stored.credited != stored.expected_credit || stored.audited != stored.games.size() ||
      stored.mismatches != 0 || stored.faults != 0 || cluster.BadVerdicts() != 0 ||
      stored.games.size() < flags.games) {
    return Failed(cluster, "the counts do not agree " + stored.first_mismatch);
  }
  return 0;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Kills a cluster's processes under load and counts its games.", "kill_campaign");
  app.add_option("--kills", flags.kills, "of the coordinator, and as many of workers");
  app.add_option("--games", flags.games);
  app.add_option("--nodes", flags.nodes, "a move");
  app.add_option("--workers", flags.workers);
  app.add_option("--slots", flags.slots, "of each worker");
  app.add_option("--in-flight", flags.in_flight, "games in flight at each kill, at least");
  app.add_option("--policy", flags.policy);
  app.add_option("--seed", flags.seed);
  app.add_option("--binaries", flags.binaries, "folder of the programs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return Campaign(flags);
}

}  // namespace
}  // namespace joseki::testing

int main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }
