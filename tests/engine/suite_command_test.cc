#include "engine/suite_command.h"

#include <sstream>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::testing::HasSubstr;
constexpr char kMateInOne[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

class Suite : public ::testing::Test {
 protected:
  absl::Status Run(const std::string& text, SuiteArguments arguments = {}) {
    arguments.file = folder_ / "suite.tsv";
    EXPECT_TRUE(WriteFileAtomically(arguments.file, text).ok());
    out_.str("");
    err_.str("");
    return RunSuite(arguments, out_, err_);
  }
  nlohmann::json json() const { return nlohmann::json::parse(out_.str(), nullptr, false); }

  testing::TempFolder folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(Suite, CountsMovesToFindAndMovesToAvoid) {
  const std::string mate = kMateInOne;
  const std::string text = "sfen\tkind\tmoves\n" + mate + "\tgood\tG*5b\n" + mate +
                           "\tgood\tG*4b,G*5b\n" + mate + "\tbad\tG*5b\n" + mate + "\tbad\tG*4b\n" +
                           mate + "\tgood\t5i4i\n";
  SuiteArguments arguments;
  arguments.nodes = 500;
  arguments.json = true;
  ASSERT_TRUE(Run(text, arguments).ok());
  EXPECT_EQ(json()["positions"], 5);
  EXPECT_EQ(json()["hits"], 3);
  EXPECT_EQ(json()["results"][0]["move"], "G*5b");
  EXPECT_EQ(json()["results"][2]["hit"], false);
  EXPECT_EQ(json()["results"][3]["hit"], true);
}

TEST_F(Suite, AHitIsASuccessOnlyWithTheExpectedScore) {
  const std::string mate = kMateInOne;
  const std::string text = "sfen\tanswers\tvalue\n" + mate + "\tG*5b 5a4a|G*4b\t31900\n" + mate +
                           "\tG*5b\t0\n" + mate + "\tG*5b\t\n";
  SuiteArguments arguments;
  arguments.depth = 3;
  ASSERT_TRUE(Run(text, arguments).ok());
  EXPECT_THAT(out_.str(), HasSubstr("hits      3\nsuccesses 1 of 2\n"));
}

TEST_F(Suite, TellsGrowthShareAndWhatActed) {
  SuiteArguments arguments;
  arguments.nodes = 20000;
  arguments.json = true;
  arguments.set = {"Singular=4", "HalfPly=16"};
  ASSERT_TRUE(Run("sfen\tmoves\n"
                  "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f\n",
                  arguments)
                  .ok());
  EXPECT_GT(json()["growth"], 1.0);
  EXPECT_GT(json()["share"], 0.0);
  EXPECT_LE(json()["share"], 1.0);
  EXPECT_GT(json()["acted"]["half_ply"], 0);
}

TEST_F(Suite, TellsWhatEachMoveTookAndWhereTheSearchEnded) {
  SuiteArguments arguments;
  arguments.depth = 1;
  arguments.json = true;
  ASSERT_TRUE(Run("sfen\tmoves\n4k4/9/9/9/9/9/9/9/R3K4 b - 1\t9i9a+\n", arguments).ok());
  const auto moves = json()["results"][0]["moves"];
  ASSERT_GT(moves.size(), 10u);
  EXPECT_EQ(moves[0]["move"], json()["results"][0]["move"]);
  uint64_t sum = 0;
  for (const auto& move : moves) sum += move["nodes"].get<uint64_t>();
  EXPECT_EQ(sum, json()["results"][0]["nodes"].get<uint64_t>()) << "there is one iteration";
  const auto leaves = json()["leaves"];
  EXPECT_EQ(leaves[0], 0);
  EXPECT_GE(leaves[1], moves.size());
  EXPECT_EQ(leaves[2], 0);
}

TEST_F(Suite, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(ProblemOf(Run("sfen\tname\n")).code, "bad_header");
  const std::string mate = kMateInOne;
  ASSERT_TRUE(Run("sfen\tmoves\tkind\tvalue\n\n" + mate + "\t7g7f\tgood\t\n" + mate +
                  "\tG*5b\tugly\t\n" + mate + "\tG*5b\tgood\tmany\n" + mate + "\tG*5b\tgood\t\n")
                  .ok());
  EXPECT_THAT(out_.str(), HasSubstr("positions 1\nrejected  3\n"));
  for (const char* text : {"suite.tsv:3: ", "suite.tsv:4: bad_kind", "suite.tsv:5: bad_value"}) {
    EXPECT_THAT(err_.str(), HasSubstr(text));
  }
  SuiteArguments arguments;
  arguments.set = {"Futility=9"};
  EXPECT_EQ(ProblemOf(Run("sfen\tmoves\n", arguments)).code, "bad_option");
  for (const char* text : {"", "sfen\tmoves\n", "sfen\tmoves\nnonsense\t7g7f\n"}) {
    EXPECT_EQ(ProblemOf(Run(text)).code, "no_positions") << text;
  }
}

}  // namespace
}  // namespace joseki
