#include "worker/play/usi/dialect.h"

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

std::string Go(const char* dialect, const Limits& limits) {
  const auto line = GoLine(*BuiltInDialect(dialect), limits);
  return line.ok() ? *line : ProblemOf(line.status()).code;
}

TEST(Dialect, AsksForALimitThatTheEngineKnows) {
  EXPECT_EQ(Go("fairy-stockfish", {.nodes = 300}), "go nodes 300");
  EXPECT_EQ(Go("fairy-stockfish", {.move_ms = 40}), "go movetime 40");
  EXPECT_EQ(Go("gpsshogi", {.move_ms = 40}), "go btime 0 wtime 0 byoyomi 40");
  EXPECT_EQ(Go("gpsshogi", {.nodes = 300}), "go btime 0 wtime 0 byoyomi 600000");
  EXPECT_EQ(Go("generic", {}), "unsupported_limit");
  Dialect neither = *BuiltInDialect("generic");
  neither.go_nodes = false;
  EXPECT_EQ(ProblemOf(GoLine(neither, {.nodes = 9}).status()).code, "unsupported_limit");
}

TEST(Dialect, SpeaksTheLanguageOfItsGame) {
  const Dialect& fairy = *BuiltInDialect("fairy-stockfish-xiangqi");
  EXPECT_EQ(fairy.game, "xiangqi");
  EXPECT_EQ(fairy.protocol->ok, "uciok");
  EXPECT_TRUE(fairy.ranks_from_one);
  EXPECT_EQ(Go("elephanteye", {.move_ms = 40}), "go time 40 movestogo 1");
  EXPECT_FALSE(BuiltInDialect("elephanteye")->protocol->named_options);
  EXPECT_EQ(BuiltInDialect("generic")->protocol->name, "usi");
  EXPECT_EQ(ProtocolNamed("xboard"), nullptr);
}

TEST(Dialect, FixesNodesByCommandLine) {
  const Dialect& gps = *BuiltInDialect("gpsshogi");
  EXPECT_TRUE(gps.nodes_by_command_line());
  EXPECT_THAT(ArgumentsFor(gps, 1234), Contains("1234"));
  EXPECT_FALSE(BuiltInDialect("yaneuraou")->nodes_by_command_line());
  EXPECT_THAT(ArgumentsFor(*BuiltInDialect("yaneuraou"), 1234), IsEmpty());
}

TEST(Dialect, KnowsItsNames) {
  EXPECT_THAT(BuiltInDialectNames(), Contains("generic"));
  EXPECT_EQ(BuiltInDialect("no-such"), nullptr);
  for (const std::string& name : BuiltInDialectNames()) {
    EXPECT_EQ(BuiltInDialect(name)->name, name);
  }
}

}  // namespace
}  // namespace joseki::worker
