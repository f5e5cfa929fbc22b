#include "worker/play/usi/profile.h"

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

std::string Go(const char* profile, const Limits& limits) {
  const auto line = GoLine(*BuiltInProfile(profile), limits);
  return line.ok() ? *line : ProblemOf(line.status()).code;
}

TEST(Profile, AsksForALimitThatTheEngineKnows) {
  EXPECT_EQ(Go("fairy-stockfish", {.nodes = 300}), "go nodes 300");
  EXPECT_EQ(Go("fairy-stockfish", {.move_ms = 40}), "go movetime 40");
  EXPECT_EQ(Go("gpsshogi", {.move_ms = 40}), "go btime 0 wtime 0 byoyomi 40");
  EXPECT_EQ(Go("gpsshogi", {.nodes = 300}), "go btime 0 wtime 0 byoyomi 600000");
  EXPECT_EQ(Go("generic", {}), "unsupported_limit");
  EngineProfile neither = *BuiltInProfile("generic");
  neither.go_nodes = false;
  EXPECT_EQ(ProblemOf(GoLine(neither, {.nodes = 9}).status()).code, "unsupported_limit");
}

TEST(Profile, FixesNodesByCommandLine) {
  const EngineProfile& gps = *BuiltInProfile("gpsshogi");
  EXPECT_TRUE(gps.nodes_by_command_line());
  EXPECT_THAT(ArgumentsFor(gps, 1234), Contains("1234"));
  EXPECT_FALSE(BuiltInProfile("yaneuraou")->nodes_by_command_line());
  EXPECT_THAT(ArgumentsFor(*BuiltInProfile("yaneuraou"), 1234), IsEmpty());
}

TEST(Profile, KnowsItsNames) {
  EXPECT_THAT(BuiltInProfileNames(), Contains("generic"));
  EXPECT_EQ(BuiltInProfile("no-such"), nullptr);
  for (const std::string& name : BuiltInProfileNames()) {
    EXPECT_EQ(BuiltInProfile(name)->name, name);
  }
}

}  // namespace
}  // namespace joseki::worker
