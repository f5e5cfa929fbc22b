// Runs the built engine's mate command as a user or a script does.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/engine/engine_command.h"

namespace joseki {
namespace {

using ::joseki::testing::CommandOutcome;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kMate[] = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
constexpr char kNoMate[] = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
constexpr char kLong[] = "9/9/9/9/4k4/9/9/9/4K4 b 2R2B4g4s4n4l18p 1";

class MateCommand : public testing::EngineCommand {
 protected:
  CommandOutcome Run(const std::string& arguments, const std::string& input = "") {
    return RunEngine("mate " + arguments, input);
  }
  static std::string Quoted(const std::string& sfen) { return "'" + sfen + "'"; }
};

TEST_F(MateCommand, AnswersArguments) {
  const CommandOutcome run = Run(Quoted(kMate) + " " + Quoted(kNoMate));
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("1: mate in 1, "));
  EXPECT_THAT(run.out, HasSubstr(" ms: G*5b\n2: nomate, "));
  EXPECT_THAT(run.out, HasSubstr("\nsolved    1\ndisproved 1\nunknown   0\nwrong     0\n"));
}

TEST_F(MateCommand, AnswersStandardInputAsOneObject) {
  const CommandOutcome run =
      Run("--json --nodes 100 --hash 1", std::string(kMate) + "\n\n" + kLong + "\r\n");
  EXPECT_EQ(run.status, 0);
  const Json json = run.json();
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["positions"], 2);
  EXPECT_EQ(json["solved"], 1);
  EXPECT_EQ(json["disproved"], 0);
  EXPECT_EQ(json["unknown"], 1);
  EXPECT_EQ(json["wrong"], 0);
  EXPECT_EQ(json["results"][0]["verdict"], "mate");
  EXPECT_EQ(json["results"][0]["plies"], 1);
  EXPECT_EQ(json["results"][0]["line"], Json::array({"G*5b"}));
  EXPECT_EQ(json["results"][1]["verdict"], "unknown");
  EXPECT_EQ(json["results"][1]["nodes"], 100);
  EXPECT_EQ(json["results"][1]["line_number"], 3);
  EXPECT_EQ(json["nodes"].get<int>(), json["results"][0]["nodes"].get<int>() + 100);
  EXPECT_GT(json["seconds"], 0);
}

TEST_F(MateCommand, CountsWhatContradictsTheFile) {
  const std::string file = File(std::string("sfen\texpect\tplies\n") + kMate + "\tmate_in\t1\n" +
                                kMate + "\tno_mate_within\t3\n" + kNoMate + "\tmate_in\t3\n" +
                                kNoMate + "\tno_mate_within\t5\n");
  const Json json = Run("--json --file " + file).json();
  EXPECT_EQ(json["positions"], 4);
  EXPECT_EQ(json["wrong"], 2);
  EXPECT_EQ(json["results"][1]["wrong"], true);
  EXPECT_EQ(json["results"][2]["wrong"], true);
  EXPECT_THAT(Run("--file " + file).out, HasSubstr(", WRONG"));
}

// Less than a millisecond is a limit as well. Without one this problem has a mate of 35 plies.
TEST_F(MateCommand, KeepsToTheLeastTime) {
  const std::string hard = "4k4/9/9/9/9/9/9/9/4K4 b RB2N 1";
  EXPECT_THAT(Run("--seconds 0.0005 " + Quoted(hard)).out, HasSubstr("unknown   1\n"));
}

TEST_F(MateCommand, RefusesBadInputBeforeItSearches) {
  const CommandOutcome bad = Run("", std::string(kMate) + "\nnonsense\n");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_THAT(bad.err, HasSubstr("standard input:2: "));
  const std::string file = File(std::string("sfen\texpect\tplies\n") + kMate + "\tmaybe\t1\n");
  const Json error = Run("--json --file " + file).json()["error"];
  EXPECT_EQ(error["code"], "bad_expectation");
  EXPECT_EQ(error["line"], 2);
  EXPECT_EQ(Run("--file " + (folder_ / "nowhere")).status, 1);
  EXPECT_EQ(Run("--hash 0").status, 2);
  EXPECT_EQ(Run("--nodes -5").status, 2);
  EXPECT_EQ(Run("--file x " + Quoted(kMate)).status, 2);
}

}  // namespace
}  // namespace joseki
