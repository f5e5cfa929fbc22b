#include "coordinator/model/slot_codec.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

std::vector<PlannedSlot> Sample() {
  PlannedSlot first;
  first.slot = {0, "startpos", {Move(1), Move(0xffff)}, {Move(3)}, 0xfedcba9876543210};
  first.evidence_seq = 1234567890123;
  PlannedSlot second;
  second.slot = {7, "5-7 w 2", {}, {}, 1};
  second.failures = 2;
  second.failed = {{7, "node-1"}, {9, "node.2"}};
  second.replaces = {99, 3};
  second.slot.weights_version = 12;
  return {first, second};
}

TEST(SlotCodec, KeepsEveryField) {
  const auto slots = DecodeSlots(EncodeSlots(Sample()));
  ASSERT_TRUE(slots.ok()) << slots.status();
  EXPECT_EQ(*slots, Sample());
  EXPECT_EQ(*DecodeSlots(EncodeSlots({})), std::vector<PlannedSlot>());
}

// Offset in the first slot, which follows version, count and number.
constexpr size_t kKindAt = 1 + 2 + 4;
constexpr size_t kSideAt = kKindAt + 1;

TEST(SlotCodec, KeepsTheSidesOfSlots) {
  std::vector<PlannedSlot> slots = Sample();
  slots[0].slot.own = Color::kSecond;
  slots.push_back(slots[0]);
  slots[2].slot.slot = 9;
  slots[2].slot.own = Color::kFirst;
  std::string bytes = EncodeSlots(slots);
  EXPECT_EQ(*DecodeSlots(bytes), slots);
  ASSERT_EQ(bytes[kSideAt], 2);
  bytes[kSideAt] = 3;
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, "side 3");
}

TEST(SlotCodec, KeepsTheGamesOfMatches) {
  std::vector<PlannedSlot> slots = Sample();
  for (PlannedSlot& plan : slots) {
    plan.slot.kind = SlotKind::kMatch;
    plan.slot.own = Color::kSecond;
    plan.slot.pair = 9'999'999;
    plan.slot.attempt = 3 + plan.slot.slot;
  }
  std::string bytes = EncodeSlots(slots);
  EXPECT_EQ(*DecodeSlots(bytes), slots);
  bytes[kSideAt] = 0;
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, "no side");
}

TEST(SlotCodec, KeepsEvaluationsAmongGames) {
  std::vector<PlannedSlot> slots(2);
  slots[0].slot = {0, "startpos", {Move(2)}, {}, 5};
  slots[0].slot.kind = SlotKind::kEvaluation;
  slots[0].slot.nodes = 0x0807060504030201;
  slots[1].slot = {1, "startpos", {Move(3)}, {}, 6};
  std::string bytes = EncodeSlots(slots);
  EXPECT_EQ(*DecodeSlots(bytes), slots);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(DecodeSlots(std::string_view(bytes).substr(0, length)).ok()) << length;
  }
  bytes[kKindAt] = 5;
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, "a slot of kind 5");
}

TEST(SlotCodec, KeepsRepliesAndTrials) {
  std::vector<PlannedSlot> slots(2);
  slots[0].slot = {0, "startpos", {Move(2), Move(3)}, {}, 5};
  slots[0].slot.kind = SlotKind::kReply;
  slots[0].slot.searched_from = 1;
  slots[0].slot.nodes = 4000;
  slots[1].slot = {1, "startpos", {Move(3)}, {}, 6};
  slots[1].slot.kind = SlotKind::kTrial;
  slots[1].slot.own = Color::kSecond;
  slots[1].slot.plies = 40;
  EXPECT_EQ(*DecodeSlots(EncodeSlots(slots)), slots);
}

TEST(SlotCodec, RefusesEveryPrefixAndABytesTooMany) {
  const std::string bytes = EncodeSlots(Sample());
  for (size_t length = 0; length < bytes.size(); ++length) {
    const auto slots = DecodeSlots(std::string_view(bytes).substr(0, length));
    ASSERT_FALSE(slots.ok()) << length;
    EXPECT_EQ(ProblemOf(slots.status()).code, "bad_slots");
  }
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes + '\0').status()).found, "1 bytes left over");
}

TEST(SlotCodec, RefusesAnotherVersion) {
  std::string bytes = EncodeSlots(Sample());
  for (const int version : {1, 3}) {
    bytes[0] = static_cast<char>(version);
    EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, absl::StrCat("version ", version));
  }
}

TEST(SlotCodec, RefusesSlotsOutOfOrder) {
  std::vector<PlannedSlot> slots = Sample();
  slots[0].slot.slot = 7;
  EXPECT_EQ(ProblemOf(DecodeSlots(EncodeSlots(slots)).status()).found, "slot 7 after 7");
}

TEST(SlotCodec, RefusesAnEmptyMove) {
  std::vector<PlannedSlot> slots = Sample();
  slots[0].slot.line[0] = Move();
  EXPECT_EQ(ProblemOf(DecodeSlots(EncodeSlots(slots)).status()).found, "an empty move");
}

TEST(SlotCodec, SurvivesAnySingleChangedByte) {
  const std::string bytes = EncodeSlots(Sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const auto slots = DecodeSlots(changed);
      // Either refused, or other slots: never the same ones.
      EXPECT_TRUE(!slots.ok() || *slots != Sample()) << i;
    }
  }
}

TEST(MovesCodec, IsLittleEndian) {
  EXPECT_EQ(EncodeMoves({Move(0x0102), Move(0xff00)}), std::string("\x02\x01\x00\xff", 4));
  EXPECT_EQ(*DecodeMoves(std::string("\x02\x01\x00\xff", 4)),
            (std::vector<Move>{Move(0x0102), Move(0xff00)}));
  EXPECT_EQ(ProblemOf(DecodeMoves("abc").status()).code, "bad_moves");
}

}  // namespace
}  // namespace joseki::coordinator
