// A real match whose result is known beforehand.

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

TEST(MatchStrengthTest, EightTimesTheNodesWin) {
  const joseki::testing::TempFolder folder;
  const std::string command =
      JOSEKI_BINARY_DIR
      "/joseki match --json --a embedded --b embedded --nodes-a 400 --nodes-b 50 --pairs 200 "
      "--sprt 0,50 --seed 1 --concurrency 2 --out " +
      (folder / "match.jsonl") + " >" + (folder / "out");
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const auto json = nlohmann::json::parse(*ReadFile(folder / "out"));
  EXPECT_EQ(json["state"], "accepted") << json;
  // The mean itself is unbounded where every pair is won.
  EXPECT_GT(json["elo_low"], 100);
  EXPECT_EQ(json["faults"], 0);
}

}  // namespace
}  // namespace joseki::cli
