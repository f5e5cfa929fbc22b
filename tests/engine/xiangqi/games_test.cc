#include "tests/engine/xiangqi/game_file.h"
#include "tests/support/tsv.h"

namespace joseki::xiangqi {
namespace {

TEST(XiangqiGames, ASampleOfTheSharedGamesIsLegal) {
  JOSEKI_REQUIRE_SHARED_DATA(testing::SharedData("games/xiangqi_otb_masters.ucci"));
  EXPECT_GT(CheckGames(/*every=*/20), 900);
}

// The main lines of mates are legal, and the side to move at the end has no move.
TEST(XiangqiGames, SharedMatesEndInMate) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  int mates = 0;
  for (const auto& row : testing::ReadTsv(path)) {
    auto start = ParseFen(row[0]);
    ASSERT_TRUE(start.ok()) << start.status();
    std::istringstream words(row[5]);
    for (std::string word; words >> word;) {
      auto move = ParseMove(start->position, word);
      ASSERT_TRUE(move.ok()) << row[0] << " " << move.status();
      ASSERT_TRUE(start->position.HasLegalMove());
      Undo undo;
      start->position.Do(*move, undo);
    }
    EXPECT_FALSE(start->position.HasLegalMove()) << row[0] << " " << row[5];
    EXPECT_EQ(start->position.InCheck(), row[2] == "checkmate") << row[0];
    ++mates;
  }
  EXPECT_GT(mates, 1000);
}

}  // namespace
}  // namespace joseki::xiangqi
