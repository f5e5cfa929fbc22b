#include "book/database/extended_book.h"

#include <map>
#include <string>
#include <vector>

#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

book::GameRecord Game(const std::vector<const char*>& moves, Result result = Result::kNone) {
  book::GameRecord game;
  for (const char* move : moves) game.moves.push_back(*shogi::MoveFromUsi(move));
  game.result = result;
  return game;
}

// The bonuses at the start position.
std::map<std::string, int> AtStart(const ExtendedBook& book) {
  std::map<std::string, int> bonuses;
  for (const book::DbPosition& position : book.Make()) {
    if (position.packed != shogi::Pack(shogi::Position())) continue;
    for (const book::DbMove& move : position.moves) bonuses[shogi::ToUsi(move.move)] = move.value;
  }
  return bonuses;
}

// Numbers of games that begin with 7g7f and with 2g2f; `change` modifies the first ones.
template <typename Change>
std::map<std::string, int> Bonuses(const Change& change, int games = 10) {
  ExtendedBook book(shogi::ShogiRules(), {});
  for (int i = 0; i < games; ++i) {
    book::GameRecord one = Game({"7g7f"});
    change(one);
    book.Add(one);
    book.Add(Game({"2g2f"}));
  }
  return AtStart(book);
}

TEST(ExtendedBook, CountsHowOftenAMoveWasPlayedAndItsShare) {
  ExtendedBook book(shogi::ShogiRules(), {});
  for (int i = 0; i < 90; ++i) book.Add(Game({"7g7f", "3c3d"}));
  for (int i = 0; i < 9; ++i) book.Add(Game({"2g2f"}));
  book.Add(Game({"9g9f"}));
  const auto bonuses = AtStart(book);
  EXPECT_GT(bonuses.at("7g7f"), 40);
  EXPECT_LT(bonuses.at("9g9f"), 0);
  EXPECT_GT(bonuses.at("9g9f"), -10);  // one game says little
  EXPECT_LE(bonuses.at("2g2f"), 0);
  EXPECT_EQ(book.Make().size(), 2u);
  EXPECT_EQ(book.games(), 100);
  // All shares alike, more games say more.
  const auto nothing = [](book::GameRecord&) {};
  EXPECT_EQ(Bonuses(nothing).at("7g7f"), Bonuses(nothing).at("2g2f"));
  EXPECT_GT(Bonuses(nothing, 100).at("7g7f"), Bonuses(nothing, 2).at("7g7f"));
}

TEST(ExtendedBook, EachThingThatSpeaksForAMoveRaisesIt) {
  const int plain = Bonuses([](book::GameRecord&) {}).at("7g7f");
  const auto won = Bonuses([](book::GameRecord& game) { game.result = Result::kFirstWins; });
  EXPECT_GT(won.at("7g7f"), plain);
  EXPECT_EQ(won.at("2g2f"), plain);
  EXPECT_LT(Bonuses([](book::GameRecord& game) { game.result = Result::kSecondWins; }).at("7g7f"),
            plain);
  // Beside players of 2000 who play the other move.
  ExtendedBook strong(shogi::ShogiRules(), {});
  ExtendedBook late(shogi::ShogiRules(), {});
  for (int i = 0; i < 10; ++i) {
    book::GameRecord one = Game({"7g7f"});
    book::GameRecord other = Game({"2g2f"});
    one.ratings[0] = 2200;
    other.ratings[0] = 2000;
    strong.Add(one);
    strong.Add(other);
    one = Game({"7g7f"});
    other = Game({"2g2f"});
    one.date = "2020/01/01";
    other.date = "1990/01/01";
    late.Add(one);
    late.Add(other);
  }
  EXPECT_GT(AtStart(strong).at("7g7f"), plain);
  EXPECT_LT(AtStart(strong).at("2g2f"), plain);
  EXPECT_GT(AtStart(late).at("7g7f"), plain);
  EXPECT_LT(AtStart(late).at("2g2f"), plain);
  const auto praised =
      Bonuses([](book::GameRecord& game) { game.opinions.push_back({.ply = 1, .value = 300}); });
  EXPECT_GT(praised.at("7g7f"), plain);
  EXPECT_LT(Bonuses([](book::GameRecord& game) {
              game.opinions.push_back({.ply = 1, .value = -300});
            }).at("7g7f"),
            plain);
}

TEST(ExtendedBook, LinesOfCommentsCountHalf) {
  ExtendedBook played(shogi::ShogiRules(), {});
  ExtendedBook shown(shogi::ShogiRules(), {});
  for (int i = 0; i < 10; ++i) {
    played.Add(Game({"7g7f"}));
    shown.Add(book::Variation{.line = 1, .first = 1, .moves = Game({"7g7f", "3c3d"}).moves});
  }
  EXPECT_NEAR(AtStart(shown).at("7g7f"), AtStart(played).at("7g7f") / 2.0, 1);
  EXPECT_EQ(shown.variations(), 10);
  // Only its own moves are the variation's.
  ExtendedBook late(shogi::ShogiRules(), {});
  late.Add(book::Variation{.line = 1, .first = 2, .moves = Game({"7g7f", "3c3d"}).moves});
  EXPECT_TRUE(AtStart(late).empty());
  EXPECT_EQ(late.Make().size(), 1u);
}

TEST(ExtendedBook, KeepsWithinItsOptions) {
  ExtendedBook book(shogi::ShogiRules(), {.plies = 2, .most = 7, .min_games = 2});
  for (int i = 0; i < 1000; ++i) {
    book.Add(Game({"7g7f", i == 0 ? "8c8d" : "3c3d", "2g2f"}, Result::kFirstWins));
  }
  book.Add(Game({"2g2f", "8c8d"}));
  EXPECT_EQ(book.Make().size(), 2u);  // after 2g2f only one game went on, and ply 3 is too late
  for (const book::DbPosition& position : book.Make()) {
    for (const book::DbMove& move : position.moves) {
      EXPECT_LE(move.value, 7);
      EXPECT_GE(move.value, -7);
    }
  }
}

}  // namespace
}  // namespace joseki::book
