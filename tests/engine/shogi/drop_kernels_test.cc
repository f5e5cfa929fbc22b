#include "engine/shogi/drop_kernels.h"

#include <vector>

#include "base/rng.h"
#include "engine/shogi/attacks.h"
#include "gtest/gtest.h"

namespace joseki::shogi {
namespace {

constexpr size_t kRoom = size_t{4} * kSquareCount + kDropOverrun;

std::vector<Move> Listed(DropKernel kernel, Bitboard squares, const std::vector<uint16_t>& bases) {
  std::vector<Move> moves(kRoom + 1, Move(0xffff));
  const Move* end = kernel(moves.data(), squares.lo(), squares.hi(), bases.data(),
                           static_cast<int>(bases.size()));
  EXPECT_EQ(moves.back(), Move(0xffff)) << "written past the overrun";
  moves.resize(static_cast<size_t>(end - moves.data()));
  return moves;
}

void ExpectTheObvious(Isa isa) {
  Rng rng(9);
  for (int round = 0; round < 2000; ++round) {
    Bitboard squares;
    const uint64_t density = rng.Below(101);
    for (Square s = 0; s < kSquareCount; ++s) {
      if (rng.Below(100) < density) squares |= Bit(s);
    }
    std::vector<uint16_t> bases;
    for (const PieceType t : {kSilver, kBishop, kRook, kGold}) {
      if (bases.empty() || rng.Below(2) == 0) bases.push_back(Move::Drop(t, 0).raw());
    }
    std::vector<Move> expected;
    for (const uint16_t base : bases) {
      ForEach(squares,
              [&](Square s) { expected.push_back(Move(static_cast<uint16_t>(base + s))); });
    }
    ASSERT_EQ(Listed(DropKernelFor(isa), squares, bases), expected);
  }
}

TEST(DropKernels, TheBaselineListsEverySquareInOrder) { ExpectTheObvious(Isa::kBaseline); }

TEST(DropKernels, Avx2ListsTheSame) {
  if (BestIsa() < Isa::kAvx2) GTEST_SKIP() << "this processor has no AVX2";
  ExpectTheObvious(Isa::kAvx2);
}

}  // namespace
}  // namespace joseki::shogi
