// Slow tests: the deep perft counts and every game of the shared data.
#include "tests/engine/xiangqi/game_file.h"
#include "tests/engine/xiangqi/perft_file.h"
#include "tests/support/data.h"

namespace joseki::xiangqi {
namespace {

TEST(XiangqiSlow, FivePliesFromTheStart) {
  Position position;
  EXPECT_EQ(Perft<XiangqiGame>(position, 5), 133312995u);
}

TEST(XiangqiSlow, EverySharedGameIsLegal) {
  JOSEKI_REQUIRE_SHARED_DATA(testing::SharedData("games/xiangqi_otb_masters.ucci"));
  EXPECT_EQ(CheckGames(/*every=*/1), 10686 + 7926);
}

}  // namespace
}  // namespace joseki::xiangqi
