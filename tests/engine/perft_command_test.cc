// Runs the built engine's perft command as a user or a script does.

#include <string>

#include "engine/core/isa.h"
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

class PerftCommand : public testing::EngineCommand {
 protected:
  CommandOutcome Run(const std::string& arguments, const std::string& environment = "") {
    return RunEngine("perft " + arguments, /*input=*/"", environment);
  }
  // The error object of a failed command.
  Json Error(const CommandOutcome& run) { return run.json().value("error", Json::object()); }
};

constexpr char kStart[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
constexpr char kHeader[] = "sfen\tdepth\tnodes\n";

TEST_F(PerftCommand, Counts) {
  const CommandOutcome run = Run("3 --json");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.json()["nodes"], 25470);
  EXPECT_EQ(run.json()["schema"], 1);
  EXPECT_GT(run.json()["nps"], 0);
  EXPECT_THAT(Run("0").out, StartsWith("nodes     1\n"));
}

TEST_F(PerftCommand, SplitsByMoveAndTheSumIsTheWhole) {
  const Json split = Run("3 --split --json").json();
  uint64_t sum = 0;
  for (const auto& [move, nodes] : split["moves"].items()) sum += nodes.get<uint64_t>();
  EXPECT_EQ(split["moves"].size(), 30u);
  EXPECT_EQ(sum, 25470u);
  EXPECT_EQ(split["moves"]["7g7f"], 1110);  // by an independent generator
  EXPECT_THAT(Run("1 --split").out, HasSubstr("7g7f: 1\n"));
}

TEST_F(PerftCommand, ThreadsChangeNothingButTheTime) {
  for (const char* threads : {"1", "2", "5", "64"}) {
    EXPECT_EQ(Run(std::string("4 --json --threads ") + threads).json()["nodes"], 719731) << threads;
  }
  Json one = Run("3 --split --json").json();
  Json many = Run("3 --split --json --threads 7").json();
  EXPECT_EQ(one["moves"], many["moves"]);
  EXPECT_EQ(Run("4 --threads 0").status, 2);
  EXPECT_EQ(Run("4 --threads many").status, 2);
}

TEST_F(PerftCommand, ComparesAWholeFile) {
  const std::string path = testing::TestData("perft/shogi_perft.tsv").string();
  const Json all = Run("3 --json --threads 2 --compare " + path).json();
  EXPECT_GT(all["rows"], 5);
  EXPECT_GT(all["skipped"], 0) << "rows deeper than DEPTH";
  EXPECT_GT(all["nodes"], 25470);
}

TEST_F(PerftCommand, NamesTheRowThatDiffers) {
  const std::string path = File(std::string(kHeader) + kStart + "\t1\t30\n" + kStart +
                                "\t2\t901\n" + kStart + "\t3\t1\n");
  const CommandOutcome run = Run("--compare " + path);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.out, HasSubstr("rows.tsv:3: perft_mismatch"));
  EXPECT_THAT(run.out, HasSubstr("rows.tsv:4: perft_mismatch"));
  EXPECT_THAT(run.out, HasSubstr("2 rows differ"));
  const Json error = Error(Run("--json --compare " + path));
  EXPECT_EQ(error["code"], "perft_mismatch");
  EXPECT_EQ(error["line"], 3);
  EXPECT_EQ(error["expected"], "900");
}

TEST_F(PerftCommand, ComparesListsByTheirConvention) {
  // The pawn's promotion is listed, its pointless non-promotion is not.
  const std::string sfen = "4k4/9/9/4P4/9/9/9/9/K8 b - 1";
  const std::string legal = "5d5c+ 9i9h 9i8h 9i8i";
  EXPECT_EQ(Run("--compare " + File("sfen\tn\tmoves\n" + sfen + "\t4\t" + legal + "\n")).status, 0);
  auto fault = [&](const std::string& row, const std::string& flags) {
    return Error(Run("--json " + flags + "--compare " + File("sfen\tn\tmoves\n" + row + "\n")));
  };
  EXPECT_EQ(fault(sfen + "\t3\t5d5c+ 9i9h 9i8h", "")["found"], "9i8i is missing");
  EXPECT_EQ(fault(sfen + "\t1\t5d5e", "")["found"], "5d5e is not legal");
  EXPECT_EQ(fault(sfen + "\t1\t9i9h", "--checks ")["found"], "9i9h gives no check");
  const std::string near = "4k4/9/9/4G4/9/9/9/9/K8 b - 1";
  EXPECT_EQ(fault(near + "\t1\t5d4c", "--checks ")["found"], "5d4c gives no check");
}

TEST_F(PerftCommand, RefusesFilesThatItCannotRead) {
  auto error = [&](const std::string& text) {
    return Error(Run("--json --compare " + File(text)));
  };
  EXPECT_EQ(Error(Run("--json --compare " + folder_ / "none"))["code"], "file_error");
  EXPECT_EQ(error("")["line"], 1);
  EXPECT_EQ(error("fen\tdepth\tnodes\nx\t1\t1\n")["line"], 1) << "another game";
  EXPECT_EQ(error(kHeader)["code"], "bad_perft_file") << "no row";
  const std::string row = std::string(kHeader) + kStart;
  EXPECT_EQ(error(row + "\t1\n")["line"], 2);
  EXPECT_EQ(error(row + "\t1\t30\n" + kStart + "\t1\tmany\n")["line"], 3);
  EXPECT_EQ(error(row + "\t-1\t30\n")["code"], "bad_perft_file");
  EXPECT_EQ(error(row + "\t99\t30\n")["code"], "bad_perft_file");
  EXPECT_EQ(error(row + "\t1\t99999999999999999999999\n")["code"], "bad_perft_file");
  EXPECT_EQ(error(std::string(kHeader) + "9/9/9/9/9/9/9/9/9 b - 1\t1\t1\n")["code"], "no_king");
  const std::string list = std::string("sfen\tn\tmoves\n") + kStart;
  EXPECT_EQ(error(list + "\t2\t7g7f\n")["code"], "bad_perft_file");
  EXPECT_EQ(error(list + "\t1\t7g\n")["code"], "bad_perft_file");
}

TEST_F(PerftCommand, EveryPathOfTheProcessorGivesTheSame) {
  if (BestIsa() < Isa::kAvx2) GTEST_SKIP() << "this processor has no AVX2";
  // Many drops: what AVX2 is used for.
  const std::string command =
      "2 --split --json --sfen "
      "'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'";
  const Json moves = Run(command, "JOSEKI_ISA=avx2").json()["moves"];
  EXPECT_EQ(moves.size(), 207u);
  EXPECT_EQ(Run(command, "JOSEKI_ISA=x86-64-v2").json()["moves"], moves);
  EXPECT_EQ(Run(command).json()["moves"], moves);
}

TEST_F(PerftCommand, RefusesAPathThatThereIsNot) {
  const CommandOutcome run = Run("1 --json", "JOSEKI_ISA=sse9");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(Error(run)["code"], "bad_isa");
  EXPECT_EQ(Error(run)["file"], "JOSEKI_ISA");
}

TEST_F(PerftCommand, NeedsADepthOrAFile) {
  EXPECT_EQ(Run("").status, 2);
  EXPECT_EQ(Run("21").status, 2);
  const CommandOutcome broken = Run("2 --sfen nonsense");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.err, HasSubstr("bad_board"));
}

// The rows of the data set that stands beside a checkout, to depth 2; the deep ones are slow.
TEST_F(PerftCommand, ComparesTheSharedFiles) {
  const auto path = testing::SharedData("perft");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  EXPECT_EQ(Run("2 --json --compare " + (path / "shogi_perft.tsv").string()).json()["rows"], 285);
  EXPECT_EQ(
      Run("--json --compare " + (path / "shogi_legal_move_lists.tsv").string()).json()["rows"],
      2486);
  EXPECT_EQ(Run("--json --checks --compare " + (path / "shogi_check_move_lists.tsv").string())
                .json()["rows"],
            2512);
  const CommandOutcome other = Run("--compare " + (path / "xiangqi_perft.tsv").string());
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("a header with the columns sfen"));
}

}  // namespace
}  // namespace joseki
