// Tests that the command line that a report prints for reproduction parses to the same
// specification.

#include "cli/run/spec_command.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/hash.h"
#include "cli/run/opponent_options.h"
#include "cli/run/spec_options.h"
#include "coordinator/model/run_spec.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using coordinator::RunSpec;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The words that a shell makes of a command line.
std::vector<std::string> WordsOf(const std::string& line) {
  FILE* const shell = popen(("printf '%s\\0' " + line).c_str(), "r");
  std::vector<std::string> words;
  std::string word;
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) {
    if (c != 0) {
      word += static_cast<char>(c);
      continue;
    }
    words.push_back(word);
    word.clear();
  }
  pclose(shell);
  // Without an argument printf writes one empty word.
  return words == std::vector<std::string>{""} ? std::vector<std::string>() : words;
}

class SpecCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(files_.opponent) << "#YANEURAOU-DB2016 1.00\n"
                                      "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/"
                                      "LNSGKGSNL b - 1\n7g7f 3c3d 10 32 5\n";
    std::ofstream(files_.engines)
        << R"({"engines": {"other": {"command": ")" JOSEKI_BINARY_DIR
           R"(/tests/mock_engine", "arguments": ["good", "20"], "profile": "fairy-stockfish"}}})";
  }

  // Parses as `joseki run create` does.
  RunSpec Parse(std::vector<std::string> words) {
    CLI::App app;
    SpecArguments arguments;
    OpponentArguments opponent;
    AddSpecOptions(app, arguments);
    AddShareOptions(app, arguments);
    AddOpponentOptions(app, opponent);
    std::vector<std::string> backwards(words.rbegin(), words.rend());
    try {
      app.parse(backwards);
    } catch (const CLI::ParseError& error) {
      ADD_FAILURE() << error.what();
    }
    auto spec = SpecOf(arguments, rules_);
    EXPECT_TRUE(spec.ok()) << spec.status();
    if (!spec.ok()) return {};
    const auto book = SetOpponent(opponent, arguments, rules_, *spec);
    EXPECT_TRUE(book.ok()) << book.status();
    return *spec;
  }
  // The options of the command for `spec`, which must give `spec` again.
  std::string Again(const RunSpec& spec) {
    EXPECT_TRUE(coordinator::CheckSpec(rules_, spec).ok()) << coordinator::CheckSpec(rules_, spec);
    std::string options = SpecOptions(spec, files_);
    const RunSpec again = Parse(WordsOf(options));
    EXPECT_EQ(coordinator::SpecToJson(again), coordinator::SpecToJson(spec)) << options;
    EXPECT_THAT(DifferencesOf(again, spec, true), IsEmpty()) << options;
    return options;
  }

  const Rules& rules_ = shogi::ShogiRules();
  joseki::testing::TempFolder folder_;
  const SpecFiles files_ = {.engines = folder_ / "engines.json",
                            .opponent = folder_ / "it's a book.db"};
};

TEST_F(SpecCommandTest, AWordIsQuotedWhereAShellNeedsIt) {
  for (const char* const plain : {"my.sqlite", "/srv/books/2024-05/a_b.sqlite", "日本.sqlite"}) {
    EXPECT_EQ(ShellWord(plain), plain);
  }
  for (const char* const special :
       {"本 日本.sqlite", "it's.sqlite", "", "#1", "a;b", "$HOME", "~/b", "a*", "(1).sqlite"}) {
    EXPECT_NE(ShellWord(special), special);
    EXPECT_THAT(WordsOf("x " + ShellWord(special)), ElementsAre("x", special));
  }
}

TEST_F(SpecCommandTest, TheStartIsAPositionOrMoves) {
  const std::string after = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
  for (const char* const moves :
       {"7g7f 3c3d", "▲７六歩 △３四歩", "P-7f P-3d", "startpos moves 7g7f 3c3d"}) {
    EXPECT_EQ(Parse({"--start", moves}).start, after) << moves;
  }
  EXPECT_EQ(Parse({"--start", after}).start, after);
  EXPECT_EQ(Parse({"--start", "startpos"}).start, "startpos");
  SpecArguments arguments;
  arguments.run.start = "7g7f 7g7f";
  EXPECT_THAT(SpecOf(arguments, rules_).status().message(), HasSubstr("--start"));
}

TEST_F(SpecCommandTest, ARunWithoutSearchesHasNoShareForThem) {
  SpecArguments arguments;
  arguments.no_search = true;
  EXPECT_TRUE(SpecOf(arguments, rules_).ok());
  arguments.run.line_searches.share = 50;
  EXPECT_THAT(SpecOf(arguments, rules_).status().message(), HasSubstr("--search-share"));
}

TEST_F(SpecCommandTest, SaysNothingOfWhatTheCommandSetsAnyway) {
  EXPECT_EQ(Again(Parse({})), "");
  EXPECT_EQ(Again(Parse({"--games", "2000", "--nodes", "500"})), " --games 2000 --nodes 500");
}

TEST_F(SpecCommandTest, GivesEachFieldAgainThatIsNotAsUsual) {
  const std::vector<std::function<void(RunSpec&)>> changes = {
      [](RunSpec& spec) { spec.name = "a night's run, with \"quotes\" and $HOME"; },
      [](RunSpec& spec) { spec.name = "--new"; },
      [](RunSpec& spec) { spec.name = "#1"; },
      [](RunSpec& spec) { spec.games = 123'456'789'012; },
      [](RunSpec& spec) { spec.seconds = 1; },
      [](RunSpec& spec) { spec.seconds = 100'000; },
      [](RunSpec& spec) { spec.play.nodes = 1; },
      [](RunSpec& spec) {
        spec.play.nodes = 0;
        spec.play.move_ms = 150;
      },
      [](RunSpec& spec) { spec.play.jitter_percent = 0; },
      [](RunSpec& spec) { spec.play.match.max_plies = 512; },
      [](RunSpec& spec) { spec.play.match.declaration = Declaration::kNone; },
      [](RunSpec& spec) { spec.play.match.declaration = Declaration::k24; },
      [](RunSpec& spec) { spec.play.match.repetition = RepetitionRule::kCheck; },
      [](RunSpec& spec) {
        spec.play.resign = {600, 3, 10};
      },
      [](RunSpec& spec) {
        spec.play.resign = {32'000, 7, 0};
      },
      [](RunSpec& spec) { spec.play.keep_scores = false; },
      [](RunSpec& spec) {
        spec.play.engine_options = {{"hash_mb", "8"}};
      },
      [](RunSpec& spec) {
        spec.play.engine_id = "elsewhere";
        spec.play.engine_signature = 0;
        spec.play.engine_options = {{"Book File", "no_book"}, {"Threads", "1"}};
      },
      [](RunSpec& spec) { spec.policy_options["tau"] = "0.3"; },
      [](RunSpec& spec) { spec.policy_options["fold"] = "yes"; },
      [](RunSpec& spec) {
        spec.policy_options = {{"tau", "0.005"}, {"explore", "1"}};
      },
      [](RunSpec& spec) {
        spec.policy_options = {{"tau", "1000"}, {"explore", "0.5"}};
      },
      [](RunSpec& spec) { spec.policy_options = {}; },
      [](RunSpec& spec) { spec.stop = {}; },
      [](RunSpec& spec) { spec.stop.settling.error = 0.01; },
      [](RunSpec& spec) { spec.stop.settling.margin = 0.123456789; },
      [](RunSpec& spec) { spec.stop.least_gain = 0; },
      [](RunSpec& spec) { spec.stop.least_gain = 1.0 / 3; },
      [](RunSpec& spec) {
        spec.policy = "result-driven";
        spec.policy_options = {{"column", "2"}};
        spec.stop = {};
        spec.stop.least_change = 0.1;
      },
      [](RunSpec& spec) {
        spec.policy = "ucb1";
        spec.policy_options = {};
      },
      [](RunSpec& spec) { spec.deviation = 0; },
      [](RunSpec& spec) { spec.deviation = 0.0123456789012345; },
      [](RunSpec& spec) { spec.seed = UINT64_MAX; },
      [](RunSpec& spec) { spec.max_book_plies = 24; },
      [](RunSpec& spec) {
        spec.start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
      },
      [](RunSpec& spec) { spec.verify_percent = 0; },
      [](RunSpec& spec) {
        spec.play.re_entry = true;
        spec.play.re_entry_games = 1000;
      },
      [](RunSpec& spec) {
        spec.play.re_entry = true;
        spec.play.re_entry_games = 50;
      },
      [](RunSpec& spec) { spec.share = {.priority = 9, .weight = 1}; },
      [](RunSpec& spec) {
        spec.requirements = {
            .labels = {{"gpu", "yes"}, {"room", "2 b"}}, .memory_mb = 9, .cores = 2};
      },
      [](RunSpec& spec) { spec.priors = {.nodes = 20'000, .positions = 0}; },
      [](RunSpec& spec) { spec.priors = {.nodes = 7, .positions = 1500}; },
  };
  const RunSpec usual = Parse({"--no-search"});
  for (const auto& change : changes) {
    RunSpec spec = usual;
    change(spec);
    EXPECT_NE(coordinator::SpecToJson(spec), coordinator::SpecToJson(usual));
    EXPECT_NE(Again(spec), "");
  }
}

TEST_F(SpecCommandTest, NamesAPolicyByItsGoalWhereThatIsShorter) {
  EXPECT_EQ(Again(Parse({"--goal", "robust"})), " --goal robust");
  EXPECT_EQ(Again(Parse({"--goal", "exploit", "--no-search", "--settle", "0"})),
            " --goal exploit --no-search --settle 0");
  // Naming the goal's policy directly leaves settling and stopping off.
  RunSpec by_name = Parse({"--no-search"});
  by_name.stop = Parse({"--policy", "response"}).stop;
  EXPECT_EQ(Again(by_name), " --no-search --settle 0");
  EXPECT_EQ(Again(Parse({"--policy", "response"})), " --policy response");
  EXPECT_EQ(Again(Parse({"--policy", "thompson", "--settle", "0.05"})),
            " --policy thompson --settle 0.05");
}

TEST_F(SpecCommandTest, GivesSearchesAgain) {
  EXPECT_EQ(Parse({}).line_searches.share, kUsualSearchShare);
  EXPECT_EQ(Parse({}).line_searches.nodes, UsualSearchNodes(Parse({}).play.nodes));
  EXPECT_EQ(Again(Parse({"--no-search"})), " --no-search");
  EXPECT_EQ(Again(Parse({"--search-share", "50"})), " --search-share 50");
  EXPECT_EQ(Again(Parse({"--search-share", "0"})), " --no-search");
  EXPECT_EQ(Again(Parse({"--search-nodes", "5000"})), " --search-nodes 5000");
  EXPECT_EQ(Again(Parse({"--policy", "ucb1", "--search-share", "90"})),
            " --policy ucb1 --search-share 90");
  EXPECT_EQ(Again(Parse({"--fixed-book"})), " --fixed-book");
  EXPECT_EQ(Again(Parse({"--own-limit"})), " --own-limit");
  EXPECT_EQ(Again(Parse({"--own-limit", "--no-search"})), " --no-search");
  // A run of games alone adds no moves anyway.
  EXPECT_EQ(Again(Parse({"--fixed-book", "--no-search"})), " --no-search");
  // No option is needed if the run cannot search, or searches by other means.
  EXPECT_EQ(Again(Parse({"--move-ms", "100"})), " --move-ms 100");
  EXPECT_EQ(Again(Parse({"--no-scores"})), " --no-scores");
  EXPECT_EQ(Again(Parse({"--priors"})), " --priors");
}

TEST_F(SpecCommandTest, GivesWholeRunsAgain) {
  const RunSpec night =
      Parse({"--name", "night", "--hours", "8", "--nodes", "20000", "--priors", "--prior-positions",
             "1500", "--stop-gain", "0.002", "--seed", "7", "--re-entry", "--jitter", "10"});
  const std::string options = Again(night);
  EXPECT_THAT(options, HasSubstr("--hours 8 "));
  EXPECT_THAT(options, Not(HasSubstr("--prior-nodes")));
  const RunSpec timed = Parse({"--games", "9", "--move-ms", "100", "--priors", "--prior-nodes",
                               "5000", "--resign-below", "900", "--play-on", "3"});
  EXPECT_THAT(Again(timed), HasSubstr("--prior-nodes 5000"));
}

TEST_F(SpecCommandTest, GivesOpponentsAndEnginesOfFilesAgain) {
  const std::string& book = files_.opponent;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--opponent", "none@embedded"},
           {"--opponent", book + "@embedded", "--side", "black", "--re-entry-games", "64"},
           {"--opponent", book + "@embedded", "--opponent-choice", "share", "--opponent-nodes",
            "500"},
           {"--opponent", book + "@embedded", "--opponent-choice", "range", "--opponent-range",
            "0.25", "--opponent-move-ms", "70"},
           {"--opponent", "none@embedded", "--move-ms", "70", "--opponent-nodes", "2000"},
           {"--opponent", "none@embedded", "--opponent-option", "hash_mb=8"},
           {"--opponent", book + "@other", "--engines", files_.engines},
           {"--engine", "other", "--engines", files_.engines, "--nodes", "100"},
       }) {
    const RunSpec spec = Parse(words);
    EXPECT_NE(Again(spec), "") << words.front();
  }
}

}  // namespace
}  // namespace joseki::cli
