// `joseki experiment` as a user runs it, on a book of three positions.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/experiment_command.h"
#include "tests/e2e/child.h"

namespace joseki::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// The start position with the thesis's counts, and what follows its first two moves.
constexpr char kTable[] =
    "sfen\tblack_wins\twhite_wins\tmove\tweight\tchild_black_wins\tchild_white_wins\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t7g7f\t0\t13554\t12000\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t2g2f\t0\t1864\t1700\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t5g5f\t0\t100\t82\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t2h5h\t0\t50\t55\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t1g1f\t0\t20\t19\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t9g9f\t0\t13\t13\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t2h6h\t0\t0\t14\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t1\t1\t3i4h\t0\t4\t0\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t1\t1\t3c3d\t0\t40\t30\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t1\t1\t8c8d\t0\t9\t8\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t1\t1\t1c1d\t0\t0\t0\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2\t1\t1\t8c8d\t0\t5\t6\n"
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2\t1\t1\t5c5e\t0\t5\t6\n";

class ExperimentTest : public ExperimentCommand {
 protected:
  void SetUp() override { std::ofstream(folder_ / "table.tsv") << kTable; }

  int Experiment(const std::string& name, const std::vector<std::string>& more = {"--json"}) {
    std::vector<std::string> arguments = {
        "experiment", name, "--folder",    "lab", "--source",      "table.tsv",
        "--games",    "2",  "--nodes",     "20",  "--pairs",       "2",
        "--seed",     "5",  "--max-plies", "250", "--concurrency", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
};

TEST_F(ExperimentTest, TheBaseBookKeepsTheThesissSevenMoves) {
  ASSERT_EQ(Experiment("E1"), 0) << output_;
  EXPECT_EQ(json_["experiment"], "E1");
  EXPECT_EQ(json_["interrupted"], false);
  std::vector<std::string> root;
  for (const Json& move : json_["root"]) root.push_back(move["move"]);
  EXPECT_THAT(root, ElementsAre("7g7f", "2g2f", "5g5f", "2h5h", "1g1f", "9g9f", "2h6h"));
  EXPECT_EQ(json_["root"][0]["games"], 25554);
  // One move is illegal, one was never played, one is filtered out.
  EXPECT_EQ(json_["positions"], 3);
  EXPECT_EQ(json_["moves"], 10);
  EXPECT_THAT(output_, HasSubstr("table.tsv:14"));
  ASSERT_EQ(Experiment("E1", {}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("| 7g7f | 25554 | 25554 |"));
  EXPECT_THAT(output_, HasSubstr("| 3i4h | 4 (filtered out) | not in the book |"));
  EXPECT_THAT(output_, HasSubstr("No source says who was a professional"));
}

TEST_F(ExperimentTest, TypesAreWeighedFromTheCounts) {
  ASSERT_EQ(Experiment("E2"), 0) << output_;
  std::vector<std::string> books;
  for (const Json& book : json_["books"]) {
    books.push_back(book["book"].get<std::string>() + " " + book["moves"].dump() + " " +
                    book["gap"].dump());
  }
  // 2h6h never won. Largest gaps: 25554 - 14 games, 13554 - 13 wins, 3 x 13554 + 12000 - 14.
  EXPECT_THAT(books,
              ElementsAre("Type-1 10 0.0", "Type-2 10 25540.0", "Type-3 9 0.0", "Type-4 9 13541.0",
                          "Type-5a 10 52648.0", "Type-5b 10 25540.0", "Type-5c 10 52648.0"));
}

TEST_F(ExperimentTest, EveryBookPlaysType1AndTheFolderRemembers) {
  ASSERT_EQ(Experiment("E5"), 0) << output_;
  std::vector<std::string> books;
  for (const Json& match : json_["matches"]) {
    books.push_back(match["book"]);
    const Json& result = match["result"];
    EXPECT_EQ(result["pairs"].get<int>() + result["repeats"].get<int>(), 2) << match;
    if (match["book"] == "Type-5b") {
      EXPECT_EQ(match["same_book_as"], "Type-2");
    }
    if (match["book"] == "Type-5c") {
      EXPECT_EQ(match["same_book_as"], "Type-5a");
    }
  }
  EXPECT_THAT(books,
              ElementsAre("Type-2", "Type-3", "Type-4", "Type-5a", "Type-5b", "Type-5c",
                          "Type-6[1-1]", "Type-6[2-1]", "Type-6[3-1]", "Type-6[4-1]", "Type-6[5-1]",
                          "Type-7[1-1]", "Type-7[2-1]", "default, from frequency"));
  // Tuning and matches are there: a second call plays nothing, and says the same.
  const Json first = json_;
  ASSERT_EQ(Experiment("E5"), 0) << output_;
  EXPECT_EQ(json_, first);
  ASSERT_EQ(Run({"experiment", "E5", "--json", "--folder", "lab", "--games", "2", "--nodes", "20",
                 "--seed", "5", "--max-plies", "250", "--show"}),
            0)
      << output_;
  EXPECT_EQ(json_["matches"], first["matches"]);

  // The log of the tuning, stage by stage: two games each, all of them decided.
  ASSERT_EQ(Experiment("E3"), 0) << output_;
  for (const int stages : {1, 5}) {
    int games = 0;
    for (const Json& move : json_["start"]["Type-6[" + std::to_string(stages) + "-1]"]) {
      games += move["wins"].get<int>() + move["losses"].get<int>();
    }
    EXPECT_LE(games, 2 * stages);
    EXPECT_GT(games, 0);
  }
  ASSERT_EQ(Run({"match", "--json", "--a", "lab/type6-1.sqlite#1/6", "--b", "lab/type1.sqlite",
                 "--pairs", "1", "--nodes", "20"}),
            2);
  EXPECT_EQ(json_["error"]["code"], "no_such_stage");

  // Games that are cut off are drawn, and then a stage does not end.
  ASSERT_EQ(Run({"experiment", "E3", "--json", "--folder", "cut", "--source", "table.tsv",
                 "--games", "2", "--nodes", "20", "--max-plies", "40"}),
            1);
  EXPECT_EQ(json_["error"]["code"], "too_many_draws") << output_;

  // With evaluations a policy of ours makes another book; a policy that ignores them makes the
  // same.
  ASSERT_EQ(Experiment("E4", {"--json", "--priors", "--policy", "default", "--policy", "puct"}), 0)
      << output_;
  EXPECT_TRUE(json_["start"].contains("default, from frequency and evaluations"));
  EXPECT_TRUE(json_["start"].contains("puct, from frequency"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "lab/policy-default-evaluations.sqlite"));

  // More pairs go on where the match was; the ranges of E6 are other matches.
  ASSERT_EQ(Experiment("E6", {"--json"}), 0) << output_;
  EXPECT_EQ(json_["matches"].size(), 7u);  // 2 books x 2 ranges, 3 pairings
  EXPECT_EQ(json_["matches"][0]["book"], "Type-2");
  EXPECT_EQ(json_["matches"][0]["against"], "Type-6[4-1]");
}

TEST_F(ExperimentTest, ColumnsAreThoseThatAreNamed) {
  ASSERT_EQ(Experiment("E3", {"--json", "--columns", "3"}), 0) << output_;
  EXPECT_EQ(json_["settings"]["columns"], Json({3}));
  std::vector<std::string> books;
  for (const auto& [book, moves] : json_["start"].items()) books.push_back(book);
  EXPECT_THAT(books, ElementsAre("Type-6[1-3]", "Type-6[2-3]", "Type-6[3-3]", "Type-6[4-3]",
                                 "Type-6[5-3]"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "lab/type6-1.sqlite"));
  // A stage has three times the games of column 1, which has two.
  int games = 0;
  for (const Json& move : json_["start"]["Type-6[5-3]"]) {
    games += move["wins"].get<int>() + move["losses"].get<int>();
  }
  EXPECT_GT(games, 5 * 2);
  EXPECT_LE(games, 5 * 2 * 3);
  // The thesis's column plays the second tournament if there are several.
  ASSERT_EQ(Experiment("E6", {"--json", "--columns", "4,3", "--policy", "puct"}), 0) << output_;
  EXPECT_EQ(json_["settings"]["columns"], Json({3, 4}));
  EXPECT_EQ(json_["matches"][0]["against"], "Type-6[4-3]");
  EXPECT_EQ(Experiment("E3", {"--json", "--columns", "6"}), 2) << output_;
}

TEST_F(ExperimentTest, AnEngineOfAnotherMakeAsOpponent) {
  std::ofstream(folder_ / "engines.json")
      << R"({"engines": {"mock": {"command": ")" JOSEKI_BINARY_DIR
         R"(/tests/mock_engine", "arguments": ["good", "20"], "profile": "fairy-stockfish"}}})";
  const std::vector<std::string> more = {"--json", "--engines", "engines.json", "--opponent",
                                         "mock",   "--policy",  "puct"};
  // Nothing is tuned yet: there is nothing to show.
  std::vector<std::string> show = more;
  show.emplace_back("--show");
  ASSERT_EQ(Experiment("E7", show), 0) << output_;
  EXPECT_EQ(json_["interrupted"], true);
  for (const Json& match : json_["matches"]) EXPECT_EQ(match["result"]["games"], 0);
  ASSERT_EQ(Experiment("E7", more), 0) << output_;
  EXPECT_EQ(json_["interrupted"], false);
  std::vector<std::string> books;
  for (const Json& match : json_["matches"]) {
    books.push_back(match["book"]);
    EXPECT_EQ(match["against"], "mock");
    EXPECT_EQ(match["result"]["b"]["book_moves_per_game"], 0);
  }
  EXPECT_THAT(
      books, ElementsAre("Type-1", "Type-2", "Type-6[4-1]", "Type-6[5-1]", "puct, from frequency"));
}

TEST_F(ExperimentTest, AFolderOfRecordsIsASource) {
  const auto base = [&] {
    return Run({"experiment", "E1", "--json", "--folder", "lab", "--source", "records"});
  };
  std::filesystem::create_directories(folder_ / "records/more");
  std::ofstream(folder_ / "records/one.usi") << "startpos moves 7g7f 3c3d\n";
  std::ofstream(folder_ / "records/more/two.usi") << "startpos moves 2g2f 8c8d\n";
  ASSERT_EQ(base(), 0) << output_;
  EXPECT_EQ(json_["moves"], 4);
  ASSERT_EQ(base(), 0) << output_;
  std::ofstream(folder_ / "records/three.usi") << "startpos moves 5g5f\n";
  EXPECT_EQ(base(), 1);
  EXPECT_EQ(json_["error"]["code"], "other_experiment") << output_;
}

// A wrong source is said, and the same folder takes the right one.
TEST_F(ExperimentTest, AWrongSourceLeavesNothingBehind) {
  std::ofstream(folder_ / "letter.txt") << "Dear Sir or Madam\n";
  const auto base = [&](const std::string& source) {
    return Run({"experiment", "E1", "--json", "--folder", "lab", "--source", source});
  };
  ASSERT_EQ(base("letter.txt"), 1) << output_;
  for (const char* const file : {"experiment.json", "base.sqlite", "base.sqlite.new"}) {
    EXPECT_FALSE(std::filesystem::exists(folder_ / (std::string("lab/") + file))) << file;
  }
  ASSERT_EQ(base("table.tsv"), 0) << output_;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "lab/experiment.json"));
  EXPECT_EQ(base("letter.txt"), 1);
  EXPECT_EQ(json_["error"]["code"], "other_experiment") << output_;
}

// A script tells an answer that is only a part from a whole one.
TEST_F(ExperimentTest, AnInterruptedExperimentSaysSo) {
  using joseki::testing::Child;
  using joseki::testing::Eventually;
  Child child({JOSEKI_BINARY_DIR "/joseki", "experiment", "E5", "--json", "--folder",
               folder_ / "lab", "--source", folder_ / "table.tsv", "--games", "2", "--nodes", "20",
               "--pairs", "1000000", "--concurrency", "1"},
              folder_ / "log");
  ASSERT_TRUE(Eventually(
      [&] { return std::filesystem::exists(folder_ / "lab/match-type-2--type-1.jsonl"); }));
  child.Signal(SIGINT);
  EXPECT_EQ(child.Wait(), 130);
  EXPECT_THAT(*ReadFile(folder_ / "log"), HasSubstr(R"("interrupted":true)"));
}

// Nothing is said of strength where the opponent broke off its games.
TEST_F(ExperimentTest, AVoidMatchIsNoResult) {
  std::ofstream(folder_ / "engines.json")
      << R"({"engines": {"mock": {"command": ")" JOSEKI_BINARY_DIR
         R"(/tests/mock_engine", "arguments": ["exit", "20"], "profile": "fairy-stockfish"}}})";
  ASSERT_EQ(Experiment("E7", {"--json", "--engines", "engines.json", "--opponent", "mock",
                              "--policy", "puct"}),
            0)
      << output_;
  ASSERT_EQ(json_["matches"].size(), 5u);
  for (const Json& match : json_["matches"]) EXPECT_EQ(match["result"]["state"], "void");
  const Json cells = json_["tables"][0]["rows"][0];
  EXPECT_THAT(cells[2].get<std::string>(),
              ::testing::MatchesRegex("void: [12] pairs? with faults"));
  EXPECT_EQ(cells[3], "");
}

TEST_F(ExperimentTest, AFolderBelongsToOneCommandAtATime) {
  ASSERT_EQ(Experiment("E1"), 0) << output_;
  const std::string lock = folder_ / "lab/experiment.lock";
  const int fd = open(lock.c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(Experiment("E2"), 1);
  EXPECT_EQ(json_["error"]["code"], "experiment_running") << output_;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "lab/type1.sqlite"));
  // A look at it makes nothing.
  EXPECT_EQ(Experiment("E2", {"--json", "--show"}), 0) << output_;
  EXPECT_EQ(json_["interrupted"], true);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "lab/type1.sqlite"));
  close(fd);
  ASSERT_EQ(Experiment("E2"), 0) << output_;
  EXPECT_EQ(json_["interrupted"], false);
}

TEST_F(ExperimentTest, WhatCannotBeDoneIsSaidAtOnce) {
  EXPECT_EQ(Run({"experiment", "E9", "--folder", "lab"}), 2);
  EXPECT_EQ(Run({"experiment", "E7", "--folder", "lab", "--source", "table.tsv"}), 2);
  EXPECT_THAT(output_, HasSubstr("--opponent"));
  EXPECT_EQ(Run({"experiment", "E1", "--json", "--folder", "lab"}), 2);
  EXPECT_EQ(json_["error"]["file"], "--source");
  ASSERT_EQ(Experiment("E1"), 0) << output_;
  EXPECT_EQ(Experiment("E1", {"--json", "--nodes", "21"}), 2);  // --nodes comes twice
  ASSERT_EQ(Run({"experiment", "E1", "--json", "--folder", "lab", "--nodes", "21"}), 1);
  EXPECT_EQ(json_["error"]["code"], "other_experiment");
}

}  // namespace
}  // namespace joseki::cli
