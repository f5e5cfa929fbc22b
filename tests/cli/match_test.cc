// `joseki match` as a user runs it.

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/e2e/child.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;
using joseki::testing::Child;
using joseki::testing::Eventually;

constexpr char kJoseki[] = JOSEKI_BINARY_DIR "/joseki";

class MatchTest : public ::testing::Test {
 protected:
  int Run(const std::vector<std::string>& arguments) {
    std::string command = "cd " + folder_.path().string() + " && " + kJoseki;
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = folder_ / "out";
    const std::string err = folder_ / "err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    output_ = *ReadFile(out) + *ReadFile(err);
    json_ = Json::parse(*ReadFile(out), nullptr, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int Match(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"match", "--json", "--nodes", "20", "--max-plies", "60"});
    return Run(arguments);
  }
  void WriteEngines() {
    std::string entries;
    for (const char* const fault : {"good", "crash", "illegal", "stall", "win"}) {
      entries += std::string(entries.empty() ? "" : ",") + "\"" + fault +
                 R"(": {"command": ")" JOSEKI_BINARY_DIR R"(/tests/mock_engine", "arguments": [")" +
                 fault + R"(", "20"], "profile": "fairy-stockfish", "answer_seconds": )" +
                 (std::string(fault) == "stall" ? "1" : "60") + "}";
    }
    std::ofstream(folder_ / "engines.json") << R"({"engines": {)" << entries << "}}";
  }
  // Games of a match file by (pair, attempt, who is first).
  std::set<std::tuple<int, int, std::string>> Games(const std::string& path, size_t& lines) {
    std::set<std::tuple<int, int, std::string>> games;
    std::ifstream in(path);
    lines = 0;
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line, nullptr, false);
      if (!json.contains("pair")) continue;
      ++lines;
      games.emplace(json["pair"].get<int>(), json["attempt"].get<int>(),
                    json["first"].get<std::string>());
    }
    return games;
  }

  joseki::testing::TempFolder folder_;
  std::string output_;
  Json json_;
};

TEST_F(MatchTest, EngineAgainstEngine) {
  ASSERT_EQ(Match({"--a", "embedded", "--b", "embedded", "--pairs", "4", "--nodes-b", "10", "--set",
                   "A", "hash_mb=1", "--out", folder_ / "match.jsonl"}),
            0)
      << output_;
  EXPECT_EQ(json_["schema"], 1);
  EXPECT_EQ(json_["state"], "done");
  EXPECT_EQ(json_["pairs"].get<int>() + json_["repeats"].get<int>(), 4);
  EXPECT_EQ(json_["games"].get<int>(), 2 * json_["pairs"].get<int>());
  EXPECT_EQ(json_["wins"].get<int>() + json_["draws"].get<int>() + json_["losses"].get<int>(),
            json_["games"].get<int>());
  EXPECT_EQ(json_["faults"], 0);
  EXPECT_TRUE(json_["llr"].is_null());
  EXPECT_EQ(json_["settings"]["a"]["options"]["hash_mb"], "1");
  EXPECT_EQ(json_["settings"]["b"]["nodes"], 10);
  EXPECT_GT(json_["a"]["nodes_per_move"], json_["b"]["nodes_per_move"]);
  // The match is complete: the command prints the same result again.
  const Json score = json_["score"];
  ASSERT_EQ(Match({"--a", "embedded", "--b", "embedded", "--pairs", "4", "--nodes-b", "10", "--set",
                   "A", "hash_mb=1", "--out", folder_ / "match.jsonl"}),
            0)
      << output_;
  EXPECT_EQ(json_["score"], score);
  size_t lines = 0;
  EXPECT_EQ(Games(folder_ / "match.jsonl", lines).size(), 8u);
  EXPECT_EQ(lines, 8u);
}

// A seed names a match: another one is not that of the file, and the same is not played twice.
TEST_F(MatchTest, ASeedIsOneMatch) {
  const auto match = [&](const std::string& seed, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"--a", "embedded", "--b", "embedded", "--pairs", "2", "--seed", seed});
    return Match(more);
  };
  const auto games = [&](const std::string& file) {
    size_t lines = 0;
    Games(folder_ / file, lines);
    return lines;
  };
  ASSERT_EQ(match("7", {"--out", "match.jsonl"}), 0) << output_;
  EXPECT_EQ(match("8", {"--out", "match.jsonl"}), 1);
  EXPECT_EQ(json_["error"]["code"], "other_match");
  EXPECT_THAT(output_, HasSubstr("a match of --seed 7, not 8"));
  ASSERT_EQ(match("7", {"--out", "match.jsonl"}), 0) << output_;
  EXPECT_EQ(games("match.jsonl"), 4u);

  ASSERT_EQ(match("7"), 0) << output_;
  const std::string first = json_["out"];
  ASSERT_EQ(match("8"), 0) << output_;
  EXPECT_NE(json_["out"], first);
  ASSERT_EQ(match("7"), 0) << output_;
  EXPECT_EQ(json_["out"], first);
  EXPECT_EQ(games(first), 4u);
}

// Records never take the place of the games, and a name that cannot be written is refused before
// the first game.
TEST_F(MatchTest, RecordsHaveAPlaceOfTheirOwn) {
  const auto match = [&](const std::string& out, const std::string& records) {
    return Match({"--a", "embedded", "--b", "embedded", "--pairs", "2", "--seed", "7", "--out", out,
                  "--records", records});
  };
  ASSERT_EQ(match("match.jsonl", "one.csa"), 0) << output_;
  EXPECT_EQ(match("match.jsonl", "./match.jsonl"), 2);
  EXPECT_THAT(output_, HasSubstr("--records"));
  size_t lines = 0;
  EXPECT_EQ(Games(folder_ / "match.jsonl", lines).size(), 4u);
  EXPECT_EQ(match("new.jsonl", "gone/one.csa"), 1);
  EXPECT_THAT(output_, HasSubstr("gone/one.csa"));
  EXPECT_FALSE(ReadFile(folder_ / "new.jsonl").ok());
}

TEST_F(MatchTest, BookAgainstBook) {
  std::ofstream(folder_ / "games.usi") << "startpos moves 7g7f 3c3d 2g2f\n"
                                          "startpos moves 7g7f 8c8d 2g2f\n"
                                          "startpos moves 2g2f 8c8d 2f2e\n";
  ASSERT_EQ(Run({"import", "--book", "book.sqlite", "games.usi"}), 0) << output_;
  ASSERT_EQ(Run({"tune", "--book", "book.sqlite", "--games", "4", "--nodes", "10"}), 0) << output_;
  ASSERT_EQ(Match({"--a", "book.sqlite#1@embedded", "--b", "book.sqlite", "--pairs", "6",
                   "--choice-b", "share", "--deviation", "0.008"}),
            0)
      << output_;
  EXPECT_EQ(json_["settings"]["a"]["book"]["name"], "book.sqlite#1");
  EXPECT_EQ(json_["settings"]["b"]["book"]["play"]["choice"], "share");
  EXPECT_GT(json_["a"]["book_moves_per_game"], 0);
  // Without --out the command begins another match with other random numbers.
  const Json first = json_;
  ASSERT_EQ(Match({"--a", "book.sqlite#1@embedded", "--b", "book.sqlite", "--pairs", "6",
                   "--choice-b", "share", "--deviation", "0.008"}),
            0)
      << output_;
  EXPECT_NE(json_["out"], first["out"]);
  EXPECT_NE(json_["seed"], first["seed"]);
  // Other forms of the book, as a start too.
  for (const auto& [format, out] : std::vector<std::pair<std::string, std::string>>{
           {"yaneuraou-db", "book.db"}, {"ybb", "book.ybb"}, {"apery", "book.bin"}}) {
    ASSERT_EQ(Run({"export", "--book", "book.sqlite", "--format", format, "--out", out}), 0)
        << output_;
  }
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"book.db", "book.sqlite#1:input"},
           {"book.sqlite#frequency", "book.sqlite#1:frequency"},
           {"book.ybb@embedded", "book.bin@embedded"},
           {"book.bin", "none@embedded"},
           {"none", "book.sqlite#1"}}) {
    ASSERT_EQ(Match({"--a", a, "--b", b, "--pairs", "2", "--choice", "range", "--range", "1.5",
                     "--starts", "book.sqlite", "--start-plies", "2"}),
              0)
        << output_;
    EXPECT_EQ(json_["games"].get<int>() + 2 * json_["repeats"].get<int>(), 4);
    // After a start of two plies, a book whose lines have three plies still has a move.
    EXPECT_EQ(json_["a"]["book_moves_per_game"].get<double>() > 0, a != "none") << a << output_;
    EXPECT_EQ(json_["settings"]["b"]["book"].is_null(), b == "none@embedded") << b;
  }
  // Whatever the format, the book answers as it was exported.
  std::set<std::string> firsts;
  for (const char* const book : {"book.db", "book.ybb", "book.bin"}) {
    ASSERT_EQ(Match({"--a", book, "--b", "none", "--pairs", "1", "--out",
                     folder_ / (std::string(book) + ".jsonl")}),
              0)
        << output_;
    std::ifstream in(folder_ / (std::string(book) + ".jsonl"));
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line, nullptr, false);
      if (json.value("first", "") == "a")
        firsts.insert(json["moves"].get<std::string>().substr(0, 4));
    }
  }
  EXPECT_EQ(firsts, std::set<std::string>{"7g7f"});
}

TEST_F(MatchTest, ASequentialTestEndsTheMatch) {
  WriteEngines();
  // The mock always plays the first legal move: it loses, and needs starts that differ.
  std::ofstream starts(folder_ / "starts");
  for (const char* const first :
       {"1g1f", "2g2f", "3g3f", "4g4f", "5g5f", "6g6f", "7g7f", "8g8f", "9g9f"}) {
    for (const char* const second : {"1c1d", "3c3d", "5c5d", "9c9d"}) {
      starts << first << " " << second << "\n";
    }
  }
  starts.close();
  ASSERT_EQ(Run({"match", "--json", "--a", "embedded", "--b", "good", "--engines", "engines.json",
                 "--nodes", "100", "--sprt", "0,200", "--starts", "starts", "--concurrency", "2"}),
            0)
      << output_;
  EXPECT_EQ(json_["state"], "accepted") << output_;
  EXPECT_GE(json_["llr"], 2.94);
  EXPECT_GT(json_["elo_low"], 0);
  ASSERT_EQ(Run({"match", "--a", "good", "--b", "embedded", "--engines", "engines.json", "--nodes",
                 "100", "--sprt", "0,200", "--starts", "starts", "--elo-model", "normalised"}),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("rejects"));
  EXPECT_THAT(output_, HasSubstr("'Mock 1'"));
}

TEST_F(MatchTest, FaultyEnginesVoidTheSeries) {
  WriteEngines();
  for (const auto& [fault, termination] :
       std::vector<std::pair<std::string, std::string>>{{"crash", "crash"},
                                                        {"illegal", "illegal_move"},
                                                        {"stall", "stall"},
                                                        {"win", "illegal_move"}}) {
    ASSERT_EQ(Match({"--a", "embedded", "--b", fault, "--engines", "engines.json", "--pairs", "3",
                     "--concurrency", "1"}),
              1)
        << output_;
    EXPECT_EQ(json_["state"], "void") << fault;
    EXPECT_EQ(json_["faults"], 1) << fault;
    EXPECT_EQ(json_["b"]["faults"][termination], 1) << output_;
    EXPECT_NE(json_["b"]["last_fault"], "") << output_;
    EXPECT_EQ(json_["a"]["last_fault"], "");
    EXPECT_EQ(json_["games"], 0) << fault;
    EXPECT_THAT(json_["verdict"].get<std::string>(), HasSubstr("void"));
  }
}

TEST_F(MatchTest, AKilledMatchGoesOnWithNoGameTwice) {
  const std::string path = folder_ / "match.jsonl";
  const std::vector<std::string> arguments = {
      kJoseki,   "match",         "--json",    "--a",   "embedded",    "--b", "embedded",
      "--nodes", "240",           "--nodes-b", "200",   "--max-plies", "120", "--pairs",
      "60",      "--concurrency", "2",         "--out", path};
  size_t lines = 0;
  size_t before = 0;
  // A machine that stalls may let a life play to the end.
  for (int kill = 0; kill < 3 && before < 120; ++kill) {
    Child match(arguments, folder_ / "log");
    const bool more = Eventually([&] { return Games(path, lines).size() > before; });
    match.Signal(SIGKILL);
    match.Wait();
    ASSERT_TRUE(more) << *ReadFile(folder_ / "log");
    before = Games(path, lines).size();
  }
  ASSERT_EQ(Run({arguments.begin() + 1, arguments.end()}), 0) << output_;
  EXPECT_EQ(json_["state"], "done");
  EXPECT_EQ(Games(path, lines).size(), 120u);
  EXPECT_EQ(lines, 120u);
  EXPECT_EQ(json_["pairs"].get<int>() + json_["repeats"].get<int>(), 60);
}

TEST_F(MatchTest, AnInterruptedMatchSaysHowFarItIs) {
  const std::string path = folder_ / "match.jsonl";
  Child match({kJoseki, "match", "--json", "--a", "embedded", "--b", "embedded", "--nodes", "50",
               "--pairs", "1000000", "--concurrency", "1", "--out", path},
              folder_ / "log");
  size_t lines = 0;
  ASSERT_TRUE(Eventually([&] { return Games(path, lines).size() >= 2; }));
  match.Signal(SIGINT);
  EXPECT_EQ(match.Wait(), 130);
  EXPECT_THAT(*ReadFile(folder_ / "log"), HasSubstr(R"("interrupted":true)"));
}

// After a run its book is tested. The conclusion is printed, and the report repeats it from the
// same games.
TEST_F(MatchTest, ATunedBookIsProved) {
  std::ofstream(folder_ / "games.usi") << "startpos moves 7g7f 3c3d 2g2f\n"
                                          "startpos moves 7g7f 8c8d 2g2f\n"
                                          "startpos moves 2g2f 8c8d 2f2e\n";
  ASSERT_EQ(Run({"import", "--book", "book.sqlite", "games.usi"}), 0) << output_;
  ASSERT_EQ(Run({"tune", "--json", "--book", "book.sqlite", "--games", "350", "--nodes", "10",
                 "--max-plies", "60", "--proof", "1000", "--verify-nodes", "20", "--no-search"}),
            0)
      << output_;
  const Json proof = json_["proof"];
  ASSERT_EQ(proof["matches"].size(), 6u) << output_;
  EXPECT_EQ(proof["matches"][1]["opponent"], "the engine without a book");
  EXPECT_EQ(proof["matches"][1]["result"]["b"]["book_moves_per_game"], 0);
  EXPECT_GE(proof["budget_games"], 3500);
  EXPECT_EQ(proof["too_few"], false);
  uint64_t spent = 0;
  for (const Json& match : proof["matches"]) {
    const uint64_t cost = match["nodes"].get<uint64_t>() / 10;
    EXPECT_TRUE(cost == 1 || cost == 2) << match;
    const Json& result = match["result"];
    spent += 2 * cost * (result["pairs"].get<uint64_t>() + result["repeats"].get<uint64_t>());
    if (match["same_answers"] == false) {
      EXPECT_EQ(match["left_out"], false) << match;
      EXPECT_NE(result["state"], "playing") << match;
      EXPECT_EQ(result["sprt"]["elo1"], 20) << match;
      EXPECT_LE(match["smallest_gain"], 50) << match;
    }
  }
  EXPECT_GT(spent, 0u);
  EXPECT_LE(spent, proof["budget_games"].get<uint64_t>());
  EXPECT_THAT(proof["verdict"].get<std::string>(), HasSubstr("roven"));

  ASSERT_EQ(
      Run({"report", "--json", "--book", "book.sqlite", "--proof", "1000", "--verify-nodes", "20"}),
      0)
      << output_;
  EXPECT_EQ(json_["run"], 1);
  EXPECT_GE(json_["games"], 350);
  EXPECT_GT(json_["positions_played"], 0);
  ASSERT_EQ(json_["proof"]["matches"].size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(json_["proof"]["matches"][i]["result"]["score"],
              proof["matches"][i]["result"]["score"]);
  }
  // Its proof stays where the book gets another name, and whatever comes into it afterwards.
  const auto proofs_now = [&] {
    const auto files = std::filesystem::directory_iterator(folder_ / "book.sqlite.logs");
    return std::count_if(begin(files), end(files), [](const auto& file) {
      return file.path().filename().string().starts_with("proof-");
    });
  };
  const auto proofs_before = proofs_now();
  std::ofstream(folder_ / "later.usi") << "startpos moves 2g2f 8c8d 2f2e 8d8e\n";
  ASSERT_EQ(Run({"import", "--book", "book.sqlite", "later.usi"}), 0) << output_;
  ASSERT_EQ(Run({"report", "--json", "--book", "./book.sqlite", "--proof", "1000", "--verify-nodes",
                 "20"}),
            0)
      << output_;
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(json_["proof"]["matches"][i]["result"]["score"],
              proof["matches"][i]["result"]["score"]);
  }
  EXPECT_EQ(proofs_now(), proofs_before);
  // The run made no searches and has one proof of each kind: there is nothing to follow.
  EXPECT_TRUE(json_["line_searches"].is_null());
  const Json proofs = json_["proofs"];
  EXPECT_TRUE(std::any_of(proofs.begin(), proofs.end(),
                          [](const Json& match) { return match["opponent"] == "input"; }));
  ASSERT_EQ(Run({"report", "--book", "book.sqlite", "--proof", "0", "--html", "one.html"}), 0)
      << output_;
  EXPECT_THAT(output_, StartsWith("Run 1"));
  EXPECT_THAT(output_, Not(HasSubstr("spent on")));
  EXPECT_THAT(output_, Not(HasSubstr("from proof to proof")));
  EXPECT_THAT(*ReadFile(folder_ / "one.html"), Not(HasSubstr("from proof to proof")));
  EXPECT_THAT(output_, HasSubstr("joseki run create --coordinator HOST:PORT --games 350 --nodes 10 "
                                 "--max-plies 60 --no-search\n"));
  // An earlier book of the run was proved, too.
  std::string of_input;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "book.sqlite.logs")) {
    if (file.path().string().ends_with("-input-10.jsonl")) of_input = file.path();
  }
  ASSERT_FALSE(of_input.empty());
  std::filesystem::copy_file(of_input,
                             folder_ / "book.sqlite.logs/proof-1-00000000-input-10.jsonl");
  ASSERT_EQ(Run({"report", "--book", "book.sqlite", "--proof", "0", "--html", "two.html"}), 0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("against the input book at 10 nodes, from proof to proof: "));
  EXPECT_THAT(*ReadFile(folder_ / "two.html"), HasSubstr("Proven gain, from proof to proof"));
  // The conclusion comes first, and once.
  ASSERT_EQ(Run({"report", "--book", "book.sqlite", "--proof", "1"}), 0) << output_;
  EXPECT_THAT(output_, StartsWith("Too few games to prove anything: 1 % of this run's 350 are 4"));
  ASSERT_EQ(Run({"report", "--json", "--book", "book.sqlite", "--proof", "85"}), 0) << output_;
  ASSERT_EQ(json_["proof"]["matches"].size(), 6u);
  EXPECT_EQ(json_["proof"]["matches"][0]["left_out"], false);
  EXPECT_EQ(json_["proof"]["matches"][3]["left_out"], true) << "ten times the limit";
  EXPECT_EQ(json_["proof"]["matches"][3]["result"]["games"], 0);
  EXPECT_EQ(Run({"report", "--json", "--book", "book.sqlite", "--run", "7"}), 1);
  EXPECT_EQ(json_["error"]["code"], "unknown_run");
}

// Against another book with another engine only our moves are learnt, and the games show it.
TEST_F(MatchTest, ABookIsTunedAgainstAnOpponent) {
  WriteEngines();
  std::ofstream(folder_ / "games.usi") << "startpos moves 7g7f 3c3d 2g2f 8c8d\n"
                                          "startpos moves 7g7f 8c8d 2g2f\n"
                                          "startpos moves 2g2f 8c8d 2f2e\n";
  ASSERT_EQ(Run({"import", "--book", "book.sqlite", "games.usi"}), 0) << output_;
  ASSERT_EQ(Run({"export", "--book", "book.sqlite", "--format", "apery", "--out", "book.bin"}), 0);
  const std::vector<std::string> tune = {"tune",    "--json", "--book",      "book.sqlite",
                                         "--games", "180",    "--policy",    "graph-puct",
                                         "--nodes", "10",     "--max-plies", "60",
                                         "--proof", "0",      "--engines",   "engines.json"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = tune;
    all.insert(all.end(), more.begin(), more.end());
    return Run(all);
  };
  ASSERT_EQ(with({"--opponent", "book.bin@good", "--side", "white", "--opponent-choice", "share"}),
            0)
      << output_;
  EXPECT_EQ(json_["games"], 180) << output_;
  ASSERT_EQ(with({"--opponent", "none@good", "--seed", "9"}), 0) << output_;
  EXPECT_EQ(json_["run"], 2) << output_;
  ASSERT_EQ(Run({"audit", "--json", "--book", "book.sqlite"}), 0) << output_;
  EXPECT_EQ(json_["games"], 360) << output_;
  EXPECT_EQ(json_["mismatches"], 0) << output_;
  ASSERT_EQ(Run({"export", "--book", "book.sqlite", "--run", "1", "--format", "json", "--out",
                 "run1.json"}),
            0)
      << output_;
  const Json book = Json::parse(*ReadFile(folder_ / "run1.json"));
  int64_t games[2] = {0, 0};
  for (const Json& position : book["positions"]) {
    const auto sfen = position["position"].get<std::string>();
    for (const Json& move : position["moves"]) {
      games[sfen.find(" w ") != std::string::npos] += move["n"].get<int64_t>();
    }
  }
  EXPECT_EQ(games[0], 0) << book;
  EXPECT_GT(games[1], 0) << book;
  // Its proof is against the opponent too: by the tuned book, and by what it was made of.
  ASSERT_EQ(Run({"report", "--json", "--book", "book.sqlite", "--run", "1", "--proof", "1000",
                 "--verify-nodes", "10", "--engines", "engines.json"}),
            0)
      << output_;
  const Json& proof = json_["proof"];
  ASSERT_EQ(proof["matches"].size(), 5u) << output_;
  for (const size_t i : {1, 2}) {
    EXPECT_EQ(proof["matches"][i]["measures"], true) << output_;
    EXPECT_GT(proof["matches"][i]["result"]["pairs"], 0) << output_;
  }
  EXPECT_EQ(proof["matches"][0]["measures"], false);
  EXPECT_TRUE(proof.contains("gain_against_opponent"));
  // The opponent's book that the report's command names is the one that the run had.
  const Json opponent = json_["specification"]["play"]["opponent"];
  ASSERT_EQ(Run({"report", "--book", "book.sqlite", "--run", "1", "--proof", "0", "--engines",
                 "engines.json"}),
            0);
  EXPECT_THAT(output_, HasSubstr("--opponent book.sqlite#1:opponent@good --side white "
                                 "--opponent-choice share"));
  ASSERT_EQ(with({"--opponent", "book.sqlite#1:opponent@good", "--side", "white",
                  "--opponent-choice", "share", "--seed", "3"}),
            0)
      << output_;
  ASSERT_EQ(Run({"report", "--json", "--book", "book.sqlite", "--proof", "0"}), 0) << output_;
  EXPECT_EQ(json_["run"], 3);
  EXPECT_EQ(json_["specification"]["play"]["opponent"], opponent);
  // Each impossible combination gives one clear error.
  for (const auto& [more, word] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--opponent", "gone.db@good"}, "--opponent"},
           {{"--opponent", "book.bin@nobody"}, "nobody"},
           {{"--opponent", "engines.json@good"}, "engines.json"}}) {
    EXPECT_EQ(with(more), 2) << word;
    ASSERT_TRUE(json_.contains("error")) << word << output_;
    EXPECT_THAT(json_["error"]["message"].get<std::string>(), HasSubstr(word));
  }
}

TEST_F(MatchTest, BadUseIsOneClearError) {
  std::ofstream(folder_ / "bad.usi") << "7g7f\n7g7e\n";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--a", "embedded", "--b", "embedded"}, "--pairs"},
      {{"--a", "nobody", "--b", "embedded", "--pairs", "1"}, "--a"},
      {{"--a", "embedded", "--b", "nobody@embedded", "--pairs", "1"}, "nobody"},
      {{"--a", "embedded", "--b", "embedded", "--sprt", "5,0"}, "--sprt"},
      {{"--a", "embedded", "--b", "embedded", "--sprt", "0,1e9"}, "--sprt"},
      {{"--a", "embedded", "--b", "embedded", "--pairs", "1", "--set", "C", "x=1"}, "--set"},
      {{"--a", "embedded", "--b", "embedded", "--pairs", "1", "--set", "A", "x"}, "--set"},
      {{"--a", "embedded", "--b", "embedded", "--pairs", "1", "--set", "B", "x=1"}, "x"},
      {{"--a", "embedded", "--b", "embedded", "--pairs", "1", "--starts", "bad.usi"}, "bad.usi:2"},
      {{"--a", "embedded", "--b", "embedded", "--pairs", "1", "--starts", "gone"}, "gone"},
      {{"--a", "bad.usi#3", "--b", "embedded", "--pairs", "1"}, "bad.usi"},
      {{"--a", "bad.usi", "--b", "none", "--pairs", "1"}, "bad.usi"},
      {{"--a", "none@nobody", "--b", "none", "--pairs", "1"}, "none@nobody"},
      {{"--a", "bad.usi@nobody", "--b", "none", "--pairs", "1"}, "'nobody' is no engine"},
      {{"--a", "bad.usi#1:inputs", "--b", "none", "--pairs", "1"}, "'#1:inputs' is no part of a"},
  };
  for (const auto& [arguments, word] : cases) {
    // A missing file is not a usage error.
    EXPECT_EQ(Match(arguments), word == "nobody" || word == "gone" ? 1 : 2) << word;
    ASSERT_TRUE(json_.contains("error")) << word << output_;
    EXPECT_THAT(json_["error"]["message"].get<std::string>(), HasSubstr(word));
  }
}

}  // namespace
}  // namespace joseki::cli
