#include "engine/xiangqi/packed.h"

#include "base/hash.h"
#include "base/problem.h"
#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

// Packed start position in hexadecimal.
constexpr char kStartBytes[] = "fe031054150080aa8200fca7918090a12a3333ebee6ee6d5c4c3d40500000058";

std::string HexOfBytes(const PackedPosition& packed) {
  return Hex(
      std::string_view(reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size()));
}

// Databases hold these bytes, so they may never change.
TEST(XiangqiPacked, TheStartPosition) { EXPECT_EQ(HexOfBytes(Pack(Position())), kStartBytes); }

TEST(XiangqiPacked, RoundTripsSampledAndStrangePositions) {
  std::vector<Position> positions = SamplePositions(31, 20, 3);
  for (const char* fen : {"3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "3k5/9/9/9/9/9/9/9/9/5K3 b - - 0 1",
                          "rnbakabnr/9/1c5c1/PPPPP4/9/9/4ppppp/1C5C1/9/RNBAKABNR b - - 0 1"}) {
    positions.push_back(At(fen));
  }
  for (const Position& position : positions) {
    const absl::StatusOr<Position> unpacked = Unpack(Pack(position));
    ASSERT_TRUE(unpacked.ok()) << unpacked.status();
    ASSERT_EQ(unpacked->key(), position.key());
    ASSERT_EQ(unpacked->checkers(), position.checkers());
    ASSERT_EQ(unpacked->side_to_move(), position.side_to_move());
    for (Square s = 0; s < kSquareCount; ++s) ASSERT_EQ(unpacked->piece(s), position.piece(s));
    ASSERT_EQ(Pack(*unpacked), Pack(position));
  }
}

TEST(XiangqiPacked, RandomBitsAreRefusedOrCanonical) {
  Rng rng(3);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    PackedPosition packed = Pack(Position());
    // A mutated position gets further through the checks than noise.
    for (int flips = 1 + static_cast<int>(rng.Below(3)); flips > 0; --flips) {
      packed.bytes[rng.Below(32)] ^= static_cast<uint8_t>(1 << rng.Below(8));
    }
    auto unpacked = Unpack(packed);
    if (!unpacked.ok()) continue;
    ++accepted;
    ASSERT_EQ(Pack(*unpacked), packed);
    ASSERT_STREQ(unpacked->Flaw(), "");
  }
  EXPECT_GT(accepted, 0);
}

TEST(XiangqiPacked, NamesTheFlawOfBrokenBytes) {
  auto expected = [](const PackedPosition& packed) {
    const absl::StatusOr<Position> position = Unpack(packed);
    EXPECT_FALSE(position.ok());
    EXPECT_EQ(ProblemOf(position.status()).code, "bad_packed_position");
    return ProblemOf(position.status()).expected;
  };
  EXPECT_EQ(expected(PackedPosition{}), "the mark of xiangqi");
  PackedPosition full;
  full.bytes.fill(0xff);
  full.bytes[31] = 'X';
  EXPECT_EQ(expected(full), "at most 32 pieces");
  PackedPosition empty;
  empty.bytes[31] = 'X';
  EXPECT_EQ(expected(empty), "no_king");
  PackedPosition trailing = Pack(Position());
  trailing.bytes[30] = 0x80;
  EXPECT_EQ(expected(trailing), "zeros behind the last piece");
  // The first piece, Red's rook on a0, with the code 14.
  PackedPosition unknown = Pack(Position());
  unknown.bytes[11] = static_cast<uint8_t>(unknown.bytes[11] | 0x70);
  EXPECT_EQ(expected(unknown), "a code of each piece");
}

}  // namespace
}  // namespace joseki::xiangqi
