// A match over a cluster of real processes that are killed in the middle of it. Its result equals
// that of the same match on one machine, game by game.
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/child.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

using Json = nlohmann::json;

constexpr int kPairs = 10;

std::vector<std::string> Command(const TestCluster& cluster, const std::string& out) {
  const std::string book = cluster.File("book.sqlite");
  return {absl::StrCat(JOSEKI_BINARY_DIR, "/joseki"),
          "match",
          "--json",
          "--a",
          book,
          "--b",
          absl::StrCat(book, "@embedded"),
          "--choice-a",
          "share",
          "--choice-b",
          "range",
          "--range",
          "1.5",
          "--deviation",
          "0.05",
          "--nodes",
          "1500",
          "--nodes-b",
          "700",
          "--max-plies",
          "70",
          "--pairs",
          absl::StrCat(kPairs),
          "--seed",
          "7",
          "--out",
          cluster.File(out)};
}

// Pair, attempt and first side of each game, and what was played; the last summary at the end.
struct Played {
  std::map<std::tuple<int, int, std::string>, std::string> games;
  Json summary;
};

// Times differ.
std::string Used(const Json& side) {
  return absl::StrCat(side["moves"].get<int>(), " ", side["book_moves"].get<int>(), " ",
                      side["nodes"].get<int>());
}

Played Read(const std::string& path) {
  Played played;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    if (json.contains("summary")) played.summary = json["summary"];
    if (!json.contains("pair")) continue;
    played.games[{json["pair"].get<int>(), json["attempt"].get<int>(),
                  json["first"].get<std::string>()}] =
        absl::StrCat(json["moves"].get<std::string>(), " ", json["result"].get<std::string>(), " ",
                     json["termination"].get<std::string>(), " ", Used(json["a"]), " ",
                     Used(json["b"]));
  }
  return played;
}

TEST(MatchCluster, KillsInTheMiddleChangeNothingOfItsResult) {
  TestCluster cluster(ClusterFolder(), JOSEKI_BINARY_DIR, {.seats = 2, .lease_seconds = 5});
  Child here(Command(cluster, "here.jsonl"), cluster.File("here.log"));
  ASSERT_EQ(here.Wait(std::chrono::seconds(300)), 0) << cluster.File("here.log");
  const Played expected = Read(cluster.File("here.jsonl"));
  ASSERT_EQ(expected.games.size(), 2u * kPairs);

  const auto on_cluster = [&] {
    std::vector<std::string> command = Command(cluster, "cluster.jsonl");
    const auto address = ReadFile(cluster.File("address"));
    EXPECT_TRUE(address.ok()) << address.status();
    command.insert(command.end(), {"--coordinator",
                                   std::string(absl::StripAsciiWhitespace(address.value_or("")))});
    return std::make_unique<Child>(command, cluster.File("match.log"));
  };
  const auto played = [&](int64_t least) {
    return Eventually([&, least] {
      return cluster.Number("SELECT count(*) FROM games WHERE result <> 0") >= least;
    });
  };
  cluster.StartCoordinator();
  cluster.StartWorker(0);
  cluster.StartWorker(1);
  std::unique_ptr<Child> match = on_cluster();
  ASSERT_TRUE(played(2)) << cluster.Logs();
  cluster.KillWorker(0);
  ASSERT_TRUE(played(5)) << cluster.Logs();
  cluster.KillCoordinator();
  match->Kill();  // it would ask again at the old address, and the port is another one now
  cluster.StartCoordinator();
  cluster.StartWorker(0);
  match = on_cluster();
  ASSERT_EQ(match->Wait(std::chrono::seconds(300)), 0)
      << cluster.Logs() << ReadFile(cluster.File("match.log")).value_or("");
  EXPECT_EQ(cluster.StopWorker(0), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopWorker(1), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopCoordinator(), 0) << cluster.Logs();

  const Played got = Read(cluster.File("cluster.jsonl"));
  EXPECT_EQ(got.games, expected.games);
  for (const char* key : {"state", "pairs", "games", "wins", "losses", "draws", "faults", "repeats",
                          "score", "elo", "elo_low", "elo_high", "pentanomial", "a_first",
                          "a_second", "terminations", "mean_plies"}) {
    EXPECT_EQ(got.summary[key], expected.summary[key]) << key;
  }
  EXPECT_EQ(cluster.BadVerdicts(), 0);
  const TestCluster::Stored stored = cluster.Read();
  EXPECT_EQ(stored.faults, 0u);
  EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
  for (const TestCluster::Key& key : cluster.Acknowledged()) {
    EXPECT_TRUE(stored.all().count(key)) << "lease " << key.first << " slot " << key.second;
  }
}

}  // namespace
}  // namespace joseki::testing
