#include "engine/shogi/sfen.h"

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

// Fit to be shown: one line of plain characters, not too long.
void ExpectOneLine(absl::string_view message) {
  EXPECT_LT(message.size(), 300u);
  for (const char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << message;
}

TEST(Sfen, TheStartPositionBothWays) {
  EXPECT_EQ(ToSfen(Position(), 1), kStartSfen);
  EXPECT_EQ(At("startpos").key(), At(kStartSfen).key());
  EXPECT_EQ(ParseSfen(kStartSfen)->ply, 1);
}

TEST(Sfen, KeepsThePlyAndAcceptsItsAbsence) {
  EXPECT_EQ(ParseSfen("4k4/9/9/9/9/9/9/9/4K4 b - 124")->ply, 124);
  EXPECT_EQ(ParseSfen("4k4/9/9/9/9/9/9/9/4K4 b -")->ply, 1);
}

TEST(Sfen, WritesHandsInTheirOrder) {
  EXPECT_EQ(ToSfen(At("4k4/9/9/9/9/9/9/9/4K4 w 2p3PrGb2S 9"), 9),
            "4k4/9/9/9/9/9/9/9/4K4 w G2S3Prb2p 9");
}

TEST(Sfen, RefusesEveryBrokenOneWithItsRule) {
  const auto rows = testing::ReadTsv(testing::TestData("broken_sfens.tsv"));
  ASSERT_GE(rows.size(), 60u);
  for (const auto& row : rows) {
    const std::string sfen = row.size() > 1 ? row[1] : "";
    auto parsed = ParseSfen(sfen);
    ASSERT_FALSE(parsed.ok()) << sfen;
    EXPECT_EQ(ProblemOf(parsed.status()).code, row[0]) << sfen;
    EXPECT_FALSE(ProblemOf(parsed.status()).expected.empty()) << sfen;
    ExpectOneLine(parsed.status().message());
    EXPECT_NE(parsed.status().message().find(row[0]), absl::string_view::npos) << sfen;
  }
}

TEST(Sfen, RefusesForeignBytesAndNamesTheField) {
  const std::pair<const char*, std::string> cases[] = {
      {"bad_ply", std::string("4k4/9/9/9/9/9/9/9/4K4 b - 1\0", 28)},
      {"bad_board", std::string("4k4/9/9/9/\0/9/9/9/4K4 b - 1", 27)},
      {"bad_side", std::string("4k4/9/9/9/9/9/9/9/4K4 b\0 - 1", 28)},
      {"bad_hand", "4k4/9/9/9/9/9/9/9/4K4 b \xff\xfe 1"},  // no UTF-8
      {"bad_board", "4k4/9/9/9/9/9/9/9/4\xc3 b - 1"},      // cut off inside a character
      {"bad_board",
       "\xef\xbb\xbf"
       "4k4/9/9/9/9/9/9/9/4K4 b - 1"},  // a byte order mark
      {"bad_board",
       "4\xe7\x8e\x89"
       "4/9/9/9/9/9/9/9/4K4 b - 1"},  // a piece in kanji
      {"bad_board", std::string(1 << 20, '9')},
      {"bad_board", "4k4/9/9/9/9/9/9/9/4K4 b - 1" + std::string(300, ' ')},
  };
  for (const auto& [code, sfen] : cases) {
    const auto parsed = ParseSfen(sfen);
    ASSERT_FALSE(parsed.ok()) << code;
    EXPECT_EQ(ProblemOf(parsed.status()).code, code);
    ExpectOneLine(parsed.status().message());
  }
  const auto quoted = ParseSfen("4k4/9/9/9/9/9/9/9/4K\x01 b - 1");
  EXPECT_EQ(ProblemOf(quoted.status()).found.find('\x01'), std::string::npos);
}

TEST(Usi, MovesBothWays) {
  for (const char* text : {"7g7f", "8h2b+", "P*5e", "1a9i", "9i1a+", "G*1a"}) {
    auto move = MoveFromUsi(text);
    ASSERT_TRUE(move.has_value()) << text;
    EXPECT_EQ(ToUsi(*move), text);
  }
}

TEST(Usi, RefusesWhatIsNoMove) {
  for (const char* text : {"", "7g", "7g7", "7g7f++", "7g7f=", "0g7f", "7g7j", "K*5e", "p*5e",
                           "P*5e+", "P*", "resign", "win", "none", "7g7g", "7g7f "}) {
    EXPECT_FALSE(MoveFromUsi(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace joseki::shogi
