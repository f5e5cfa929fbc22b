#include "tests/engine/xiangqi/perft_file.h"
#include "tests/support/data.h"

namespace joseki::xiangqi {
namespace {

TEST(XiangqiPerft, FromTheStart) {
  Position position;
  EXPECT_EQ(Perft<XiangqiGame>(position, 1), 44u);
  EXPECT_EQ(Perft<XiangqiGame>(position, 2), 1920u);
  EXPECT_EQ(Perft<XiangqiGame>(position, 3), 79666u);
  EXPECT_EQ(Perft<XiangqiGame>(position, 4), 3290240u);
}

TEST(XiangqiPerft, SharedCounts) {
  const auto path = testing::SharedData("perft/xiangqi_perft.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  CheckPerftFile(path, 0, kQuickPerft);
}

}  // namespace
}  // namespace joseki::xiangqi
