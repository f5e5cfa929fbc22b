#include "book/records/csa_writer.h"

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

std::vector<Move> MovesOf(const std::vector<std::string>& texts) {
  std::vector<Move> moves;
  for (const std::string& text : texts) moves.push_back(shogi::MoveFromUsi(text).value());
  return moves;
}

TEST(CsaWriter, IsReadBack) {
  // A promotion, a capture, a drop.
  const std::vector<Move> moves =
      MovesOf({"7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c", "5e3c+", "2a3c"});
  struct Case {
    Ending ending;
    std::string word;
  };
  const Case cases[] = {
      {{Result::kSecondWins, Termination::kResign}, "%TORYO"},
      {{Result::kDraw, Termination::kMaxPlies}, "%MAX_MOVES"},
      {{Result::kFirstWins, Termination::kDeclaration}, "%KACHI"},
      {{Result::kSecondWins, Termination::kNoLegalMove}, "%TSUMI"},
      {{Result::kSecondWins, Termination::kPerpetualCheck}, "%+ILLEGAL_ACTION"},
      {{Result::kNone, Termination::kCrash}, "%CHUDAN"},
  };
  std::string all;
  for (const Case& test : cases) {
    const auto text = WriteCsa({.event = "run 1 game 2", .moves = moves, .ending = test.ending});
    ASSERT_TRUE(text.ok()) << text.status();
    all += (all.empty() ? "" : "/\n") + *text;
  }
  EXPECT_THAT(all, HasSubstr("+8822UM\n-3122GI\n+0055KA\n"));
  std::vector<GameRecord> games;
  RecordSink sink;
  sink.accept = [&](GameRecord game) { games.push_back(std::move(game)); };
  sink.reject = [](const absl::Status& status) { ADD_FAILURE() << status; };
  ReadCsa(all, "f.csa", sink);
  ASSERT_EQ(games.size(), std::size(cases));
  for (size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(games[i].moves, moves);
    EXPECT_EQ(games[i].result, cases[i].ending.result) << cases[i].word;
    EXPECT_EQ(games[i].end, cases[i].word);
    EXPECT_EQ(games[i].event, "run 1 game 2");
  }
}

TEST(CsaWriter, WritesAnyPosition) {
  const auto text = WriteCsa({.start = "4k4/9/9/9/9/9/9/9/4K4 w G2p 5",
                              .moves = MovesOf({"P*5e"}),
                              .ending = {Result::kFirstWins, Termination::kResign}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("P1 *  *  *  * -OU *  *  *  * \n"));
  EXPECT_THAT(*text, HasSubstr("P+00KI\nP-00FU\nP-00FU\n-\n-0055FU\n%TORYO\n"));
}

TEST(CsaWriter, RefusesWhatIsNoGame) {
  EXPECT_EQ(ProblemOf(WriteCsa({.moves = MovesOf({"7g7e"})}).status()).code, "illegal_move");
  EXPECT_FALSE(WriteCsa({.start = "nonsense"}).ok());
}

}  // namespace
}  // namespace joseki::book
