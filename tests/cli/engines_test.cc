// `joseki tune` for engines that are programs of their own, as real processes.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr char kGames[] =
    "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d\nstartpos moves 2g2f 8c8d\n";
constexpr char kFairy[] = "/usr/games/fairy-stockfish";
constexpr char kGps[] = "/usr/games/gpsusi";
constexpr char kSjaak[] = "/usr/games/sjaakii";

class EnginesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "games.usi") << kGames;
    ASSERT_EQ(Run("joseki", {"import", "--book", book_, folder_ / "games.usi"}), 0) << output_;
    WriteEngines(R"({"usi": {"command": ")" JOSEKI_BINARY_DIR
                 R"(/joseki-engine", "profile": "joseki", "deterministic": true, "hash_mb": 4},)"
                 R"("mock": {"command": ")" JOSEKI_BINARY_DIR
                 R"(/tests/mock_engine", "deterministic": true, "profile": "fairy-stockfish"},)"
                 R"("gone": {"command": "/no/such/engine"}})");
  }
  void TearDown() override {
    if (HasFailure()) std::system(("tail -n 20 " + book_ + ".logs/*.log").c_str());
  }

  void WriteEngines(const std::string& engines) {
    std::ofstream(file_) << R"({"engines": )" << engines << "}";
  }
  int Run(const std::string& program, const std::vector<std::string>& arguments) {
    std::string command = std::string(JOSEKI_BINARY_DIR) + "/" + program;
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = folder_ / "out";
    const std::string err = folder_ / "err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    output_ = *ReadFile(out) + *ReadFile(err);
    json_ = Json::parse(*ReadFile(out), nullptr, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int Tune(const std::string& engine, const std::string& games,
           const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "tune", "--json",   "--new", "--book",      book_, "--games",     games, "--engines",
        file_,  "--engine", engine,  "--deviation", "0.2", "--max-plies", "60"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run("joseki", arguments);
  }
  // Plays games alone, and looks at what is left in the database.
  void TunesWell(const std::string& engine, std::vector<std::string> limits) {
    limits.push_back("--no-search");
    ASSERT_EQ(Tune(engine, "4", limits), 0) << output_;
    EXPECT_EQ(json_["state"], "done");
    EXPECT_EQ(json_["faults"], 0);
    EXPECT_GE(json_["games_done"], 4);
    const auto run = json_["run"].get<coordinator::RunId>();
    auto store = book::Store::Open(book_, book::OpenMode::kReadOnly);
    ASSERT_TRUE(store.ok());
    size_t scored = 0;
    EXPECT_TRUE(coordinator::RunStore(**store)
                    .games()
                    .ForEach(run, 0,
                             [&](const coordinator::GameRow& game) {
                               EXPECT_EQ(game.book_plies + game.scores.size(), game.moves.size());
                               for (const int16_t score : game.scores) {
                                 if (score != kNoScore) ++scored;
                               }
                               return absl::OkStatus();
                             })
                    .ok());
    EXPECT_GT(scored, 20u);
    ASSERT_EQ(Run("joseki", {"audit", "--json", "--book", book_}), 0) << output_;
    EXPECT_EQ(json_["mismatches"], 0);
  }

  joseki::testing::TempFolder folder_;
  const std::string book_ = folder_ / "book.sqlite";
  const std::string file_ = folder_ / "engines.json";
  std::string output_;
  Json json_;
};

TEST_F(EnginesTest, ABookIsTunedForAUsiEngine) {
  TunesWell("usi", {"--nodes", "50", "--slots-per-worker", "2"});
  TunesWell("usi", {"--move-ms", "5"});
}

// The searches along lines are the engine's too: its nodes, its scores.
TEST_F(EnginesTest, ABookIsSearchedByAUsiEngine) {
  ASSERT_EQ(Tune("usi", "60", {"--nodes", "50", "--slots-per-worker", "2"}), 0) << output_;
  EXPECT_EQ(json_["state"], "done");
  EXPECT_EQ(json_["faults"], 0);
  ASSERT_TRUE(json_.contains("line_searches")) << output_;
  EXPECT_GT(json_["line_searches"]["answers"], 1);
  EXPECT_GT(json_["line_searches"]["trials"], 0);
  ASSERT_EQ(Run("joseki", {"audit", "--json", "--book", book_}), 0) << output_;
  EXPECT_EQ(json_["mismatches"], 0);
}

TEST_F(EnginesTest, AnEngineWithoutScoresPlaysGamesAlone) {
  WriteEngines(R"({"mute": {"command": ")" JOSEKI_BINARY_DIR
               R"(/tests/mock_engine", "arguments": ["mute"], "deterministic": true}})");
  ASSERT_EQ(Tune("mute", "40", {"--nodes", "50"}), 0) << output_;
  EXPECT_EQ(json_["line_searches"]["off"], "the engine gives no scores");
  EXPECT_GT(json_["games_done"], 30);
  const std::string said = "games alone from now on: the engine gives no scores\n";
  ASSERT_THAT(output_, HasSubstr(said));
  EXPECT_EQ(output_.find(said), output_.rfind(said));
}

TEST_F(EnginesTest, AWorkerTellsWhatItsEnginesAre) {
  EXPECT_EQ(Run("joseki-worker", {"--engines", file_, "--check-engines"}), 1) << output_;
  ASSERT_EQ(json_["engines"].size(), 3u) << output_;
  EXPECT_EQ(json_["engines"][0]["id"], "gone");
  EXPECT_THAT(json_["engines"][0]["error"].get<std::string>(), HasSubstr("/no/such/engine"));
  EXPECT_EQ(json_["engines"][1]["name"], "Mock 1");
  EXPECT_NE(json_["engines"][1]["signature"], 0);
  EXPECT_EQ(json_["engines"][2]["name"], "Joseki");
  EXPECT_NE(json_["engines"][2]["signature"], 0);
}

TEST_F(EnginesTest, BadUseIsRefusedBeforeAnythingStarts) {
  EXPECT_EQ(Tune("other", "4"), 2);
  EXPECT_EQ(json_["error"]["code"], "unknown_engine");
  EXPECT_EQ(Tune("gone", "4"), 2);
  EXPECT_EQ(json_["error"]["code"], "cannot_start");
  EXPECT_EQ(Tune("mock", "4", {"--option", "USI_Hash=1"}), 2);
  EXPECT_EQ(json_["error"]["code"], "option_not_allowed");
  EXPECT_EQ(Run("joseki", {"tune", "--book", book_, "--games", "4", "--engine", "mock"}), 2);
  EXPECT_THAT(output_, HasSubstr("--engines"));
  EXPECT_NE(access((book_ + ".logs").c_str(), F_OK), 0);
}

// Engines that Debian has, where they are installed.
using DebianEnginesTest = EnginesTest;

TEST_F(DebianEnginesTest, FairyStockfish) {
  if (access(kFairy, X_OK) != 0) GTEST_SKIP() << "fairy-stockfish is not installed";
  WriteEngines(R"({"fairy": {"command": "/usr/games/fairy-stockfish", "deterministic": true,)"
               R"( "profile": "fairy-stockfish"}})");
  TunesWell("fairy", {"--nodes", "500"});
  TunesWell("fairy", {"--move-ms", "5"});
}

TEST_F(DebianEnginesTest, GpsShogi) {
  if (access(kGps, X_OK) != 0) GTEST_SKIP() << "gpsshogi is not installed";
  WriteEngines(R"({"gps": {"command": "/usr/games/gpsusi", "profile": "gpsshogi"}})");
  TunesWell("gps", {"--nodes", "1000"});
}

TEST_F(DebianEnginesTest, Sjaak) {
  if (access(kSjaak, X_OK) != 0) GTEST_SKIP() << "sjaakii is not installed";
  WriteEngines(R"({"sjaak": {"command": "/usr/games/sjaakii", "profile": "sjaak"}})");
  TunesWell("sjaak", {"--move-ms", "10"});
}

}  // namespace
}  // namespace joseki::cli
