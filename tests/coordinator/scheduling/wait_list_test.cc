#include "coordinator/scheduling/wait_list.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::kNow;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Waiter Of(SessionId session) {
  Waiter waiter;
  waiter.input.session = session;
  return waiter;
}

void Add(WaitList& list, SessionId session, const std::vector<RunId>& runs, int seconds = 10) {
  list.Add(Of(session), runs, kNow + absl::Seconds(seconds));
}

std::vector<SessionId> SessionsOf(const std::vector<Waiter>& waiters) {
  std::vector<SessionId> sessions;
  for (const Waiter& waiter : waiters) sessions.push_back(waiter.input.session);
  return sessions;
}

std::optional<SessionId> First(const WaitList& list, const std::vector<RunId>& runs) {
  return list.First(runs);
}

TEST(WaitList, ServesInTheOrderOfArrivalWhoCanServe) {
  WaitList list;
  Add(list, 7, {1});
  Add(list, 3, {1, 2});
  Add(list, 5, {2});
  EXPECT_EQ(First(list, {1}), 7u);
  EXPECT_EQ(First(list, {2}), 3u);
  EXPECT_EQ(First(list, {2, 1}), 7u);
  EXPECT_EQ(First(list, {4}), std::nullopt);
  EXPECT_EQ(First(list, {}), std::nullopt);
  EXPECT_TRUE(list.Take(3).has_value());
  EXPECT_EQ(First(list, {2}), 5u);
  EXPECT_FALSE(list.Take(3).has_value());
  EXPECT_EQ(list.size(), 2u);
}

TEST(WaitList, LetsThemGoAtTheirDeadlines) {
  WaitList list;
  Add(list, 1, {1}, 30);
  Add(list, 2, {1}, 10);
  Add(list, 3, {1}, 20);
  EXPECT_THAT(list.TakeExpired(kNow + absl::Seconds(9)), IsEmpty());
  EXPECT_THAT(SessionsOf(list.TakeExpired(kNow + absl::Seconds(20))), ElementsAre(2, 3));
  EXPECT_EQ(First(list, {1}), 1u);
  EXPECT_THAT(SessionsOf(list.TakeAll()), ElementsAre(1));
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(First(list, {1}), std::nullopt);
}

TEST(WaitList, KnowsOfRunsThatCome) {
  WaitList list;
  Add(list, 1, {});
  Add(list, 2, {5});
  EXPECT_EQ(First(list, {6}), std::nullopt);
  list.AddRun(2, 6);
  list.AddRun(1, 6);
  list.AddRun(1, 6);
  list.AddRun(9, 6);  // does not wait
  EXPECT_EQ(First(list, {6}), 1u) << "by arrival, not by when the run came";
  EXPECT_TRUE(list.Take(1).has_value());
  EXPECT_EQ(First(list, {6}), 2u);
  EXPECT_EQ(First(list, {5}), 2u);
  EXPECT_THAT(list.Of(5, 10), ElementsAre(2));
  EXPECT_THAT(list.Of(5, 0), IsEmpty());
  EXPECT_THAT(list.Of(8, 10), IsEmpty());
  list.RemoveRuns(2);
  EXPECT_EQ(First(list, {5, 6}), std::nullopt);
  EXPECT_EQ(list.size(), 1u) << "it waits on";
  list.AddRun(2, 5);
  EXPECT_EQ(First(list, {5}), 2u);
  EXPECT_TRUE(list.Take(2).has_value());
  EXPECT_EQ(First(list, {5}), std::nullopt);
}

}  // namespace
}  // namespace joseki::coordinator
