// Books of xiangqi: ElephantEye's, and the formats that hold either game; names of openings.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "book/formats/book_file.h"
#include "book/formats/eleeye.h"
#include "book/formats/fit.h"
#include "book/formats/game_form.h"
#include "book/formats/json_book.h"
#include "book/formats/probe_file.h"
#include "book/formats/reader.h"
#include "book/formats/turned.h"
#include "book/formats/usi_lines.h"
#include "book/openings/ecco.h"
#include "book/openings/openings.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/symmetry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::ReadTsv;
using ::joseki::testing::SharedData;
using ::testing::ElementsAre;

xiangqi::Position AfterMoves(std::string_view moves) {
  xiangqi::Position position;
  for (size_t at = 0; at < moves.size(); at += 5) {
    const auto move = xiangqi::ParseMove(position, moves.substr(at, 4));
    EXPECT_TRUE(move.ok()) << moves << move.status();
    if (!move.ok()) break;
    xiangqi::Undo undo;
    position.Do(*move, undo);
  }
  return position;
}

Move Ucci(std::string_view text) { return *xiangqi::MoveFromUcci(text); }

DbPosition XiangqiEntry(std::string_view moves, int ply,
                        const std::vector<std::pair<const char*, uint64_t>>& counts) {
  DbPosition entry;
  entry.line = 1;
  entry.packed = xiangqi::Pack(AfterMoves(moves));
  entry.ply = ply;
  for (const auto& [move, count] : counts) {
    entry.moves.push_back({.move = Ucci(move), .count = count});
  }
  return entry;
}

std::vector<DbPosition> SmallBook() {
  std::vector<DbPosition> book = {XiangqiEntry("", 1, {{"h2e2", 40}, {"g3g4", 7}}),
                                  XiangqiEntry("h2e2", 2, {{"h9g7", 30}, {"b9c7", 9}}),
                                  XiangqiEntry("h2e2 h9g7", 3, {{"h0g2", 20}})};
  Canonicalise(book);
  return book;
}

struct XiangqiRead {
  std::vector<DbPosition> positions;
  std::vector<Problem> problems;
  absl::Status status;
};
XiangqiRead ReadXiangqiAs(BookFormat format, std::string_view bytes) {
  XiangqiRead read;
  DbSink sink;
  sink.accept = [&](DbPosition position) { read.positions.push_back(std::move(position)); };
  sink.reject = [&](absl::Status problem) { read.problems.push_back(ProblemOf(problem)); };
  read.status = ReadBook(format, bytes, "f", sink);
  return read;
}

// Position, move and count of each, in words.
std::set<std::string> XiangqiWords(const std::vector<DbPosition>& positions) {
  std::set<std::string> words;
  for (const DbPosition& entry : positions) {
    const std::string fen = xiangqi::ToFen(*xiangqi::Unpack(entry.packed), 1);
    for (const DbMove& move : entry.moves) {
      words.insert(absl::StrCat(fen, " ", xiangqi::ToUcci(move.move), " ", move.count));
    }
  }
  return words;
}

TEST(Eleeye, WhatIsWrittenIsReadAndWrittenAgain) {
  const std::string bytes = WriteEleeye(SmallBook());
  EXPECT_EQ(bytes.size(), 5u * 8);
  EXPECT_EQ(BookFormatOf(bytes), BookFormat::kEleeye);
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kEleeye, bytes);
  ASSERT_TRUE(read.status.ok());
  EXPECT_TRUE(read.problems.empty());
  // Those of the book are among them; others are their mirror images.
  const std::set<std::string> words = XiangqiWords(read.positions);
  for (const std::string& word : XiangqiWords(SmallBook()))
    EXPECT_TRUE(words.contains(word)) << word;
  EXPECT_EQ(WriteEleeye(SmallBook()), bytes);
  const std::string again = WriteEleeye(read.positions);
  EXPECT_EQ(WriteEleeye(ReadXiangqiAs(BookFormat::kEleeye, again).positions), again);
}

TEST(Eleeye, KeysAndMovesAreTheFormatsOwn) {
  // The lock of the start position, under which ElephantEye's own book has 16 moves.
  EXPECT_EQ(EleeyeLock(xiangqi::Position()), 0x052656d5u);
  const std::string bytes = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 1473}})});
  // From 0xaa to 0xa7: 16 squares a row, the board from the third row and column.
  EXPECT_EQ(LittleEndian<uint32_t>(bytes, 0), 0x052656d5u);
  EXPECT_EQ(LittleEndian<uint16_t>(bytes, 4), 0xa7aa);
  EXPECT_EQ(LittleEndian<uint16_t>(bytes, 6), 1473);
}

TEST(Eleeye, LooksAPositionUpByItsMirrorImageToo) {
  // Known are the answers to the cannon on the right; asked is for the one on the left, which no
  // move of the book leads to, but any ply may be a gap.
  const XiangqiRead read =
      ReadXiangqiAs(BookFormat::kEleeye, WriteEleeye({XiangqiEntry("h2e2", 2, {{"h9g7", 30}})}));
  EXPECT_TRUE(read.problems.empty());
  const std::set<std::string> words = XiangqiWords(read.positions);
  EXPECT_EQ(words.size(), 2u);
  EXPECT_TRUE(words.contains(*XiangqiWords({XiangqiEntry("b2e2", 2, {{"b9c7", 30}})}).begin()));
}

TEST(Eleeye, ScalesLargeCountsDownTogether) {
  const std::string bytes =
      WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 6'553'500}, {"g3g4", 655'350}, {"b0c2", 1}})});
  std::vector<int> weights;
  for (size_t at = 6; at < bytes.size(); at += 8) {
    weights.push_back(LittleEndian<uint16_t>(bytes, at));
  }
  EXPECT_THAT(weights, ElementsAre(65'535, 6'553, 1));
}

TEST(Eleeye, NamesWhatIsWrong) {
  std::string bytes = WriteEleeye(SmallBook());
  EXPECT_EQ(ProblemOf(ReadXiangqiAs(BookFormat::kEleeye, bytes.substr(1)).status).code, "bad_size");
  EXPECT_FALSE(IsEleeye(bytes.substr(1)));
  EXPECT_FALSE(IsEleeye("startpos"));
  EXPECT_FALSE(IsEleeye(""));
  // Another lock: nobody comes there.
  std::string lost = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 1}})});
  lost[0] = static_cast<char>(lost[0] ^ 1);
  const XiangqiRead unreached = ReadXiangqiAs(BookFormat::kEleeye, lost);
  EXPECT_TRUE(unreached.positions.empty());
  ASSERT_EQ(unreached.problems.size(), 1u);
  EXPECT_EQ(unreached.problems[0].code, "unreached_position");
  // A move that is not legal beside one that is.
  std::string two = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 9}, {"g3g4", 1}})});
  two[13] = two[12];  // it stays where it is
  const XiangqiRead illegal = ReadXiangqiAs(BookFormat::kEleeye, two);
  ASSERT_EQ(illegal.positions.size(), 1u);
  EXPECT_EQ(illegal.positions[0].moves.size(), 1u);
  ASSERT_EQ(illegal.problems.size(), 1u);
  EXPECT_EQ(illegal.problems[0].code, "illegal_move");
}

TEST(Eleeye, ItsReaderPlaysTheAnswerThatIsFitted) {
  DbPosition entry = XiangqiEntry("", 1, {{"h2e2", 40}, {"g3g4", 70}});
  FitFor(BookFormat::kEleeye, Ucci("h2e2"), entry);
  const std::vector<DbPosition> read =
      ReadXiangqiAs(BookFormat::kEleeye, WriteEleeye({entry})).positions;
  ASSERT_FALSE(read.empty());
  const Probe probe = ProbeBy(Reader::kElephantEye, BookFormat::kEleeye, read[0]);
  for (const Probe::Choice& choice : probe.choices) {
    EXPECT_EQ(choice.share, choice.move == Ucci("h2e2") ? 1 : 0);
  }
}

// ElephantEye's own book: its keys are ours.
TEST(SharedXiangqiBooks, ElephantEyesBookIsReached) {
  const std::filesystem::path path = SharedData("books/xiangqi_eleeye_BOOK.DAT");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  const std::string bytes = Bytes(path);
  EXPECT_EQ(BookFormatOf(bytes), BookFormat::kEleeye);
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kEleeye, bytes);
  ASSERT_TRUE(read.status.ok());
  size_t unreached = 0;
  for (const Problem& problem : read.problems) {
    unreached += problem.code == "unreached_position" ? 1 : 0;
    EXPECT_TRUE(problem.code == "unreached_position" || problem.code == "illegal_move");
  }
  // Of 12,081 records under 10,841 locks.
  EXPECT_EQ(unreached, 2'143u);
  // Mirror images, whose moves are those of the others, are half of them.
  EXPECT_EQ(read.positions.size(), 17'411u);
}

TEST(BooksOfAnyGame, HoldXiangqi) {
  std::vector<DbPosition> book = SmallBook();
  for (DbPosition& entry : book) {
    entry.moves[0].has_value = entry.moves[0].has_depth = true;
    entry.moves[0].value = 12;
    entry.moves[0].depth = 9;
  }
  for (const BookFormat format : {BookFormat::kJson, BookFormat::kProbe}) {
    SCOPED_TRACE(Name(format));
    const std::string bytes = RowOf(format).write(book, nullptr);
    EXPECT_EQ(BookFormatOf(bytes), format);
    EXPECT_EQ(GameOfBook(format, bytes), "xiangqi");
    const XiangqiRead read = ReadXiangqiAs(format, bytes);
    EXPECT_TRUE(read.status.ok()) << read.status;
    EXPECT_TRUE(read.problems.empty());
    EXPECT_EQ(XiangqiWords(read.positions), XiangqiWords(book));
    EXPECT_EQ(RowOf(format).write(read.positions, nullptr), bytes);
    // An empty book is shogi's, as it always was.
    EXPECT_EQ(GameOfBook(format, RowOf(format).write({}, nullptr)), "shogi");
  }
  const std::string probe = WriteProbeFile(book);
  EXPECT_EQ(ProblemOf(ProbeView::Of(probe, "f").status()).code, "unknown_version");
  EXPECT_TRUE(ProbeView::Of(probe, "f", "xiangqi").ok());
}

TEST(BooksOfAnyGame, RefuseWhatIsNoGameOrNoPosition) {
  const XiangqiRead chess =
      ReadXiangqiAs(BookFormat::kJson, R"({"schema":1,"game":"chess","positions":[]})");
  EXPECT_EQ(ProblemOf(chess.status).code, "unknown_version");
  const XiangqiRead bad = ReadXiangqiAs(
      BookFormat::kJson,
      R"({"game":"xiangqi","positions":[{"position":"9/9/9/9/9/9/9/9/9/4K4 w","moves":[{"move":"e0e1"}]},
{"position":"startpos","moves":[{"move":"7g7f"},{"move":"h2h8"},{"move":"h2e2","ponder":"h9h2"}]}]})");
  EXPECT_TRUE(bad.status.ok());
  std::vector<std::string> codes;
  for (const Problem& problem : bad.problems) codes.push_back(problem.code);
  EXPECT_THAT(codes, ElementsAre("no_king", "malformed_move", "illegal_move", "illegal_ponder"));
  EXPECT_EQ(bad.positions.size(), 1u);
  std::string probe = WriteProbeFile(SmallBook());
  probe[32] = 'y';
  EXPECT_EQ(ProblemOf(ReadXiangqiAs(BookFormat::kProbe, probe).status).code, "unknown_version");
}

TEST(BooksOfAnyGame, WriteLinesAndTurnPositions) {
  EXPECT_EQ(WriteUcciLines(SmallBook()),
            "startpos moves h2e2 h9g7 h0g2\nstartpos moves h2e2 b9c7\nstartpos moves g3g4\n");
  const DbPosition entry = XiangqiEntry("h2e2", 2, {{"h9g7", 30}});
  EXPECT_EQ(SideToMove(entry.packed), Color::kSecond);
  const DbPosition turned = Turned(entry);
  EXPECT_EQ(SideToMove(turned.packed), Color::kFirst);
  EXPECT_EQ(xiangqi::ToUcci(turned.moves[0].move), "b0c2");
  EXPECT_EQ(Turned(turned).packed, entry.packed);
  EXPECT_EQ(GameOf(entry.packed), "xiangqi");
  EXPECT_EQ(GameOf(ShogiForm::Pack(shogi::Position())), "shogi");
  EXPECT_EQ(GameOf(PackedPosition()), "shogi");
}

TEST(Openings, AreFoundByPosition) {
  const auto code = [](const xiangqi::Position& position) {
    const auto found = OpeningAt("xiangqi", xiangqi::Pack(position));
    return found ? std::string(found->code) : "";
  };
  EXPECT_EQ(code(xiangqi::Position()), "");
  EXPECT_EQ(code(AfterMoves("h2e2")), "B00");
  EXPECT_EQ(code(AfterMoves("b2e2")), "B00");  // left and right exchanged
  EXPECT_EQ(code(AfterMoves("h2e2 h9g7")), "B05");
  EXPECT_EQ(code(AfterMoves("h2e2 h7e7")), "D00");
  EXPECT_EQ(code(AfterMoves("g3g4 b9c7 h0g2 c6c5")), "E42");  // by another order of moves
  const auto central = OpeningAt("xiangqi", xiangqi::Pack(AfterMoves("h2e2")));
  ASSERT_TRUE(central);
  EXPECT_EQ(central->name, "中炮局");
  EXPECT_EQ(central->english, "Central Cannon Opening");
  // Shogi has no names yet.
  EXPECT_FALSE(OpeningAt("shogi", ShogiForm::Pack(shogi::Position())));
}

TEST(Openings, EveryRowIsALineOfItsOwn) {
  std::map<PackedPosition, std::string> seen;
  std::set<std::string_view> codes;
  for (const EccoRow& row : EccoRows()) {
    const xiangqi::Position position = AfterMoves(row.moves);
    const auto at = EccoAt(xiangqi::Pack(position));
    ASSERT_TRUE(at);
    EXPECT_EQ(at->code, row.code) << row.moves;
    const auto mirrored = xiangqi::Mapped(xiangqi::Symmetry::kMirror, position);
    EXPECT_TRUE(seen.emplace(xiangqi::Pack(position), row.moves).second) << row.moves;
    EXPECT_FALSE(seen.contains(xiangqi::Pack(mirrored)) &&
                 xiangqi::Pack(mirrored) != xiangqi::Pack(position))
        << row.moves;
    codes.insert(row.code);
  }
  EXPECT_EQ(codes.size(), 105u);
}

// The published list has a plain line for 49 codes; four of them go on from another position.
TEST(SharedXiangqiBooks, PlainLinesOfEccoAreOurs) {
  const std::filesystem::path path = SharedData("books/xiangqi_ecco2004.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  int plain = 0;
  for (const auto& row : ReadTsv(path)) {
    if (row.size() < 7 || row[6].empty() || row[2].rfind("1.", 0) != 0) continue;
    ++plain;
    const auto found = EccoAt(xiangqi::Pack(AfterMoves(row[6])));
    ASSERT_TRUE(found) << row[0];
    EXPECT_EQ(found->code, row[0]);
  }
  EXPECT_EQ(plain, 45);
}

}  // namespace
}  // namespace joseki::book
