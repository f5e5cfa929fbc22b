#include "coordinator/scheduling/session_table.h"

#include "coordinator/scheduling/rate_meter.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

Session SessionOf(SessionId id, const std::string& worker) {
  Session session;
  session.id = id;
  session.worker = worker;
  session.seen = absl::FromUnixSeconds(static_cast<int64_t>(id));
  return session;
}

TEST(SessionTable, FencesTheEarlierSessionOfAWorker) {
  SessionTable table;
  EXPECT_TRUE(table.Open(SessionOf(1, "a")));
  EXPECT_TRUE(table.Open(SessionOf(2, "b")));
  EXPECT_TRUE(table.Open(SessionOf(3, "a")));
  EXPECT_EQ(table.Find(1), nullptr);
  EXPECT_NE(table.Find(2), nullptr);
  ASSERT_NE(table.Find(3), nullptr);
  // Commits may be reordered: an older session does not displace a newer one.
  EXPECT_FALSE(table.Open(SessionOf(1, "a")));
  EXPECT_EQ(table.Find(1), nullptr);
  EXPECT_NE(table.Find(3), nullptr);
}

TEST(SessionTable, ForgetsWhoLeft) {
  SessionTable table;
  table.Open(SessionOf(1, "a"));
  table.Open(SessionOf(2, "b"));
  table.Open(SessionOf(3, "c"));
  table.Close(2);
  table.Close(2);
  EXPECT_EQ(table.Find(2), nullptr);
  EXPECT_NE(table.Find(3), nullptr);
  EXPECT_TRUE(table.Open(SessionOf(4, "b")));
}

TEST(Session, ServesTheRunsOfItsEngines) {
  Session session = SessionOf(1, "a");
  session.engines = {{"embedded", "", 7, "", ""}, {"other", "", 0, "", ""}};
  RunSpec spec;
  PlaySpec& play = spec.play;
  play.engine_id = "embedded";
  play.engine_signature = 7;
  EXPECT_TRUE(session.Serves(spec));
  play.engine_signature = 8;
  EXPECT_FALSE(session.Serves(spec));
  play.engine_signature = 0;
  EXPECT_TRUE(session.Serves(spec)) << "a run without a signature takes any engine of that name";
  play.engine_id = "third";
  EXPECT_FALSE(session.Serves(spec));
}

TEST(Session, ServesOnlyWhatItHasAllThatIsRequiredFor) {
  Session session = SessionOf(1, "a");
  session.engines = {{"embedded", "", 0, "", ""}};
  session.labels = {{"gpu", "no"}, {"room", "b"}};
  session.memory_mb = 2048;
  session.cores = 2;
  struct Case {
    std::string lacks;  // empty: serves
    Requirements requirements;
  };
  const std::vector<Case> cases = {
      {"", {}},
      {"", {.labels = {{"room", "b"}}, .memory_mb = 2048, .cores = 2}},
      {"label gpu=yes", {.labels = {{"gpu", "yes"}}}},
      {"label os=linux", {.labels = {{"os", "linux"}, {"room", "b"}}}},
      {"2049 MB for each slot", {.memory_mb = 2049}},
      {"3 cores for each slot", {.cores = 3}},
  };
  for (const Case& test : cases) {
    RunSpec spec;
    spec.requirements = test.requirements;
    EXPECT_EQ(session.Lacks(test.requirements), test.lacks);
    EXPECT_EQ(session.Serves(spec), test.lacks.empty()) << test.lacks;
  }
  Session untold = SessionOf(2, "b");
  untold.engines = session.engines;
  RunSpec spec;
  EXPECT_TRUE(untold.Serves(spec));
  spec.requirements.memory_mb = 1;
  EXPECT_FALSE(untold.Serves(spec)) << "who does not say may have nothing";
}

TEST(RateMeter, CountsTheLastMinute) {
  RateMeter rate;
  const absl::Time start = absl::FromUnixSeconds(100'000);
  EXPECT_EQ(rate.PerSecond(start), 0);
  rate.Add(start, 10);
  EXPECT_EQ(rate.PerSecond(start), 10);
  EXPECT_EQ(rate.PerSecond(start + absl::Seconds(9)), 1);
  rate.Add(start + absl::Seconds(59), 50);
  EXPECT_EQ(rate.PerSecond(start + absl::Seconds(59)), 1);
  EXPECT_NEAR(rate.PerSecond(start + absl::Seconds(60)), 50.0 / 60, 1e-9);
  EXPECT_EQ(rate.PerSecond(start + absl::Seconds(200)), 0);
}

}  // namespace
}  // namespace joseki::coordinator
