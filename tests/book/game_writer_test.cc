#include "book/records/game_writer.h"

#include <string>
#include <vector>

#include "base/problem.h"
#include "book/records/record.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Move> Played(const std::vector<std::string>& texts) {
  std::vector<Move> moves;
  for (const std::string& text : texts) moves.push_back(shogi::MoveFromUsi(text).value());
  return moves;
}

std::vector<GameRecord> ReadBack(void (*read)(std::string_view, std::string_view,
                                              const RecordSink&),
                                 const std::string& text) {
  std::vector<GameRecord> games;
  RecordSink sink;
  sink.accept = [&](GameRecord game) { games.push_back(std::move(game)); };
  sink.reject = [](const absl::Status& status) { ADD_FAILURE() << status; };
  read(text, "f", sink);
  return games;
}

TEST(KifWriter, IsReadBack) {
  // A promotion, a capture where the move before went to, a drop.
  const std::vector<Move> moves =
      Played({"7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c", "5e3c+", "2a3c"});
  struct Case {
    Ending ending;
    std::string word;
  };
  const Case cases[] = {
      {{Result::kSecondWins, Termination::kResign}, "投了"},
      {{Result::kDraw, Termination::kMaxPlies}, "引き分け"},
      {{Result::kFirstWins, Termination::kDeclaration}, "入玉勝ち"},
      {{Result::kDraw, Termination::kDeclaration}, "持将棋"},
      {{Result::kSecondWins, Termination::kNoLegalMove}, "詰み"},
      {{Result::kDraw, Termination::kRepetition}, "千日手"},
      {{Result::kSecondWins, Termination::kPerpetualCheck}, "反則負け"},
      {{Result::kFirstWins, Termination::kPerpetualCheck}, "反則勝ち"},
      {{Result::kNone, Termination::kCrash}, "中断"},
  };
  const GameWriter* const kif = GameWriterNamed("shogi", "kif");
  ASSERT_NE(kif, nullptr);
  std::string all;
  for (const Case& test : cases) {
    const auto text = kif->write({.event = "run 1 game 2",
                                  .moves = moves,
                                  .ending = test.ending,
                                  .players = {"my book", "yours"}});
    ASSERT_TRUE(text.ok()) << text.status();
    all += (all.empty() ? "" : std::string(kif->separator)) + *text;
  }
  EXPECT_THAT(all, HasSubstr("   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n"));
  const std::vector<GameRecord> games = ReadBack(ReadKif, all);
  ASSERT_EQ(games.size(), std::size(cases));
  for (size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(games[i].moves, moves);
    EXPECT_EQ(games[i].result, cases[i].ending.result) << cases[i].word;
    EXPECT_EQ(games[i].event, "run 1 game 2");
    EXPECT_EQ(games[i].players[0], "my book");
    EXPECT_EQ(games[i].players[1], "yours");
  }
}

TEST(KifWriter, WritesAnyPosition) {
  const auto text = GameWriterNamed("shogi", "kif")
                        ->write({.start = "4k4/9/9/9/4+p4/9/9/9/4K4 w R12Pb 1", .moves = {}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("後手の持駒：角\n"));
  EXPECT_THAT(*text, HasSubstr("先手の持駒：飛　歩十二\n後手番\n"));
  EXPECT_THAT(*text, HasSubstr("| ・ ・ ・ ・vと ・ ・ ・ ・|五\n"));
  const std::vector<Move> illegal = Played({"7g7f"});
  for (const char* const name : {"csa", "kif", "usi"}) {
    const auto none = GameWriterNamed("shogi", name)
                          ->write({.start = "4k4/9/9/9/9/9/9/9/4K4 b - 1", .moves = illegal});
    EXPECT_EQ(ProblemOf(none.status()).code, "illegal_move") << name;
  }
}

TEST(LineWriter, IsReadBack) {
  const std::vector<Move> moves = Played({"7g7f", "3c3d"});
  const auto text = GameWriterNamed("shogi", "usi")->write({.moves = moves});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, "startpos moves 7g7f 3c3d\n");
  EXPECT_EQ(ReadBack(ReadUsi, *text)[0].moves, moves);
  const auto elsewhere =
      GameWriterNamed("shogi", "usi")->write({.start = "4k4/9/9/9/9/9/9/9/4K4 b - 1"});
  EXPECT_THAT(*elsewhere, StartsWith("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"));
  EXPECT_EQ(*GameWriterNamed("xiangqi", "ucci")->write({}), "startpos\n");
}

TEST(GameWriter, IsOfOneGame) {
  EXPECT_EQ(GameWriterOf("shogi")->name, "csa");
  EXPECT_EQ(GameWriterOf("xiangqi")->name, "pgn");
  EXPECT_EQ(GameWriterNamed("xiangqi", "kif"), nullptr);
  EXPECT_EQ(GameWriterNamed("shogi", "pgn"), nullptr);
}

}  // namespace
}  // namespace joseki::book
