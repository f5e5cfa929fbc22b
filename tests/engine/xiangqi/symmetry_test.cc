#include "engine/xiangqi/symmetry.h"

#include <set>

#include "engine/xiangqi/packed.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

constexpr Symmetry kAllSymmetries[] = {Symmetry::kNone, Symmetry::kMirror, Symmetry::kTurn,
                                       Symmetry::kBoth};

std::set<Move> LegalIn(const Position& position) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  return {moves.begin(), moves.end()};
}

TEST(XiangqiSymmetry, MovesMapWithThePosition) {
  for (const Position& position : SamplePositions(51, 10, 7)) {
    for (const Symmetry symmetry : kAllSymmetries) {
      const Position mapped = Mapped(symmetry, position);
      ASSERT_STREQ(mapped.Flaw(), "");
      ASSERT_EQ(mapped.InCheck(), position.InCheck());
      ASSERT_EQ(mapped.side_to_move() != position.side_to_move(), ExchangesColours(symmetry));
      std::set<Move> moves;
      for (const Move move : LegalIn(position)) {
        moves.insert(Mapped(symmetry, move));
        Position after = position;
        Position mapped_after = mapped;
        Undo undo;
        after.Do(move, undo);
        mapped_after.Do(Mapped(symmetry, move), undo);
        ASSERT_EQ(mapped_after.key(), Mapped(symmetry, after).key());
      }
      ASSERT_EQ(LegalIn(mapped), moves) << ToFen(position, 1);
    }
  }
}

TEST(XiangqiSymmetry, MapsFormAGroup) {
  for (const Position& position : SamplePositions(52, 4, 11)) {
    for (const Symmetry one : kAllSymmetries) {
      for (const Symmetry other : kAllSymmetries) {
        const auto both = static_cast<Symmetry>(static_cast<int>(one) ^ static_cast<int>(other));
        ASSERT_EQ(Pack(Mapped(one, Mapped(other, position))), Pack(Mapped(both, position)));
        const Move move = Move::Board(3, 75);
        ASSERT_EQ(Mapped(one, Mapped(other, move)), Mapped(both, move));
      }
    }
  }
}

TEST(XiangqiSymmetry, MapsTheStartAndItsMoves) {
  const Position start;
  EXPECT_EQ(Mapped(Symmetry::kMirror, start).key(), start.key());
  EXPECT_EQ(Mapped(Symmetry::kTurn, start).side_to_move(), kBlack);
  EXPECT_EQ(ToUcci(Mapped(Symmetry::kMirror, *MoveFromUcci("h2e2"))), "b2e2");
  EXPECT_EQ(ToUcci(Mapped(Symmetry::kTurn, *MoveFromUcci("h2e2"))), "b7e7");
  EXPECT_EQ(ToUcci(Mapped(Symmetry::kBoth, *MoveFromUcci("h2e2"))), "h7e7");
  EXPECT_EQ(Mapped(Symmetry::kTurn, Move()), Move());
}

}  // namespace
}  // namespace joseki::xiangqi
