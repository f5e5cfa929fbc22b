#include "coordinator/runs/failed_searches.h"

#include <string>

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

}  // namespace
}  // namespace joseki::coordinator
