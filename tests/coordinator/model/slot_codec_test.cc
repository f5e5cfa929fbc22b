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

TEST(SlotCodec, KeepsTheSidesOfSlots) {
  std::vector<PlannedSlot> slots = Sample();
  slots[0].slot.own = Color::kSecond;
  slots.push_back(slots[0]);
  slots[2].slot.slot = 9;
  slots[2].slot.own = Color::kFirst;
  std::string bytes = EncodeSlots(slots);
  EXPECT_EQ(*DecodeSlots(bytes), slots);
  // Only where there are any.
  EXPECT_LT(EncodeSlots(Sample())[0], bytes[0]);
  // The byte after seed, sequence, failures, replaced slot and weights of the first.
  const size_t at = 3 + 4 + 8 + 8 + 4 + 8 + 4 + 4;
  ASSERT_EQ(bytes[at], 2);
  bytes[at] = 3;
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
  bytes[3 + 4 + 8 + 8 + 4 + 8 + 4 + 4] = 0;
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, "no side");
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
  for (const int version : {0, 6}) {
    bytes[0] = static_cast<char>(version);
    EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, absl::StrCat("version ", version));
  }
}

TEST(SlotCodec, KeepsKindsWhereThereAreOthersThanGames) {
  std::vector<PlannedSlot> slots(2);
  slots[0].slot = {0, "startpos", {Move(2)}, {}, 5};
  slots[1].slot = {1, "startpos", {Move(3)}, {}, 6};
  EXPECT_EQ(EncodeSlots(slots)[0], 2) << "games alone are kept as they were";
  slots[1].slot.kind = SlotKind::kEvaluation;
  slots[1].slot.nodes = 0x0807060504030201;
  std::string bytes = EncodeSlots(slots);
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(*DecodeSlots(bytes), slots);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(DecodeSlots(std::string_view(bytes).substr(0, length)).ok()) << length;
  }
  bytes[bytes.size() - 9] = 2;
  EXPECT_EQ(ProblemOf(DecodeSlots(bytes).status()).found, "a slot of kind 2");
}

TEST(SlotCodec, ReadsTheVersionWithoutWeights) {
  PlannedSlot slot;
  slot.slot = {7, "5-7 w 2", {}, {}, 1};
  slot.replaces = {99, 3};
  slot.slot.weights_version = 0x04030201;
  std::string bytes = EncodeSlots({slot});
  const size_t at = bytes.find(std::string("\x01\x02\x03\x04", 4));
  ASSERT_NE(at, std::string::npos);
  bytes.erase(at, 4);
  bytes[0] = 1;
  const auto slots = DecodeSlots(bytes);
  ASSERT_TRUE(slots.ok()) << slots.status();
  slot.slot.weights_version = 0;
  EXPECT_EQ(*slots, std::vector<PlannedSlot>{slot});
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
