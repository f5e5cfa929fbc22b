// The standard table's main rows on the seeds of docs/laboratory/tuning.md: what the goals are for
// must hold. A change of a policy that fails here has made it worse.
#include <map>
#include <string>
#include <vector>

#include "book/simulation/simulate.h"
#include "book/simulation/standard_table.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

constexpr uint32_t kBooks = 30;
constexpr uint32_t kThreads = 2;

std::vector<Checkpoint> Play(const char* world, const std::string& name,
                             std::vector<uint64_t> games, uint32_t in_flight = 1) {
  for (const TableRow& row : StandardTable()) {
    if (row.name != name) continue;
    SimulationOptions options;
    options.policy = row.policy.name;
    options.policy_options = row.policy.options;
    options.games = std::move(games);
    options.in_flight = in_flight;
    auto checkpoints = SimulateBooks(WorldOf(row, *NamedWorld(world)), options, kBooks, kThreads);
    EXPECT_TRUE(checkpoints.ok()) << checkpoints.status();
    return *std::move(checkpoints);
  }
  ADD_FAILURE() << "no row " << name;
  return {};
}

class SimulationTable : public ::testing::TestWithParam<const char*> {};

TEST_P(SimulationTable, GoalsAreAheadOfTheThesissRule) {
  const Checkpoint thesis = Play(GetParam(), "thesis, from frequency", {16000})[0];
  const Checkpoint informed = Play(GetParam(), "thesis, frequency and evaluations", {16000})[0];
  const std::vector<Checkpoint> played = Play(GetParam(), "default", {500, 16000, 64000});
  for (const Checkpoint& rule : {thesis, informed}) {
    EXPECT_GE(played[0].elo.mean, rule.elo.mean);
    EXPECT_LE(played[0].exploitability.mean, rule.exploitability.mean);
  }
  EXPECT_GE(played[2].elo.mean, played[0].elo.mean);
  for (const uint32_t in_flight : {256U, 4096U}) {
    const Checkpoint delayed = Play(GetParam(), "default", {1000}, in_flight)[0];
    EXPECT_GE(delayed.elo.mean, thesis.elo.mean) << in_flight;
    EXPECT_GE(delayed.elo.mean, informed.elo.mean) << in_flight;
  }
  const Checkpoint robust = Play(GetParam(), "robust", {16000})[0];
  EXPECT_LE(3 * robust.exploitability.mean, thesis.exploitability.mean);
  EXPECT_LE(3 * robust.exploitability.mean, informed.exploitability.mean);
  EXPECT_LE(robust.exploitability.mean, played[1].exploitability.mean);
  const Checkpoint exploit = Play(GetParam(), "exploit", {16000})[0];
  EXPECT_GE(exploit.elo.mean, played[1].elo.mean);
  const Checkpoint puct = Play(GetParam(), "graph-puct", {16000})[0];
  EXPECT_GT(played[1].elo.mean, puct.elo.mean);
}

// Without evaluations games are all there is to learn from.
TEST_P(SimulationTable, GamesTeachWhereNothingElseIsKnown) {
  const std::vector<Checkpoint> played = Play(GetParam(), "default, no evaluations", {500, 16000});
  EXPECT_GE(played[1].elo.mean, played[0].elo.mean + 5);
  EXPECT_LE(played[1].exploitability.mean, 0.85 * played[0].exploitability.mean);
  EXPECT_GE(played[1].elo.mean, Play(GetParam(), "thesis, from frequency", {16000})[0].elo.mean);
}

INSTANTIATE_TEST_SUITE_P(Worlds, SimulationTable, ::testing::Values("mild", "tacos"),
                         [](const auto& world) { return std::string(world.param); });

}  // namespace
}  // namespace joseki::book
