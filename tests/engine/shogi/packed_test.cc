#include "engine/shogi/packed.h"

#include "base/hash.h"
#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

std::string HexOf(const PackedPosition& packed) {
  return Hex(
      std::string_view(reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size()));
}

TEST(Packed, ThePublishedVector) {
  EXPECT_EQ(HexOf(Pack(Position())),
            "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c");
}

TEST(Packed, RoundTripsStrangePositions) {
  for (const char* sfen :
       {"4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1", "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",  // everything else is missing from the set
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "+P+L+N+SK4/9/9/9/9/9/9/9/4k+s+n+l+p b - 1"}) {
    const Position position = At(sfen);
    auto unpacked = Unpack(Pack(position));
    ASSERT_TRUE(unpacked.ok()) << sfen << unpacked.status();
    EXPECT_EQ(ToSfen(*unpacked, 1), ToSfen(position, 1));
  }
}

// One position after the other, alike or not, by the same packer.
TEST(Packed, APackerForgetsThePositionBefore) {
  Packer packer;
  Rng rng(5);
  for (int game = 0; game < 50; ++game) {
    Position position =
        At(game % 3 == 0 ? "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"
                         : "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    for (int ply = 0; ply < 60; ++ply) {
      ASSERT_EQ(HexOf(packer.Pack(position)), HexOf(Pack(position))) << ToSfen(position, 1);
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
    }
  }
}

TEST(Packed, RandomBitsAreRefusedOrCanonical) {
  Rng rng(3);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    PackedPosition packed = Pack(Position());
    // Mutations of a real one reach further than noise.
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

}  // namespace
}  // namespace joseki::shogi
