#include "engine/shogi/eval/plain.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

#include "engine/search/shogi/bench.h"
#include "gtest/gtest.h"
#include "tests/engine/shogi/eval/turned.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

TEST(EvaluatePlain, IsTheSameForBothColours) {
  for (const char* text : BenchPositions()) {
    EXPECT_EQ(EvaluatePlain(At(text)), EvaluatePlain(At(Turned(text)))) << text;
  }
}

TEST(EvaluatePlain, TheStartIsNearlyEven) { EXPECT_LT(std::abs(EvaluatePlain(Position())), 50); }

TEST(EvaluatePlain, CountsMaterial) {
  const Value rook_up =
      EvaluatePlain(At("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"));
  EXPECT_GT(rook_up, 700);
  const Value rook_more_in_hand =
      EvaluatePlain(At("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1"));
  EXPECT_GT(rook_more_in_hand, rook_up + 700);
}

TEST(EvaluatePlain, AGuardedKingIsBetterThanABareOne) {
  const Value guarded = EvaluatePlain(At("4k4/9/9/9/9/9/9/1GG6/1K7 b 2r 1"));
  const Value bare = EvaluatePlain(At("4k4/9/9/9/9/6G2/6G2/9/1K7 b 2r 1"));
  EXPECT_GT(guarded, bare);
}

TEST(EvaluatePlain, WorksWithoutAKing) {
  EXPECT_GT(EvaluatePlain(At("4k4/9/4P4/9/9/9/9/9/9 b 2R2G 1")), 0);
}

}  // namespace
}  // namespace joseki::shogi
