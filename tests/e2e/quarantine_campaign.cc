// Runs a worker with an altered engine that claims to be the ordinary one, among honest workers.
// Counts its slots until it is quarantined, other quarantined workers, and its games left in the
// book's evidence. Exit status 0: in every run it was found within the limit, no other worker was
// quarantined, and the audit is clean.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "SQLiteCpp/SQLiteCpp.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

struct Flags {
  int runs = 5;
  int honest = 3;
  int seats = 4;
  uint64_t games = 600;
  uint64_t nodes = 300;
  double verify_percent = 1.5;
  uint64_t seed = 1;
  int64_t most_slots = 200;
  std::string policy = "sample-average";
  std::string binaries = JOSEKI_BINARY_DIR;
};

v1::RunSpec SpecOf(const Flags& flags, int number) {
  v1::RunSpec spec = SmallRun("quarantine campaign", flags.games);
  spec.mutable_play()->set_nodes(flags.nodes);
  spec.mutable_play()->set_max_plies(300);
  spec.mutable_policy()->set_name(flags.policy);
  spec.set_deviation(0.008);
  spec.set_seed(flags.seed + static_cast<uint64_t>(number));
  spec.set_verify_percent(flags.verify_percent);
  return spec;
}

// State of the altered worker, `name`, in the database after the run.
struct Found {
  int64_t blocked = 0;         // how often the altered worker was
  int64_t honest_blocked = 0;  // and any other
  int64_t slots = 0;           // that it had played until then, copies of others' games included
  int64_t games = 0;           // of them games that counted until then
  int64_t excluded = 0;        // its games in all: out of the evidence
  int64_t mismatches = 0;      // copies that were another game
};

Found Look(const std::string& path, const std::string& name) {
  SQLite::Database db(path, SQLite::OPEN_READONLY);
  const auto number = [&](const std::string& sql) {
    SQLite::Statement statement(db, sql);
    for (int i = 1; i <= statement.getBindParameterCount(); ++i) statement.bind(i, name);
    statement.executeStep();
    return statement.getColumn(0).getInt64();
  };
  const std::string since = "(SELECT min(at_ms) FROM trust_changes WHERE worker = ?1)";
  Found found;
  found.blocked = number("SELECT count(*) FROM trust_changes WHERE worker = ?1");
  found.honest_blocked = number("SELECT count(*) FROM trust_changes WHERE worker <> ?1");
  found.games = number("SELECT count(*) FROM games WHERE worker = ?1 AND accepted_ms <= " + since);
  found.slots = found.games + number(
                                  "SELECT count(*) FROM checks WHERE worker = ?1 AND state <> 0"
                                  " AND seen_ms <= " +
                                  since);
  found.excluded = number("SELECT count(*) FROM games WHERE worker = ?1");
  found.mismatches = number("SELECT count(*) FROM checks WHERE state = 2 AND ?1 <> ''");
  return found;
}

bool RunOne(const Flags& flags, int number, std::vector<int64_t>& slots) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("joseki-quarantine-" + std::to_string(getpid()));
  const int altered = flags.honest;
  TestCluster cluster(folder.string(), flags.binaries,
                      {.workers = flags.honest + 1,
                       .seats = flags.seats,
                       .lease_seconds = 30,
                       .programs = {{altered, flags.binaries + "/tests/altered_worker"}}});
  const auto failed = [&](const std::string& what) {
    std::cerr << "quarantine_campaign: " << what << "\n" << cluster.Logs();
    return false;
  };
  cluster.StartCoordinator();
  const auto run = cluster.CreateRun(SpecOf(flags, number));
  if (!run.ok()) return failed(run.status().ToString());
  for (int worker = 0; worker <= flags.honest; ++worker) cluster.StartWorker(worker);
  v1::RunStatus last;
  if (!cluster.Await(
          *run,
          [&](const v1::RunStatus& status) {
            last = status;
            return status.state() != "running";
          },
          std::chrono::seconds(1800))) {
    return failed("the run does not end");
  }
  for (int worker = 0; worker <= flags.honest; ++worker) cluster.StopWorker(worker);
  cluster.StopCoordinator();
  const Found found = Look(cluster.folder() + "/book.sqlite", "w" + std::to_string(altered));
  const TestCluster::Stored stored = cluster.Read();
  std::cout << "run " << number + 1 << ": altered worker "
            << (found.blocked > 0 ? "quarantined" : "not found") << " after " << found.slots
            << " slots (" << found.games << " games), " << found.excluded
            << " games recomputed out, " << found.mismatches << " of " << stored.copies.size()
            << " copies differ, " << found.honest_blocked << " honest workers quarantined, "
            << last.games_done() << " games of " << flags.games << ", audit: " << stored.audited
            << " games, " << stored.mismatches << " mismatches" << std::endl;
  slots.push_back(found.slots);
  if (::testing::Test::HasFailure() || found.blocked != 1 || found.honest_blocked != 0 ||
      found.slots > flags.most_slots || stored.mismatches != 0 || last.games_done() < flags.games ||
      last.games_excluded() != static_cast<uint64_t>(found.excluded)) {
    return failed("not as it should be " + stored.first_mismatch);
  }
  return true;
}

int Campaign(const Flags& flags) {
  std::vector<int64_t> slots;
  bool clean = true;
  for (int number = 0; number < flags.runs; ++number) clean &= RunOne(flags, number, slots);
  std::sort(slots.begin(), slots.end());
  if (!slots.empty()) {
    std::cout << "slots until quarantined: median " << slots[slots.size() / 2] << ", most "
              << slots.back() << " in " << slots.size() << " runs" << std::endl;
  }
  return clean ? 0 : 1;
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Puts a worker with an altered engine among honest ones.", "quarantine_campaign");
  app.add_option("--runs", flags.runs);
  app.add_option("--honest", flags.honest, "honest workers, at least two");
  app.add_option("--slots", flags.seats, "of each worker");
  app.add_option("--games", flags.games);
  app.add_option("--nodes", flags.nodes, "a move");
  app.add_option("--verify", flags.verify_percent, "share of the games that is played again");
  app.add_option("--policy", flags.policy);
  app.add_option("--seed", flags.seed);
  app.add_option("--most-slots", flags.most_slots, "fail if the altered worker played more");
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
