// Records of xiangqi: PGN in three notations, XQF with its trees.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/game_writer.h"
#include "book/records/lines.h"
#include "book/records/pgn_games.h"
#include "book/records/pgn_writer.h"
#include "book/records/record.h"
#include "book/records/spoken_move.h"
#include "book/records/xiangqi_notation.h"
#include "engine/xiangqi/fen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::ReadTsv;
using ::joseki::testing::SharedData;
using ::joseki::testing::TestData;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct ReadXiangqi {
  std::vector<GameRecord> games;
  std::vector<Variation> variations;
  std::vector<Problem> problems;
};

ReadXiangqi ReadOf(std::string_view bytes) {
  ReadXiangqi read;
  RecordSink sink;
  sink.accept = [&](GameRecord game) { read.games.push_back(std::move(game)); };
  sink.variation = [&](Variation line) { read.variations.push_back(std::move(line)); };
  sink.reject = [&](absl::Status problem) { read.problems.push_back(ProblemOf(problem)); };
  ReadRecords(bytes, "f", sink);
  return read;
}

std::string UcciOf(const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves)
    absl::StrAppend(&text, text.empty() ? "" : " ", xiangqi::ToUcci(move));
  return text;
}

std::vector<std::string> CodesOf(const ReadXiangqi& read) {
  std::vector<std::string> codes;
  for (const Problem& problem : read.problems) {
    codes.push_back(absl::StrCat(problem.line, " ", problem.code));
  }
  return codes;
}

xiangqi::Position At(std::string_view fen) { return xiangqi::ParseFen(fen)->position; }

// The move's names in the three notations; checks that each is read back.
std::string Names(const xiangqi::Position& position, std::string_view ucci) {
  const Move move = *xiangqi::MoveFromUcci(ucci);
  std::string all;
  for (const auto notation :
       {XiangqiNotation::kIccs, XiangqiNotation::kWxf, XiangqiNotation::kChinese}) {
    const std::string text = NotationOf(position, move, notation);
    const auto read = ParseNotation(position, text);
    EXPECT_TRUE(read.ok()) << text << read.status();
    EXPECT_EQ(read.value_or(Move()), move) << text;
    absl::StrAppend(&all, all.empty() ? "" : " ", text);
  }
  return all;
}

TEST(XiangqiNotation, NamesPiecesByFileAndByPlace) {
  const xiangqi::Position start;
  EXPECT_EQ(Names(start, "h2e2"), "H2-E2 C2=5 炮二平五");
  EXPECT_EQ(Names(start, "b0c2"), "B0-C2 N8+7 马八进七");
  EXPECT_EQ(Names(start, "g3g4"), "G3-G4 P3+1 兵三进一");
  EXPECT_EQ(Names(start, "c0e2"), "C0-E2 B7+5 相七进五");
  const xiangqi::Position black =
      At("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b");
  EXPECT_EQ(Names(black, "h9g7"), "H9-G7 N8+7 马８进７");
  EXPECT_EQ(Names(black, "h7e7"), "H7-E7 C8=5 炮８平５");

  // Two cannons, three and five pawns on a file; pawns on two files.
  EXPECT_EQ(Names(At("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w"), "e6e5"), "E6-E5 C+-1 前炮退一");
  EXPECT_EQ(Names(At("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w"), "e2d2"), "E2-D2 C-=6 后炮平六");
  const xiangqi::Position three = At("3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w");
  EXPECT_EQ(Names(three, "c7d7"), "C7-D7 P+=6 前兵平六");
  EXPECT_EQ(Names(three, "c6d6"), "C6-D6 P.=6 中兵平六");
  EXPECT_EQ(Names(three, "c5d5"), "C5-D5 P-=6 后兵平六");
  const xiangqi::Position five = At("3k5/2P6/2P6/2P6/2P6/2P6/9/9/9/4K4 w");
  EXPECT_EQ(Names(five, "c5b5"), "C5-B5 Pd=8 四兵平八");
  // Numbers begin on the right, and go from the front of each file to its rear.
  const xiangqi::Position two = At("3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w");
  EXPECT_EQ(Names(two, "g7h7"), "G7-H7 Pa=2 一兵平二");
  EXPECT_EQ(Names(two, "g6h6"), "G6-H6 Pb=2 二兵平二");
  EXPECT_EQ(Names(two, "c6b6"), "C6-B6 Pd=8 四兵平八");
  EXPECT_EQ(UcciOf({*ParseNotation(two, "前七平八")}), "c7b7");
  // Black's front is at the other end, its right the other side.
  const xiangqi::Position blacks = At("4k4/9/9/9/9/6p2/6p2/2p6/2p6/3K5 b");
  EXPECT_EQ(Names(blacks, "c1b1"), "C1-B1 Pa=2 一卒平２");
  EXPECT_EQ(Names(blacks, "g4h4"), "G4-H4 Pd=8 四卒平８");
  // The possible destinations tell apart two advisers on a file.
  const xiangqi::Position advisers = At("3k5/9/9/9/9/9/9/3A5/9/3AK4 w");
  EXPECT_EQ(Names(advisers, "d0e1"), "D0-E1 A6+5 仕六进五");
  EXPECT_EQ(Names(advisers, "d2e1"), "D2-E1 A6-5 仕六退五");
}

TEST(XiangqiNotation, ReadsOtherSpellings) {
  const xiangqi::Position start;
  for (const char* text : {"h2e2", "H2E2", "c2.5", "C2=5", "砲二平五", "包2平5", "炮２平５"}) {
    const auto move = ParseNotation(start, text);
    ASSERT_TRUE(move.ok()) << text;
    EXPECT_EQ(xiangqi::ToUcci(*move), "h2e2") << text;
  }
  EXPECT_EQ(xiangqi::ToUcci(*ParseNotation(start, "H2+3")), "h0g2");
  EXPECT_EQ(xiangqi::ToUcci(*ParseNotation(start, "E3+5")), "g0e2");
  EXPECT_EQ(xiangqi::ToUcci(*ParseNotation(start, "傌二進三")), "h0g2");
  const xiangqi::Position cannons = At("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w");
  EXPECT_EQ(xiangqi::ToUcci(*ParseNotation(cannons, "+C=4")), "e6f6");
  EXPECT_EQ(xiangqi::ToUcci(*ParseNotation(cannons, "後炮平四")), "e2f2");
}

TEST(XiangqiNotation, GuessesNoMove) {
  const xiangqi::Position start;
  const auto code = [](const xiangqi::Position& position, std::string_view text) {
    return ProblemOf(ParseNotation(position, text).status()).code;
  };
  for (const char* text : {"", "C2", "C2=5x", "X2=5", "炮二平", "炮二五平", "炮", "前", " 2=5"}) {
    EXPECT_EQ(code(start, text), "malformed_move") << text;
  }
  for (const char* text : {"C2=8", "C3=5", "N2+5", "h2h8", "前炮平五", "K5=5", "A4=5"}) {
    EXPECT_EQ(code(start, text), "illegal_move") << text;
  }
  EXPECT_EQ(code(At("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w"), "C5=4"), "ambiguous_move");
  EXPECT_EQ(code(At("3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w"), "前兵进一"), "ambiguous_move");
}

constexpr char kGame[] =
    "[Game \"Chinese Chess\"]\n"
    "[Event \"杯 [1]\"]\n"
    "[Red \"甲\"]\n[Black \"乙\"]\n[RedElo \"2400\"]\n[Date \"2009.04.10\"]\n[Result \"1-0\"]\n"
    "\n"
    " 1. 炮二平五 马８进７ {好棋\n; 1. 兵一进一}\n"
    " 2. H0-G2! (2. 兵三进一 (2. 炮八平六) 车９平８) $1 R9=8?\n"
    " ; 3. xxx\n"
    " 3. 车一平二 1-0\n"
    "http://somewhere/\n";

TEST(Pgn, ReadsMovesOfAnyNotationBetweenCommentsAndVariations) {
  const ReadXiangqi read = ReadOf(kGame);
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.games.size(), 1u);
  const GameRecord& game = read.games[0];
  EXPECT_EQ(UcciOf(game.moves), "h2e2 h9g7 h0g2 i9h9 i0h0");
  EXPECT_EQ(game.result, Result::kFirstWins);
  EXPECT_EQ(game.end, "1-0");
  EXPECT_EQ(game.event, "杯 [1]");
  EXPECT_EQ(game.players[0], "甲");
  EXPECT_EQ(game.players[1], "乙");
  EXPECT_EQ(game.ratings[0], 2400);
  EXPECT_EQ(game.date, "2009.04.10");
  EXPECT_EQ(game.line, 1);
}

TEST(Pgn, ReadsOnAfterABrokenGame) {
  const ReadXiangqi read = ReadOf(
      "[Event \"1\"]\n\n1. C2=5 *\n"
      "[Event \"2\"]\n\n1. C2=5 xyz\n"
      "[Event \"3\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R w\"]\n[Result \"1-0\"]\n\n1. R1+1 1-0\n"
      "[Event \"4\"]\n[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 4 "
      "9\"]\n"
      "\n1. H2-E2 H9-G7 1/2-1/2\n"
      "[Event \"5\"]\n[FEN \"9/9/9/9/9/9/9/9/9/4K3R w\"]\n\n1. R1+1\n"
      "[Game \"Chess\"]\n[Event \"6\"]\n\n1. e4 e5\n"
      "[Event \"7\"]\n\n{nothing}\n"
      "[Event \"8\"]\n[Result \"0-1\"]\n\n1. H2E2\n");
  EXPECT_THAT(CodesOf(read), ElementsAre("6 malformed_move", "8 not_even_start", "17 no_king",
                                         "20 other_game", "24 no_moves"));
  ASSERT_EQ(read.games.size(), 3u);
  EXPECT_EQ(read.games[0].result, Result::kNone);
  EXPECT_EQ(UcciOf(read.games[1].moves), "h2e2 h9g7");
  EXPECT_EQ(read.games[1].result, Result::kDraw);
  EXPECT_EQ(read.games[2].result, Result::kSecondWins);
  EXPECT_EQ(read.games[2].event, "8");
}

TEST(Pgn, ReadsLinesThatEndInTwoCarriageReturns) {
  const std::string text =
      "[Game \"Chinese Chess\"]\r\r\n\r\r\n[Red \"A\"]\r\r\n\r\r\n  1.C2=5 N8+7\r\r\n  "
      "2.N2+3\r\r\n";
  const ReadXiangqi read = ReadOf(text);
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(UcciOf(read.games[0].moves), "h2e2 h9g7 h0g2");
  EXPECT_EQ(read.games[0].players[0], "A");
  EXPECT_EQ(PgnCutOf(text + text), text.size());
}

TEST(Pgn, CutsOnlyBeforeAGame) {
  const std::string one = kGame;
  const std::string two = one + "[Game \"Chinese Chess\"]\n\n[Site \"x\"]\n\n1. 炮二平五 *\n";
  EXPECT_EQ(PgnCutOf(two), one.size());
  EXPECT_EQ(PgnCutOf(one), 0u);
  EXPECT_EQ(PgnCutOf(one + "[Event"), 0u);
  EXPECT_EQ(PgnCutOf(""), 0u);
}

TEST(Pgn, GamesRoundTrip) {
  const ReadXiangqi read = ReadOf(kGame);
  ASSERT_EQ(read.games.size(), 1u);
  const std::vector<Move>& moves = read.games[0].moves;
  const auto write = [&](const WrittenGame& game) { return *WritePgn(game); };
  const std::string text = write({.event = "run \"1\"",
                                  .moves = moves,
                                  .ending = {Result::kSecondWins, Termination::kPerpetualChase}});
  EXPECT_EQ(text,
            "[Game \"Chinese Chess\"]\n[Event \"run '1'\"]\n[Result \"0-1\"]\n\n"
            "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 {perpetual_chase} 0-1\n\n");
  const ReadXiangqi again = ReadOf(text + text);
  ASSERT_EQ(again.games.size(), 2u);
  EXPECT_EQ(again.games[1].moves, moves);
  EXPECT_EQ(again.games[1].result, Result::kSecondWins);
  // A fault is no loss.
  EXPECT_NE(write({.moves = moves, .ending = {Result::kSecondWins, Termination::kCrash}})
                .find("{crash} *"),
            std::string::npos);
  // From another position, Black to move.
  const std::string black = write({.start = "5k3/9/9/9/9/9/9/9/4r4/3K5 b - - 0 7",
                                   .moves = std::vector{*xiangqi::MoveFromUcci("e1e0")}});
  EXPECT_THAT(black, HasSubstr("[FEN \"5k3/9/9/9/9/9/9/9/4r4/3K5 b - - 0 7\"]\n"));
  EXPECT_THAT(black, HasSubstr("\n7... E1-E0 *\n"));
  EXPECT_EQ(
      ProblemOf(WritePgn({.moves = std::vector{*xiangqi::MoveFromUcci("h2h8")}}).status()).code,
      "illegal_move");
  EXPECT_FALSE(WritePgn({.start = "nonsense"}).ok());
}

TEST(Xqf, ReadsATreeOfAnyVersion) {
  for (const char* file : {"tree_v10.xqf", "tree_v11.xqf", "tree_v18.xqf"}) {
    SCOPED_TRACE(file);
    const ReadXiangqi read = ReadOf(Bytes(TestData(absl::StrCat("xqf/", file))));
    EXPECT_TRUE(read.problems.empty());
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ(UcciOf(read.games[0].moves), "h2e2 h9g7 h0g2");
    EXPECT_EQ(read.games[0].result, Result::kFirstWins);
    EXPECT_EQ(read.games[0].players[0], "甲");
    ASSERT_EQ(read.variations.size(), 2u);
    EXPECT_EQ(UcciOf(read.variations[0].moves), "h2e2 b9c7 h0g2");
    EXPECT_EQ(read.variations[0].first, 2);
    EXPECT_EQ(UcciOf(read.variations[1].moves), "b2e2");
    EXPECT_EQ(read.variations[1].first, 1);
  }
}

TEST(Xqf, KeepsAVariationUpToItsBreak) {
  const ReadXiangqi read = ReadOf(Bytes(TestData("xqf/broken_branch_v10.xqf")));
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(UcciOf(read.games[0].moves), "h2e2 h9g7");
  ASSERT_EQ(read.variations.size(), 1u);
  EXPECT_EQ(UcciOf(read.variations[0].moves), "b2e2");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].code, "illegal_move");
  EXPECT_EQ(read.problems[0].found, "'h9h5' at ply 2");
}

TEST(Xqf, NamesFaults) {
  const std::string whole = Bytes(TestData("xqf/tree_v10.xqf"));
  const auto code = [](const std::string& bytes) {
    const ReadXiangqi read = ReadOf(bytes);
    EXPECT_TRUE(read.games.empty());
    EXPECT_EQ(read.problems.size(), 1u);
    return read.problems.empty() ? "" : read.problems[0].code;
  };
  EXPECT_EQ(code(Bytes(TestData("xqf/broken_v18.xqf"))), "illegal_move");
  const auto changed = [&](size_t at, int byte) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(byte);
    return bytes;
  };
  EXPECT_EQ(code(changed(2, 19)), "unknown_version");
  EXPECT_EQ(code(changed(2, 0)), "unknown_version");
  EXPECT_EQ(code(changed(16, 90)), "not_even_start");  // a rook is nowhere
  EXPECT_EQ(code(changed(50, 1)), "not_even_start");   // Black begins
  EXPECT_EQ(code(changed(1024 + 2, 0)), "no_moves");
  EXPECT_EQ(code(changed(1024 + 7, 1)), "bad_xqf");  // a comment of 16 MiB
  EXPECT_EQ(code(changed(1024 + 8, 24 + 90)), "malformed_move");
  EXPECT_EQ(code(whole.substr(0, 1024 + 12)), "bad_xqf");
  EXPECT_EQ(code(whole.substr(0, 1000)), "bad_xqf");
}

TEST(GameWriter, FollowsTheGame) {
  ASSERT_NE(GameWriterOf("xiangqi"), nullptr);
  EXPECT_EQ(GameWriterOf("xiangqi")->suffix, ".pgn");
  ASSERT_NE(GameWriterOf("shogi"), nullptr);
  EXPECT_EQ(GameWriterOf("shogi")->suffix, ".csa");
  EXPECT_EQ(GameWriterOf("chess"), nullptr);
}

// The shared files, each beside the result of an independent converter.
TEST(SharedXiangqiRecords, MovesEqualAnotherConverters) {
  const std::filesystem::path raw = SharedData("games/raw");
  JOSEKI_REQUIRE_SHARED_DATA(raw);
  int games = 0;
  int endings = 0;
  for (const auto& row : ReadTsv(raw / "expected_moves.tsv")) {
    if (row[0].rfind("xiangqi", 0) != 0) continue;
    SCOPED_TRACE(row[0]);
    const ReadXiangqi read = ReadOf(Bytes(raw / row[0]));
    if (row[1].rfind("fen ", 0) == 0) {
      ++endings;
      ASSERT_EQ(read.problems.size(), 1u);
      EXPECT_EQ(read.problems[0].code, "not_even_start");
      // The board is the one that the converter found.
      const std::string board = row[1].substr(4, row[1].find(' ', 4) - 4);
      EXPECT_THAT(read.problems[0].found, StartsWith("'" + board + " "));
      continue;
    }
    ++games;
    for (const Problem& p : read.problems) ADD_FAILURE() << p.line << " " << p.code << p.found;
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ("startpos moves " + UcciOf(read.games[0].moves), row[1]);
  }
  EXPECT_EQ(games, 185);
  EXPECT_EQ(endings, 37);
}

// Five trees have 13,148 lines. 24 of them break at an illegal move; two break together where they
// branch off.
TEST(SharedXiangqiRecords, EveryLineOfATreeIsRead) {
  size_t lines = 0;
  size_t broken = 0;
  for (int tree = 1; tree <= 5; ++tree) {
    const auto path =
        SharedData(absl::StrCat("books/xiangqi_opening_trees_xqf/tree", tree, ".xqf"));
    JOSEKI_REQUIRE_SHARED_DATA(path);
    const ReadXiangqi read = ReadOf(Bytes(path));
    for (const Problem& problem : read.problems) {
      EXPECT_EQ(problem.code, "illegal_move") << problem.found << problem.expected;
    }
    EXPECT_EQ(read.games.size(), 1u);
    lines += read.games.size() + read.variations.size();
    broken += read.problems.size();
  }
  EXPECT_EQ(lines, 13'148u - 2);
  EXPECT_EQ(broken, 24u);
}

// All games of both collections, written in each notation and read again.
TEST(SharedXiangqiRecords, EveryGameRoundTrips) {
  std::vector<std::vector<Move>> games;
  for (const char* file : {"games/xiangqi_otb_masters.ucci", "games/xiangqi_online_ranked.ucci"}) {
    const std::filesystem::path path = SharedData(file);
    JOSEKI_REQUIRE_SHARED_DATA(path);
    const ReadXiangqi read = ReadOf(Bytes(path));
    EXPECT_TRUE(read.problems.empty());
    for (const GameRecord& game : read.games) games.push_back(game.moves);
  }
  ASSERT_EQ(games.size(), 18'612u);
  for (const auto notation :
       {XiangqiNotation::kIccs, XiangqiNotation::kWxf, XiangqiNotation::kChinese}) {
    std::string text;
    for (const auto& moves : games) text += *WritePgn({.moves = moves}, notation);
    const ReadXiangqi again = ReadOf(text);
    EXPECT_TRUE(again.problems.empty());
    ASSERT_EQ(again.games.size(), games.size());
    size_t equal = 0;
    for (size_t i = 0; i < games.size(); ++i) equal += again.games[i].moves == games[i] ? 1 : 0;
    EXPECT_EQ(equal, games.size());
  }
}

}  // namespace
}  // namespace joseki::book
