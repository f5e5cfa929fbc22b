#include "book/records/game_filter.h"

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

GameRecord Game() {
  GameRecord game;
  game.players[0] = "Habu";
  game.players[1] = "Sato";
  game.ratings[0] = 2500;
  game.ratings[1] = 2300;
  game.date = "2019/05/01 10:00:00";
  game.result = Result::kFirstWins;
  return game;
}

bool Keeps(const GameFilter& filter, const GameRecord& game = Game()) { return filter.Keeps(game); }

TEST(GameFilter, ReadsDatesAsRecordsHaveThem) {
  EXPECT_EQ(DayOf("2019/05/01 10:00:00"), 20190501);
  EXPECT_EQ(DayOf("2019-5-1"), 20190501);
  EXPECT_EQ(DayOf("2019\u5e7405\u670801\u65e5"), 20190501);
  EXPECT_EQ(DayOf("20190501"), 20190501);
  EXPECT_EQ(DayOf("2019"), 20190000);
  EXPECT_EQ(DayOf("1843/02"), 18430200);
  EXPECT_EQ(DayOf("2019/77/01"), 20190000);
  EXPECT_EQ(DayOf("5/1"), std::nullopt);
  EXPECT_EQ(DayOf(""), std::nullopt);
  EXPECT_EQ(DayOf("99999999999999999999"), std::nullopt);
}

TEST(GameFilter, TakesDaysFromAUser) {
  EXPECT_EQ(*ParseDay("2019", false), 20190000);
  EXPECT_EQ(*ParseDay("2019", true), 20199999);
  EXPECT_EQ(*ParseDay("2019-05", true), 20190599);
  EXPECT_EQ(*ParseDay("2019-05-01", true), 20190501);
  EXPECT_EQ(*ParseDay("2020-02-29", false), 20200229);
  for (const char* const text : {"", "2019-13", "2019-13-45", "2019-02-30", "2019-02-29", "2019-00",
                                 "2019-05-00", "2019-", "2019-05-", "2019/05/01", "20190501",
                                 "2019-5-1", "1019", "2019-05-01-", "-2019-05", "2019-05-001"}) {
    EXPECT_EQ(ProblemOf(ParseDay(text, false).status()).code, "bad_date") << text;
    EXPECT_EQ(ProblemOf(ParseDay(text, true).status()).code, "bad_date") << text;
  }
  EXPECT_EQ(ProblemOf(ParseDay("May", false).status()).code, "bad_date");
  EXPECT_EQ(ProblemOf(ParseDay("2019x", false).status()).code, "bad_date");
}

TEST(GameFilter, KeepsWhatSatisfiesEveryDemand) {
  EXPECT_FALSE(GameFilter().any());
  EXPECT_TRUE(Keeps({}, GameRecord()));
  EXPECT_TRUE(Keeps({.min_rating = 2300}));
  EXPECT_FALSE(Keeps({.min_rating = 2301}));
  EXPECT_TRUE(Keeps({.since = 20190501, .until = 20190501}));
  EXPECT_FALSE(Keeps({.since = 20190502}));
  EXPECT_FALSE(Keeps({.until = 20190430}));
  EXPECT_TRUE(Keeps({.result = Result::kFirstWins}));
  EXPECT_FALSE(Keeps({.result = Result::kSecondWins}));
  EXPECT_TRUE(Keeps({.decided = true}));
  EXPECT_TRUE(Keeps({.players = {"Oyama", "Sat"}}));
  EXPECT_FALSE(Keeps({.players = {"Oyama"}}));
  EXPECT_FALSE(Keeps({.min_rating = 2300, .players = {"Oyama"}}));
}

TEST(GameFilter, LeavesOutWhatARecordDoesNotTell) {
  EXPECT_FALSE(Keeps({.min_rating = -5000}, GameRecord()));
  EXPECT_FALSE(Keeps({.since = 0}, GameRecord()));
  EXPECT_FALSE(Keeps({.decided = true}, GameRecord()));
  EXPECT_FALSE(Keeps({.players = {"x"}}, GameRecord()));
}

}  // namespace
}  // namespace joseki::book
