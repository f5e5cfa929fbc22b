#include "coordinator/scheduling/trust.h"

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

class TrustTest : public ::testing::Test {
 protected:
  void Change(const std::string& worker, TrustAction action, LeaseId lease) {
    trust_.Apply({trust_.change() + 1, worker, action, lease, false, "why", 0});
  }
  Trust trust_;
};

TEST_F(TrustTest, ExcludesNothingAtFirst) {
  EXPECT_FALSE(trust_.Excludes("a", 1));
  EXPECT_EQ(trust_.BlockOf("a"), nullptr);
  EXPECT_TRUE(trust_.blocked().empty());
  EXPECT_EQ(trust_.change(), 0u);
}

TEST_F(TrustTest, ABlockedWorkersGamesAreOutWheneverTheyWerePlayed) {
  Change("a", TrustAction::kBlock, 100);
  EXPECT_TRUE(trust_.Excludes("a", 1));
  EXPECT_TRUE(trust_.Excludes("a", 99));
  EXPECT_TRUE(trust_.Excludes("a", 1'000'000));
  EXPECT_FALSE(trust_.Excludes("b", 1));
  ASSERT_NE(trust_.BlockOf("a"), nullptr);
  EXPECT_EQ(trust_.BlockOf("a")->reason, "why");
  EXPECT_EQ(trust_.blocked().size(), 1u);
}

TEST_F(TrustTest, UnblockingBringsAllGamesBack) {
  Change("a", TrustAction::kBlock, 100);
  Change("a", TrustAction::kUnblock, 200);
  EXPECT_FALSE(trust_.Excludes("a", 1));
  EXPECT_EQ(trust_.BlockOf("a"), nullptr);
  EXPECT_TRUE(trust_.blocked().empty());
  EXPECT_EQ(trust_.change(), 2u);
}

TEST_F(TrustTest, UnblockingMayKeepTheEarlierGamesOut) {
  Change("a", TrustAction::kBlock, 100);
  Change("a", TrustAction::kUnblockKeepOut, 200);
  EXPECT_EQ(trust_.BlockOf("a"), nullptr);
  EXPECT_TRUE(trust_.Excludes("a", 199));
  EXPECT_FALSE(trust_.Excludes("a", 200));
  Change("a", TrustAction::kBlock, 300);
  EXPECT_TRUE(trust_.Excludes("a", 250));
  Change("a", TrustAction::kUnblock, 400);
  EXPECT_FALSE(trust_.Excludes("a", 1)) << "everything is back";
}

}  // namespace
}  // namespace joseki::coordinator
