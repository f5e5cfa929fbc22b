// Runs the built engine's commands for xiangqi, as a user or a script does.

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/engine/engine_command.h"
#include "tests/support/data.h"

namespace joseki {
namespace {

using ::joseki::testing::CommandOutcome;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kStartFen[] =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

class XiangqiCommand : public testing::EngineCommand {
 protected:
  CommandOutcome Run(const std::string& command, const std::string& rest = "") {
    return RunEngine(command + " --game xiangqi " + rest);
  }
};

TEST_F(XiangqiCommand, PerftCountsAndSplits) {
  EXPECT_EQ(Run("perft", "3 --json").json()["nodes"], 79666);
  const Json split = Run("perft", "2 --split --json --threads 2").json()["moves"];
  EXPECT_EQ(split.size(), 44u);
  uint64_t sum = 0;
  for (const auto& [move, nodes] : split.items()) sum += nodes.get<uint64_t>();
  EXPECT_EQ(sum, 1920u);
  EXPECT_EQ(Run("perft", std::string("1 --json --fen '") + kStartFen + "'").json()["nodes"], 44);
}

TEST_F(XiangqiCommand, PerftComparesFilesOfItsGame) {
  const std::string rows = std::string(kStartFen) + "\t1\t44\tx\n" + kStartFen + "\t2\t1921\tx\n";
  const CommandOutcome wrong =
      Run("perft", "--json --compare " + File("fen\tdepth\tnodes\tsource\n" + rows));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.json()["error"]["code"], "perft_mismatch");
  EXPECT_EQ(wrong.json()["error"]["line"], 3);
  EXPECT_EQ(wrong.json()["error"]["expected"], "1920");
  // The king's one move.
  const std::string list = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\t";
  EXPECT_EQ(Run("perft", "--compare " + File("fen\tn\tmoves\n" + list + "1\td0d1\n")).status, 0);
  const auto fault = [&](const std::string& row) {
    return Run("perft", "--json --compare " + File("fen\tn\tmoves\n" + row)).json()["error"];
  };
  EXPECT_EQ(fault(list + "0\t\n")["found"], "d0d1 is missing");
  EXPECT_EQ(fault(list + "1\td0e0\n")["found"], "d0e0 is not legal");
  EXPECT_EQ(fault(list + "1\t7g7f\n")["expected"], "a UCCI move such as h2e2");
  EXPECT_THAT(Run("perft", "--compare " + File("sfen\tdepth\tnodes\n")).err,
              HasSubstr("a header with the columns fen"));
}

TEST_F(XiangqiCommand, PerftComparesTheSharedFile) {
  const auto path = testing::SharedData("perft/xiangqi_perft.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  const Json json = Run("perft", "2 --json --compare " + path.string()).json();
  EXPECT_GT(json["rows"], 100);
  EXPECT_EQ(json["rows"].get<int>() + json["skipped"].get<int>(), 214);
}

TEST_F(XiangqiCommand, BenchHasTheRecordedSignature) {
  std::ifstream file(testing::TestData("../engine/xiangqi/bench_signature.txt"));
  uint64_t recorded = 0;
  ASSERT_TRUE(file >> recorded);
  const CommandOutcome run = Run("bench", "--json --nodes 100 --set RepetitionRule=draw");
  EXPECT_EQ(run.json()["signature"], recorded);
  EXPECT_GT(run.json()["nodes"], 10'000);
  EXPECT_EQ(Run("bench", "--set LearnedEvaluation=0").status, 1) << "an option of shogi";
}

TEST_F(XiangqiCommand, BenchRatesKillersOverGivenPositions) {
  const std::string fen = kStartFen;
  const std::string arguments = "--json --killers --nodes 3000 --positions ";
  const Json killers =
      Run("bench", arguments + File(fen + "\r\n\n" + fen + "\n")).json()["killers"];
  ASSERT_EQ(killers["context"]["by_position"].size(), 2u);
  EXPECT_GT(killers["context"]["by_position"][0]["legal"], 0);
  EXPECT_EQ(killers["context"]["by_position"][0], killers["context"]["by_position"][1]);
  const CommandOutcome bad = Run("bench", arguments + File(fen + "\nno position\n"));
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out, HasSubstr("\"line\":2"));
  EXPECT_THAT(Run("bench", arguments + File("\n")).out, HasSubstr("no_positions"));
  EXPECT_NE(Run("bench", "--positions " + File(fen)).status, 0) << "nothing reads them";
}

TEST_F(XiangqiCommand, SuiteSolvesPositionsOfItsGame) {
  const std::string path = testing::TestData("abyss_suite.tsv").string();
  const Json json = Run("suite", path + " --nodes 2000 --json").json();
  EXPECT_EQ(json["positions"], 50);
  EXPECT_EQ(json["rejected"], 0);
  EXPECT_EQ(json["valued"], 32);
  EXPECT_GE(json["hits"], 10);
  EXPECT_LE(json["nodes"], 100'000);
  // A table of 4 KiB is soon full.
  EXPECT_NE(Run("suite", path + " --nodes 2000 --json --hash-kib 4").json()["results"],
            json["results"]);
}

TEST_F(XiangqiCommand, MateGivesTheLine) {
  const std::string mate = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
  const CommandOutcome run = Run("mate", "'" + mate + "' '" + kStartFen + "'");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("1: mate in 1, "));
  EXPECT_THAT(run.out, HasSubstr(" ms: b7b9\n2: nomate, "));
  const std::string file =
      File("fen\texpect\tplies\n" + mate + "\tno_mate_within\t1\n" + mate + "\tmate_in\t1\n");
  const Json json = Run("mate", "--json --nodes 1000 --seconds 100 --file " + file).json();
  EXPECT_EQ(json["wrong"], 1);
  EXPECT_EQ(json["results"][0]["line"], Json::array({"b7b9"}));
  EXPECT_EQ(Run("mate", "--plies 3 --cuts 1 '" + mate + "'").status, 2);
}

TEST_F(XiangqiCommand, EvalPrintsValueAndMaterial) {
  const Json json = Run("eval", "--json startpos").json();
  EXPECT_EQ(json["material"], 0);
  EXPECT_NE(json["value"], 0) << "the move is worth something";
  EXPECT_THAT(Run("eval", "'4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1'").out,
              HasSubstr("\nmaterial 1800\n"));
  EXPECT_EQ(Run("eval", "--weights x startpos").status, 2);
}

TEST_F(XiangqiCommand, CommandsOfShogiAloneRefuseXiangqi) {
  for (const char* command :
       {"transitions FILE", "learn agree FILE", "learn gather FILE --out O"}) {
    const CommandOutcome run = Run(command);
    EXPECT_EQ(run.status, 1) << command;
    EXPECT_THAT(run.err, HasSubstr("unknown_game: found 'xiangqi', expected shogi")) << command;
  }
  EXPECT_THAT(RunEngine("perft 1 --game go").err,
              HasSubstr("unknown_game: found 'go', expected shogi or xiangqi"));
}

// The program itself chooses by the first word.
TEST_F(XiangqiCommand, TheFirstWordChoosesTheGame) {
  EXPECT_THAT(RunEngine("", "ucci\nposition startpos\ngo depth 1\nquit\n").out,
              HasSubstr("option RepetitionRule"));
  EXPECT_THAT(RunEngine("", "uci\nquit\n").out, HasSubstr("\nuciok\n"));
  EXPECT_THAT(RunEngine("", "usi\nquit\n").out, HasSubstr("option name BookFile "));
}

}  // namespace
}  // namespace joseki
