#include "coordinator/artefacts.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/problem.h"
#include "book/weights_delta.h"
#include "gtest/gtest.h"
#include "tests/coordinator/artefacts_fixture.h"

namespace joseki::coordinator {
namespace {

TEST_F(ArtefactsTest, FindsSnapshotsAndWeights) {
  Artefacts artefacts(Options(), coordinator_->weights());

  const auto snapshot = artefacts.Find(snapshot_);
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  EXPECT_EQ(snapshot->size, snapshot_bytes_.size());
  EXPECT_EQ(*artefacts.Read(snapshot_, 0, 1 << 20), snapshot_bytes_);
  EXPECT_EQ(*artefacts.Read(snapshot_, 10, 7), snapshot_bytes_.substr(10, 7));
  EXPECT_EQ(*artefacts.Read(snapshot_, snapshot_bytes_.size(), 7), "");
  EXPECT_TRUE(absl::IsOutOfRange(artefacts.Read(snapshot_, 1 << 30, 7).status()));

  const auto delta = artefacts.FindWeights(run_, 0, 1);
  ASSERT_TRUE(delta.ok()) << delta.status();
  const std::string bytes = *artefacts.Read(delta->sha256, 0, 1 << 20);
  EXPECT_EQ(Sha256Of(bytes), delta->sha256);
  EXPECT_EQ(book::ReadWeightsDeltaHeader(bytes)->to, 1u);
  EXPECT_TRUE(absl::IsNotFound(artefacts.FindWeights(run_, 0, 2).status()));
  EXPECT_TRUE(absl::IsNotFound(artefacts.FindWeights(run_ + 1, 0, 1).status()));

  EXPECT_EQ(CodeOf(artefacts.Find(Sha256Of("nothing")).status()), "unknown_artefact");
  EXPECT_EQ(CodeOf(artefacts.Read(Sha256Of("nothing"), 0, 1).status()), "unknown_artefact");
}

TEST_F(ArtefactsTest, KeepsNoMoreThanItMay) {
  Artefacts::Options options = Options();
  options.kept_bytes = 1;
  Artefacts artefacts(options, coordinator_->weights());
  const auto delta = artefacts.FindWeights(run_, 0, 1);
  ASSERT_TRUE(delta.ok());
  ASSERT_TRUE(artefacts.Read(snapshot_, 0, 10).ok()) << "read again, and the delta forgotten";
  EXPECT_EQ(CodeOf(artefacts.Read(delta->sha256, 0, 10).status()), "unknown_artefact");
  EXPECT_EQ(artefacts.FindWeights(run_, 0, 1)->sha256, delta->sha256) << "and made again";
}

// Nodes that begin together ask for the same things at the same time, with no room for all of them.
TEST_F(ArtefactsTest, ManyMayAskAtOnce) {
  const Sha256 other = Put(std::string(1000, 'w'));
  Artefacts::Options options = Options();
  options.kept_bytes = 1;
  Artefacts artefacts(options, coordinator_->weights());
  const Sha256 delta = artefacts.FindWeights(run_, 0, 1)->sha256;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const auto snapshot = artefacts.Read(snapshot_, 0, 1 << 20);
        wrong += !snapshot.ok() || *snapshot != snapshot_bytes_;
        wrong += artefacts.FindWeights(run_, 0, 1)->sha256 != delta;
        wrong += artefacts.Find(other)->size != 1000;
        wrong += artefacts.Read(other, 0, 1 << 20)->size() != 1000;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace joseki::coordinator
