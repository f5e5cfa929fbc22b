#include "engine/search/papers/context_killers.h"

#include <memory>

#include "gtest/gtest.h"

namespace joseki {
namespace {

// Moves by name, each its own code; enough to follow the thesis's example without a board.
constexpr uint32_t kR2a = 101;
constexpr uint32_t kS2b = 202;
constexpr uint32_t kR8b = 303;
constexpr uint32_t kP1d = 404;
constexpr Move kS3a = Move::Drop(4, 20);
constexpr Move kR5b = Move::Board(60, 40, true);

ContextKillers::Path After(uint32_t before, uint32_t last) {
  ContextKillers::Path path;
  path.code[0] = last;
  path.code[1] = before;
  return path;
}

// The trace of the thesis: the answer to S*2b depends on what came before it.
TEST(ContextKillers, RemembersTheAnswerToASequenceThatTheLastMoveAloneForgets) {
  const auto killers = std::make_unique<ContextKillers>();
  for (const auto form : {ContextKillers::kHashed, ContextKillers::kBuckets}) {
    killers->Clear();
    const auto b = After(kR2a, kS2b);
    const auto c = After(kR8b, kS2b);
    auto premove = [&] { return killers->Find(ContextKillers::kPremove, 2, b, form); };
    auto context = [&] { return killers->Find(ContextKillers::kContext, 2, b, form); };
    EXPECT_FALSE(premove());
    EXPECT_FALSE(context());
    killers->OnNodeDone(2, b, form, kS3a);
    EXPECT_EQ(premove(), kS3a);
    EXPECT_EQ(context(), kS3a);
    killers->OnNodeDone(2, c, form, kR5b);
    EXPECT_EQ(premove(), kR5b) << "useless after R*2a";
    EXPECT_EQ(context(), kS3a) << "a hit for the next line";
    killers->OnNodeDone(4, b, form, kS3a);
    EXPECT_EQ(premove(), kS3a);
    EXPECT_EQ(context(), kS3a);
  }
}

TEST(ContextKillers, HashedTwoMovesShareASlotWhicheverCameFirstAndBucketsDoNot) {
  const auto killers = std::make_unique<ContextKillers>();
  killers->OnNodeDone(2, After(kR2a, kS2b), ContextKillers::kHashed, kS3a);
  EXPECT_EQ(killers->Find(ContextKillers::kContext, 2, After(kS2b, kR2a), ContextKillers::kHashed),
            kS3a);
  killers->Clear();
  killers->OnNodeDone(2, After(kR2a, kS2b), ContextKillers::kBuckets, kS3a);
  EXPECT_FALSE(
      killers->Find(ContextKillers::kContext, 2, After(kS2b, kR2a), ContextKillers::kBuckets));
}

TEST(ContextKillers, AMoveThatWasFoundOftenerStaysByStrength) {
  const auto killers = std::make_unique<ContextKillers>();
  const auto path = After(kR2a, kS2b);
  constexpr auto kForm = ContextKillers::kHashed;
  auto found = [&](ContextKillers::Kind kind) { return killers->Find(kind, 2, path, kForm); };
  killers->UseStrength(true);
  EXPECT_EQ(killers->OnNodeDone(2, path, kForm, kS3a), 0);
  EXPECT_EQ(killers->OnNodeDone(2, path, kForm, kS3a), 0);
  EXPECT_EQ(killers->OnNodeDone(2, path, kForm, kR5b), 3) << "brother, premove and context stay";
  EXPECT_EQ(found(ContextKillers::kContext), kS3a);
  EXPECT_EQ(found(ContextKillers::kBrother), kS3a);
  EXPECT_EQ(killers->OnNodeDone(2, path, kForm, kR5b), 0) << "as often as the other";
  EXPECT_EQ(found(ContextKillers::kContext), kR5b);
  EXPECT_EQ(found(ContextKillers::kBrother), kR5b);
  killers->Clear();
  killers->UseStrength(false);
  for (const Move move : {kS3a, kS3a, kS3a, kR5b}) killers->OnNodeDone(2, path, kForm, move);
  EXPECT_EQ(found(ContextKillers::kContext), kR5b) << "the latest";
}

TEST(ContextKillers, ABucketHoldsFourAndDropsTheOldest) {
  const auto killers = std::make_unique<ContextKillers>();
  auto find = [&](uint32_t before) {
    return killers->Find(ContextKillers::kContext, 2, After(before, kS2b),
                         ContextKillers::kBuckets);
  };
  for (uint32_t before = 1; before <= 5; ++before) {
    killers->OnNodeDone(2, After(before, kS2b), ContextKillers::kBuckets,
                        Move::Board(static_cast<int>(before), 40));
  }
  EXPECT_FALSE(find(1));
  for (uint32_t before = 2; before <= 5; ++before) {
    EXPECT_EQ(find(before), Move::Board(static_cast<int>(before), 40));
  }
}

TEST(ContextKillers, BrothersComeFirstInFirstOutAndOnlyOnce) {
  const auto killers = std::make_unique<ContextKillers>();
  const auto path = After(kP1d, kS2b);
  auto brother = [&](int slot) {
    return killers->Find(ContextKillers::kBrother, 3, path, ContextKillers::kHashed, slot);
  };
  killers->OnNodeDone(3, path, ContextKillers::kHashed, kS3a);
  killers->OnNodeDone(3, path, ContextKillers::kHashed, kR5b);
  killers->OnNodeDone(3, path, ContextKillers::kHashed, kR5b);
  EXPECT_EQ(brother(0), kR5b);
  EXPECT_EQ(brother(1), kS3a);
  EXPECT_FALSE(brother(2));
  EXPECT_FALSE(killers->Find(ContextKillers::kBrother, 2, path, ContextKillers::kHashed));
}

TEST(ContextKillers, APassTeachesThePassKillerAndNoMoveTable) {
  const auto killers = std::make_unique<ContextKillers>();
  ContextKillers::Path passed = After(kR2a, 0);
  passed.passed = true;
  killers->OnNodeDone(2, passed, ContextKillers::kHashed, kS3a);
  EXPECT_EQ(killers->Find(ContextKillers::kPass, 2, passed, ContextKillers::kHashed), kS3a);
  EXPECT_FALSE(killers->Find(ContextKillers::kPremove, 2, passed, ContextKillers::kHashed));
  EXPECT_FALSE(killers->Find(ContextKillers::kContext, 2, passed, ContextKillers::kHashed));
  EXPECT_FALSE(killers->Find(ContextKillers::kPass, 3, passed, ContextKillers::kHashed));
}

TEST(ContextKillers, TellContextsApartByTheMovesThatTheirFormHas) {
  const ContextKillers::Path path = {.code = {3, 5, 7, 11}};
  const ContextKillers::Path other_third = {.code = {3, 5, 8, 11}};
  const ContextKillers::Path other_fourth = {.code = {3, 5, 7, 12}};
  const auto finds = [&](ContextKillers::Form form, const ContextKillers::Path& asked) {
    const auto killers = std::make_unique<ContextKillers>();
    killers->OnNodeDone(2, path, form, kS3a);
    return killers->Find(ContextKillers::kContext, 2, asked, form) == kS3a;
  };
  for (const auto form : {ContextKillers::kHashed, ContextKillers::kThree, ContextKillers::kFour}) {
    EXPECT_TRUE(finds(form, path)) << form;
    EXPECT_EQ(finds(form, other_third), form == ContextKillers::kHashed) << form;
    EXPECT_EQ(finds(form, other_fourth), form != ContextKillers::kFour) << form;
  }
}

// The hash is symmetric: the same two moves the other way round share a place.
TEST(ContextKillers, TellAHitThatIsAnothersContext) {
  auto killers = std::make_unique<ContextKillers>();
  killers->KeepContexts(true);
  const ContextKillers::Path path = {.code = {3, 5, 0}};
  const ContextKillers::Path turned = {.code = {5, 3, 0}};
  EXPECT_FALSE(killers->IsFalseHit(path, ContextKillers::kHashed)) << "nothing was found";
  killers->OnNodeDone(2, path, ContextKillers::kHashed, Move(7));
  EXPECT_FALSE(killers->IsFalseHit(path, ContextKillers::kHashed));
  EXPECT_TRUE(killers->IsFalseHit(turned, ContextKillers::kHashed));
  killers->OnNodeDone(2, turned, ContextKillers::kHashed, Move(8));
  EXPECT_TRUE(killers->IsFalseHit(path, ContextKillers::kHashed)) << "the latest has the place";
  EXPECT_FALSE(killers->IsFalseHit(turned, ContextKillers::kHashed));
}

}  // namespace
}  // namespace joseki
