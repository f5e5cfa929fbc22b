// `joseki experiment field` and `curve` as a user runs them, on the bundled openings.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/experiment_command.h"

namespace joseki::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;

// Books of the sample openings, tiny in every respect.
class FieldTest : public ExperimentCommand {
 protected:
  int Field(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "experiment",    name,
        "--folder",      "field",
        "--source",      JOSEKI_SOURCE_DIR "/deploy/samples/tacos-openings.usi",
        "--nodes",       "20",
        "--seed",        "5",
        "--max-plies",   "60",
        "--concurrency", "2",
        "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  // The matches of a book of the last answer, by column.
  Json MatchesOf(const std::string& label) const {
    Json matches;
    for (const Json& book : json_["books"]) {
      if (book["label"] != label) continue;
      for (const Json& match : book["matches"]) matches[match["column"]] = match;
    }
    return matches;
  }
};

TEST_F(FieldTest, BooksOfMethodsPlayTheSameOpponents) {
  const std::vector<std::string> field = {
      "--method", "default",  "--method", "searched", "--budget", "6",  "--column", "input",
      "--column", "bookless", "--column", "league",   "--aim",    "25", "--aim",    "bookless=-10"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), field.begin(), field.end());
    return more;
  };
  ASSERT_EQ(Field("field", with({"--books", "2", "--pairs", "3"})), 0) << output_;
  EXPECT_EQ(json_["interrupted"], false);
  EXPECT_EQ(json_["settings"]["budget"], 6);
  ASSERT_EQ(json_["books"].size(), 4u);
  EXPECT_NE(json_["books"][0]["seed"], json_["books"][1]["seed"]);
  EXPECT_THAT(output_, HasSubstr("1800 of a game in a run that searches along lines, 90 moves"));
  // Nine tenths of the default's budget are searches along lines, and are counted.
  const Json cost = json_["books"][0]["cost"];
  EXPECT_GT(cost["searches"], 0);
  EXPECT_GT(cost["seconds"], 0);
  EXPECT_GT(cost["game_equivalents"].get<double>(), cost["games"].get<double>() + 1) << cost;
  EXPECT_EQ(json_["books"][2]["cost"]["games"], 1);
  EXPECT_GT(json_["books"][2]["cost"]["searches"], 0);
  for (const Json& book : json_["books"]) {
    ASSERT_EQ(book["matches"].size(), 3u) << book;
    for (const Json& match : book["matches"]) {
      EXPECT_GT(match["pairs"], 0) << match;
      EXPECT_LE(match["elo_low"].is_null() ? -1e9 : match["elo_low"].get<double>(),
                match["by_pair_low"].is_null() ? -1e9 : match["by_pair_low"].get<double>());
    }
    EXPECT_EQ(book["matches"][1]["result"]["b"]["book_moves_per_game"], 0);
    EXPECT_GT(book["matches"][1]["result"]["a"]["book_moves_per_game"], 0);
  }
  ASSERT_EQ(json_["results"].size(), 6u);
  EXPECT_EQ(json_["results"][0]["books"], 2);
  EXPECT_EQ(json_["results"][0]["aim"], 25);
  EXPECT_EQ(json_["results"][1]["aim_bound"], -10);
  for (const Json& method : json_["methods"]) {
    EXPECT_GE(method["agreement"], 0);
    EXPECT_LE(method["agreement"], 1);
  }
  ASSERT_EQ(json_["league"].size(), 2u);
  EXPECT_NEAR(json_["league"][0]["score"].get<double>() + json_["league"][1]["score"].get<double>(),
              1, 1e-9);

  // All of it is there: the same again plays nothing and says the same, and so does a look at it.
  const Json first = json_;
  ASSERT_EQ(Field("field", with({"--books", "2", "--pairs", "3"})), 0) << output_;
  EXPECT_EQ(json_, first);
  ASSERT_EQ(Field("field", with({"--books", "2", "--show"})), 0) << output_;
  EXPECT_EQ(json_["results"], first["results"]);

  // A match that was broken off goes on, a book that is gone is made again.
  const std::string match = folder_ / "field/match-field-default-6-1--input.jsonl";
  const std::string games = *ReadFile(match);
  std::ofstream(match) << games.substr(0, games.size() / 2);
  std::filesystem::remove(folder_ / "field/field-searched-6-2.db");
  ASSERT_EQ(Field("field", with({"--books", "2", "--pairs", "3"})), 0) << output_;
  EXPECT_EQ(json_["results"], first["results"]);

  // More books and pairs build upon it.
  const Json played = MatchesOf("default 2");
  ASSERT_EQ(Field("field", with({"--books", "3", "--pairs", "4"})), 0) << output_;
  ASSERT_EQ(json_["books"].size(), 6u);
  EXPECT_EQ(json_["results"][0]["books"], 3);
  EXPECT_EQ(MatchesOf("default 2")["input"]["seed"], played["input"]["seed"]);
  EXPECT_EQ(MatchesOf("default 2")["input"]["result"]["pairs"].get<int>() +
                MatchesOf("default 2")["input"]["result"]["repeats"].get<int>(),
            4);

  // Books made elsewhere, and a table for people.
  ASSERT_EQ(Run({"experiment", "field", "--folder", "field", "--nodes", "20", "--seed", "5",
                 "--max-plies", "60", "--method", "files:field/field-default-6-?.sqlite#1",
                 "--column", "equal", "--column", "input10", "--pairs", "1"}),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("| files:field/field-default-6-?.sqlite#1 | "));
  EXPECT_THAT(output_, HasSubstr("| field-default-6-3.sqlite#1 |"));
}

TEST_F(FieldTest, GamesAreJudgedByTheirPositionsOnce) {
  const std::vector<std::string> field = {"--method", "no-search", "--budget", "6",
                                          "--books",  "2",         "--column", "input",
                                          "--column", "bookless"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), field.begin(), field.end());
    return more;
  };
  ASSERT_EQ(Field("field", with({"--pairs", "3"})), 0) << output_;
  EXPECT_FALSE(json_.contains("judged"));
  // Games that were never judged are not shown as judged.
  ASSERT_EQ(Field("field", with({"--judge", "100", "--show"})), 0) << output_;
  EXPECT_FALSE(json_.contains("judged"));
  ASSERT_EQ(Field("field", with({"--pairs", "3", "--judge", "100"})), 0) << output_;
  const Json judged = json_["judged"];
  EXPECT_EQ(judged["nodes"], 100);
  ASSERT_EQ(judged["results"].size(), 2u);
  EXPECT_EQ(judged["results"][0]["books"], 2);
  EXPECT_EQ(judged["results"][1]["column"], "bookless");
  ASSERT_EQ(judged["slopes"].size(), 2u);
  EXPECT_EQ(judged["slopes"][0]["games"],
            2 * MatchesOf("no-search 1")["input"]["pairs"].get<int>() +
                2 * MatchesOf("no-search 2")["input"]["pairs"].get<int>());
  const std::string scores = folder_ / "field/judged-field-no-search-6-1--input-100.json";
  const FileStamp written = StampOf(scores);
  ASSERT_EQ(Field("field", with({"--judge", "100", "--show"})), 0) << output_;
  EXPECT_EQ(json_["judged"], judged);
  EXPECT_EQ(StampOf(scores), written);
}

TEST_F(FieldTest, AVoidMatchIsInNoMean) {
  const std::vector<std::string> field = {"--method", "no-search", "--budget", "4",
                                          "--books",  "2",         "--column", "input",
                                          "--column", "league",    "--pairs",  "2"};
  ASSERT_EQ(Field("field", field), 0) << output_;
  EXPECT_EQ(json_["results"][0]["books"], 2);
  const auto break_off = [&](const std::string& match) {
    std::ifstream in(folder_ / match);
    std::string head;
    std::string game;
    std::getline(in, head);
    std::getline(in, game);
    Json json = Json::parse(game);
    json["result"] = "none";
    json["termination"] = "crash";
    json["at_fault"] = "a";
    json["fault"] = "gone";
    std::ofstream(folder_ / match) << head << "\n" << json.dump() << "\n";
  };
  break_off("field/match-field-no-search-4-1--input.jsonl");
  break_off("field/match-league--field-no-search-4-1--field-no-search-4-2.jsonl");
  ASSERT_EQ(Field("field", field), 0) << output_;
  EXPECT_EQ(json_["results"][0]["books"], 1);
  EXPECT_EQ(json_["results"][1]["books"], 0);
  EXPECT_EQ(MatchesOf("no-search 1")["input"]["left_out"], "void: 1 pair with faults");
  EXPECT_EQ(MatchesOf("no-search 1")["input"]["result"]["state"], "void");
  EXPECT_THAT(output_, HasSubstr("In no mean, since they say nothing of strength: no-search 1 "
                                 "against input (void: 1 pair with faults); no-search 1 against "
                                 "no-search 2 (void: 1 pair with faults)."));
  // Under --show one fault is few for all the pairs that are meant.
  std::vector<std::string> show = field;
  show.back() = "400";
  show.emplace_back("--show");
  ASSERT_EQ(Field("field", show), 0) << output_;
  EXPECT_FALSE(MatchesOf("no-search 1").contains("input"));
}

TEST_F(FieldTest, ABookOfGamesAloneCostsItsGames) {
  ASSERT_EQ(Field("field", {"--method", "no-search", "--budget", "6", "--books", "1", "--column",
                            "input", "--pairs", "1"}),
            0)
      << output_;
  ASSERT_EQ(json_["books"].size(), 1u);
  EXPECT_EQ(json_["books"][0]["cost"]["games"], 6);
  EXPECT_EQ(json_["books"][0]["cost"]["searches"], 0);
}

// More than half of the games are drawn. Each is replaced, and the stages come to their end.
TEST_F(FieldTest, StagesReplaceDrawnGames) {
  ASSERT_EQ(Run({"experiment",    "field",
                 "--folder",      "drawn",
                 "--source",      JOSEKI_SOURCE_DIR "/deploy/samples/tacos-openings.usi",
                 "--nodes",       "20",
                 "--seed",        "5",
                 "--max-plies",   "250",
                 "--concurrency", "2",
                 "--method",      "result-driven",
                 "--budget",      "20",
                 "--books",       "1",
                 "--column",      "input",
                 "--pairs",       "1",
                 "--json"}),
            0)
      << output_;
  EXPECT_GT(json_["books"][0]["cost"]["games"], 20);
}

// The folder of an experiment with stages is one of a field too, and the other way round.
TEST_F(FieldTest, AFolderIsSharedWithTheThesissExperiments) {
  const auto base = [&](const std::string& games) {
    return Run({"experiment", "E1", "--folder", "field", "--source",
                JOSEKI_SOURCE_DIR "/deploy/samples/tacos-openings.usi", "--nodes", "20", "--seed",
                "5", "--max-plies", "60", "--games", games, "--json"});
  };
  const std::vector<std::string> field = {"--method", "type7",    "--books", "1",       "--budget",
                                          "2",        "--column", "input",   "--pairs", "1"};
  ASSERT_EQ(Field("field", field), 0) << output_;
  ASSERT_EQ(base("7"), 0) << output_;
  ASSERT_EQ(base("7"), 0) << output_;
  ASSERT_EQ(base("8"), 1) << output_;
  EXPECT_EQ(json_["error"]["code"], "other_experiment");
  ASSERT_EQ(Field("field", field), 0) << output_;
}

// The league's opponents are all tuned books of the folder, whichever command made them.
TEST_F(FieldTest, TheLeagueHasEveryTunedBookOfTheFolder) {
  const auto league = [&](const std::string& method, const std::string& budget) {
    return Field("field", {"--method", method, "--budget", budget, "--books", "1", "--pairs", "4",
                           "--column", "league"});
  };
  ASSERT_EQ(league("type7", "4"), 0) << output_;
  EXPECT_TRUE(MatchesOf("type7 1").is_null()) << "nobody to play";
  ASSERT_EQ(Run({"experiment", "E4", "--folder", "field", "--games", "1", "--policy", "puct",
                 "--nodes", "20", "--seed", "5", "--max-plies", "60"}),
            0)
      << output_;

  ASSERT_EQ(league("no-search", "6"), 0) << output_;
  ASSERT_EQ(json_["books"].size(), 1u) << "the others have no rows";
  EXPECT_GT(MatchesOf("no-search 1")["league"]["pairs"], 0);
  std::vector<std::string> against;
  for (const Json& pairing : json_["league"]) {
    EXPECT_EQ(pairing["method"], "no-search");
    against.push_back(pairing["against"]);
  }
  EXPECT_THAT(against, ElementsAre("type7, 4 games", "policy-puct.sqlite", "type7.sqlite"));

  // A book is no opponent of itself, even if it is named by its file. Its match with another book
  // is listed for each of the two.
  const Json pairing = json_["league"][0];
  ASSERT_EQ(Run({"experiment",  "field", "--folder", "field",
                 "--nodes",     "20",    "--seed",   "5",
                 "--max-plies", "60",    "--method", "type7",
                 "--budget",    "4",     "--method", "files:field/field-no-search-6-1.sqlite#1",
                 "--column",    "input", "--column", "league",
                 "--books",     "1",     "--pairs",  "4",
                 "--json"}),
            0)
      << output_;
  against.clear();
  for (const Json& one : json_["league"]) against.push_back(one["against"]);
  EXPECT_THAT(against, UnorderedElementsAre("files:field/field-no-search-6-1.sqlite#1", "type7",
                                            "policy-puct.sqlite", "policy-puct.sqlite",
                                            "type7.sqlite", "type7.sqlite"));
  ASSERT_EQ(league("type7", "4"), 0) << output_;
  EXPECT_EQ(json_["league"][0]["against"], "no-search, 6 games");
  EXPECT_NEAR(json_["league"][0]["score"].get<double>() + pairing["score"].get<double>(), 1, 1e-9);
}

// The match of two books has the pairs of a whole column. When a third one comes every match counts
// by half of them, the first one too, as if the three had come together.
TEST_F(FieldTest, OpponentsOfTheLeagueWeighAlike) {
  const auto field = [&](const std::string& books, const std::string& column) {
    ASSERT_EQ(Field("field", {"--method", "no-search", "--budget", "4", "--books", books, "--pairs",
                              "40", "--column", column}),
              0)
        << output_;
  };
  field("3", "input");
  std::filesystem::copy(folder_ / "field", folder_ / "made");
  field("3", "league");
  const Json together = MatchesOf("no-search 1")["league"];
  std::filesystem::remove_all(folder_ / "field");
  std::filesystem::rename(folder_ / "made", folder_ / "field");
  const std::string third = folder_ / "field/field-no-search-4-3.sqlite";
  std::filesystem::rename(third, folder_ / "third");
  field("2", "league");
  std::filesystem::rename(folder_ / "third", third);
  field("3", "league");
  EXPECT_EQ(MatchesOf("no-search 1")["league"], together);
}

TEST_F(FieldTest, CurveShowsWhatABudgetBuys) {
  const std::vector<std::string> curve = {"--method", "type7",    "--budgets", "8,4",     "--books",
                                          "2",        "--column", "input",     "--pairs", "2"};
  ASSERT_EQ(Field("curve", curve), 0) << output_;
  ASSERT_EQ(json_["methods"].size(), 2u);
  EXPECT_EQ(json_["methods"][0]["name"], "4 games");
  EXPECT_EQ(json_["books"][0]["cost"]["games"], 4);
  EXPECT_EQ(json_["books"][2]["cost"]["games"], 8);
  ASSERT_EQ(json_["steps"].size(), 1u);
  EXPECT_EQ(json_["steps"][0]["to"], "8 games");
}

TEST_F(FieldTest, AnEngineGetsEqualTime) {
  std::ofstream(folder_ / "engines.json")
      << R"({"engines": {"mock": {"command": ")" JOSEKI_BINARY_DIR
         R"(/tests/mock_engine", "arguments": ["good", "20"], "profile": "fairy-stockfish"}}})";
  ASSERT_EQ(
      Field("field", {"--method", "type7", "--books", "1", "--budget", "4", "--column", "input",
                      "--pairs", "1", "--engines", "engines.json", "--opponent", "mock"}),
      0)
      << output_;
  ASSERT_EQ(json_["columns"].size(), 2u);
  EXPECT_EQ(json_["columns"][1]["name"], "engine:mock");
  EXPECT_GE(json_["columns"][1]["opponent_nodes"], 1);
  EXPECT_GT(json_["columns"][1]["our_ms"], 0);
}

TEST_F(FieldTest, AnEngineThatBreaksOffIsNoInterruption) {
  std::ofstream(folder_ / "engines.json")
      << R"({"engines": {"mock": {"command": ")" JOSEKI_BINARY_DIR
         R"(/tests/mock_engine", "arguments": ["exit", "20"], "profile": "fairy-stockfish"}}})";
  ASSERT_EQ(
      Field("field", {"--method", "type7", "--books", "1", "--budget", "4", "--column", "input",
                      "--pairs", "1", "--engines", "engines.json", "--opponent", "mock"}),
      1)
      << output_;
  EXPECT_EQ(json_["error"]["code"], "void_match");
  EXPECT_THAT(json_["error"]["found"].get<std::string>(), HasSubstr("the last of mock: "));
  EXPECT_THAT(output_, HasSubstr("match-time--mock-200-200.jsonl"));
}

TEST_F(FieldTest, AnotherEngineTunesAndPlaysAllBooks) {
  std::ofstream(folder_ / "engines.json")
      << R"({"engines": {"mock": {"command": ")" JOSEKI_BINARY_DIR
         R"(/tests/mock_engine", "arguments": ["good", "20"], "profile": "fairy-stockfish"}}})";
  const std::vector<std::string> field = {"--method", "no-search", "--books",  "1",
                                          "--budget", "4",         "--pairs",  "1",
                                          "--column", "input",     "--column", "bookless"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), field.begin(), field.end());
    return more;
  };
  EXPECT_EQ(Field("field", with({"--engine", "mock"})), 2) << "of which file?";
  ASSERT_EQ(Field("field", with({"--engine", "mock", "--engines", "engines.json"})), 0) << output_;
  EXPECT_EQ(json_["books"][0]["cost"]["games"], 4);
  const Json matches = MatchesOf("no-search 1");
  for (const char* column : {"input", "bookless"}) {
    // The settings of the match, in its file's first line.
    std::ifstream file(folder_ / matches[column].value("file", ""));
    std::string settings;
    ASSERT_TRUE(std::getline(file, settings)) << matches.dump();
    EXPECT_THAT(settings, HasSubstr("mock"));
    EXPECT_THAT(settings, ::testing::Not(HasSubstr("embedded")));
  }
  EXPECT_EQ(Field("field", field), 1);
  EXPECT_EQ(json_["error"]["code"], "other_experiment");
}

TEST_F(FieldTest, WhatCannotBeDoneIsBadUsage) {
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--method", "magic"},
                                             {"--method", "default", "--column", "moon"},
                                             {"--method", "default", "--column", "engine:none"},
                                             {"--method", "default", "--method", "default"},
                                             {"--method", "default", "--aim", "moon=3"},
                                             {"--method", "default", "--aim", "much"},
                                             {}}) {
    EXPECT_EQ(Field("field", bad), 2) << output_;
    EXPECT_EQ(json_["error"]["code"], "usage");
  }
  EXPECT_EQ(Field("field", {"--method", "files:nowhere/*.db"}), 1);
  EXPECT_EQ(json_["error"]["code"], "not_found");
}

}  // namespace
}  // namespace joseki::cli
