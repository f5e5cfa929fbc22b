#include "coordinator/runs/failed_searches.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

constexpr Key kPosition = {1, 2};

Trust Blocking(const std::string& worker) {
  Trust trust;
  trust.Apply({.change = 1, .worker = worker, .action = TrustAction::kBlock, .lease = 100});
  return trust;
}

TEST(FailedSearchesTest, OneWorkerIsLeftOutAfterItsOwnFailures) {
  FailedSearches failed(3);
  failed.Note(kPosition, {1, "a"});
  failed.Note(kPosition, {2, "a"});
  failed.Note(kPosition, {2, "a"});
  EXPECT_EQ(failed.FailuresAt(kPosition), 2u) << "a lease counts once";
  EXPECT_FALSE(failed.IsClosed(kPosition, "a"));
  for (LeaseId lease = 3; lease < 20; ++lease) failed.Note(kPosition, {lease, "a"});
  EXPECT_TRUE(failed.IsClosed(kPosition, "a"));
  EXPECT_FALSE(failed.IsClosed(kPosition, "b"));
  EXPECT_FALSE(failed.IsClosed({3, 4}, "a"));
}

TEST(FailedSearchesTest, ManyWorkersCloseAPositionToAll) {
  FailedSearches failed(3);
  failed.Note(kPosition, {1, "a"});
  failed.Note(kPosition, {2, "b"});
  EXPECT_FALSE(failed.IsClosed(kPosition, "d"));
  failed.Note(kPosition, {3, "c"});
  EXPECT_TRUE(failed.IsClosed(kPosition, "d"));
  failed.SetTrust(Blocking("b"));
  EXPECT_FALSE(failed.IsClosed(kPosition, "d")) << "a blocked worker's failures are none";
  EXPECT_EQ(failed.FailuresAt(kPosition), 2u);
  failed.SetTrust(Trust());
  EXPECT_TRUE(failed.IsClosed(kPosition, "d"));
}

TEST(FailedSearchesTest, ASuccessTakesBackTheFailuresBeforeIt) {
  FailedSearches failed(3);
  failed.Note(kPosition, {1, "a"});
  failed.Note(kPosition, {2, "b"});
  failed.Note(kPosition, {3, "c"});
  EXPECT_TRUE(failed.IsClosedToAll(kPosition));
  failed.Succeed({3, 4}, 9);
  EXPECT_TRUE(failed.IsClosedToAll(kPosition)) << "of another position";
  failed.Succeed(kPosition, 3);  // late, of the lease that had failed last
  EXPECT_FALSE(failed.IsClosedToAll(kPosition));
  EXPECT_EQ(failed.FailuresAt(kPosition), 0u);
}

TEST(FailedSearchesTest, WhereASearchSucceededMoreFailuresAreNeeded) {
  FailedSearches failed(3);
  failed.Succeed(kPosition, 1);
  const std::vector<std::string> workers = {"a", "b", "c"};
  for (LeaseId lease = 2; lease < 10; ++lease) failed.Note(kPosition, {lease, workers[lease % 3]});
  EXPECT_FALSE(failed.IsClosedToAll(kPosition));
  failed.Note(kPosition, {10, "b"});
  EXPECT_TRUE(failed.IsClosedToAll(kPosition)) << "nine failures";

  FailedSearches of_one(3);
  of_one.Succeed(kPosition, 1);
  for (LeaseId lease = 2; lease < 10; ++lease) of_one.Note(kPosition, {lease, "a"});
  EXPECT_FALSE(of_one.IsClosed(kPosition, "a"));
  of_one.Note(kPosition, {10, "a"});
  EXPECT_TRUE(of_one.IsClosed(kPosition, "a"));
  EXPECT_FALSE(of_one.IsClosedToAll(kPosition));
}

// A restart reads the results first, and then the leases that ended without one.
TEST(FailedSearchesTest, TheOrderOfTheRowsDoesNotCount) {
  for (const bool success_first : {false, true}) {
    FailedSearches failed(1);
    if (success_first) failed.Succeed(kPosition, 3);
    for (LeaseId lease = 1; lease <= 5; ++lease) failed.Note(kPosition, {lease, "a"});
    if (!success_first) failed.Succeed(kPosition, 3);
    EXPECT_EQ(failed.FailuresAt(kPosition), 2u);
    EXPECT_FALSE(failed.IsClosed(kPosition, "a"));
  }
}

TEST(FailedSearchesTest, AnOperatorFreesWhatIsClosed) {
  FailedSearches failed(2);
  failed.Note(kPosition, {1, "a"});
  failed.Note(kPosition, {2, "a"});
  failed.Note({3, 4}, {1, "a"});
  EXPECT_EQ(failed.Free(2), 1u);
  EXPECT_EQ(failed.FailuresAt(kPosition), 1u) << "that of a later lease";
  failed.Note(kPosition, {1, "a"});
  EXPECT_FALSE(failed.IsClosed(kPosition, "a"));
  EXPECT_EQ(failed.FailuresAt({3, 4}), 0u);
}

}  // namespace
}  // namespace joseki::coordinator
