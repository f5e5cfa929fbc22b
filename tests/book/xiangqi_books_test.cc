// Books of xiangqi: ElephantEye's, .obk, and the formats that hold either game; names of openings.

#include <sqlite3.h>

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
#include "book/formats/obk.h"
#include "book/formats/obk_numbers.h"
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

// Each move as text: its position, itself and its count.
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

TEST(Eleeye, BooksRoundTrip) {
  const std::string bytes = WriteEleeye(SmallBook());
  EXPECT_EQ(bytes.size(), 5u * 8);
  EXPECT_EQ(BookFormatOf(bytes), BookFormat::kEleeye);
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kEleeye, bytes);
  ASSERT_TRUE(read.status.ok());
  EXPECT_TRUE(read.problems.empty());
  // The book's positions are among them; the others are their mirror images.
  const std::set<std::string> words = XiangqiWords(read.positions);
  for (const std::string& word : XiangqiWords(SmallBook()))
    EXPECT_TRUE(words.contains(word)) << word;
  EXPECT_EQ(WriteEleeye(SmallBook()), bytes);
  const std::string again = WriteEleeye(read.positions);
  EXPECT_EQ(WriteEleeye(ReadXiangqiAs(BookFormat::kEleeye, again).positions), again);
}

TEST(Eleeye, WritesKeysAndMovesOfTheFormat) {
  // The lock of the start position, under which ElephantEye's own book has 16 moves.
  EXPECT_EQ(EleeyeLock(xiangqi::Position()), 0x052656d5u);
  const std::string bytes = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 1473}})});
  // From 0xaa to 0xa7: 16 squares a row, the board from the third row and column.
  EXPECT_EQ(LittleEndian<uint32_t>(bytes, 0), 0x052656d5u);
  EXPECT_EQ(LittleEndian<uint16_t>(bytes, 4), 0xa7aa);
  EXPECT_EQ(LittleEndian<uint16_t>(bytes, 6), 1473);
}

TEST(Eleeye, FindsPositionsByTheirMirrorImages) {
  // The book knows the replies to the cannon on the right; the test asks about the left one. No
  // book move leads there, but any ply may be a gap.
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

TEST(Eleeye, NamesFaults) {
  std::string bytes = WriteEleeye(SmallBook());
  EXPECT_EQ(ProblemOf(ReadXiangqiAs(BookFormat::kEleeye, bytes.substr(1)).status).code, "bad_size");
  EXPECT_FALSE(IsEleeye(bytes.substr(1)));
  EXPECT_FALSE(IsEleeye("startpos"));
  EXPECT_FALSE(IsEleeye(""));
  // Under another lock the position is never reached.
  std::string lost = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 1}})});
  lost[0] = static_cast<char>(lost[0] ^ 1);
  const XiangqiRead unreached = ReadXiangqiAs(BookFormat::kEleeye, lost);
  EXPECT_TRUE(unreached.positions.empty());
  ASSERT_EQ(unreached.problems.size(), 1u);
  EXPECT_EQ(unreached.problems[0].code, "unreached_position");
  // An illegal move beside a legal one.
  std::string two = WriteEleeye({XiangqiEntry("", 1, {{"h2e2", 9}, {"g3g4", 1}})});
  two[13] = two[12];  // it stays where it is
  const XiangqiRead illegal = ReadXiangqiAs(BookFormat::kEleeye, two);
  ASSERT_EQ(illegal.positions.size(), 1u);
  EXPECT_EQ(illegal.positions[0].moves.size(), 1u);
  ASSERT_EQ(illegal.problems.size(), 1u);
  EXPECT_EQ(illegal.problems[0].code, "illegal_move");
}

TEST(Eleeye, ReadersPlayTheFittedAnswer) {
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

// A book of one table, made by SQL.
std::string ObkOf(std::string_view sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, std::string(sql).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_int64 size = 0;
  unsigned char* const bytes = sqlite3_serialize(database, "main", &size, 0);
  const std::string book(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(database);
  return book;
}

constexpr std::string_view kObkTableSql =
    "CREATE TABLE bhobk(id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER,"
    " vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB,"
    " vindex INTEGER);";

// The rows of the table, restricted to `columns`.
std::vector<std::string> RowsOfObk(std::string bytes, std::string_view columns) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  EXPECT_EQ(sqlite3_deserialize(database, "main", reinterpret_cast<unsigned char*>(bytes.data()),
                                size, size, SQLITE_DESERIALIZE_READONLY),
            SQLITE_OK);
  std::vector<std::string> rows;
  const std::string sql = absl::StrCat("SELECT concat_row FROM (SELECT ", std::string(columns),
                                       " AS concat_row FROM bhobk ORDER BY id)");
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    rows.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return rows;
}

std::vector<std::string> CodesOf(const std::vector<Problem>& problems) {
  std::vector<std::string> codes;
  for (const Problem& problem : problems) codes.push_back(problem.code);
  return codes;
}

TEST(Obk, BooksRoundTrip) {
  const std::string bytes = WriteObk(SmallBook());
  EXPECT_EQ(BookFormatOf(bytes), BookFormat::kObk);
  EXPECT_EQ(GameOfBook(BookFormat::kObk, bytes), "xiangqi");
  EXPECT_EQ(WriteObk(SmallBook()), bytes);
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kObk, bytes);
  ASSERT_TRUE(read.status.ok()) << read.status;
  EXPECT_TRUE(read.problems.empty());
  const std::set<std::string> words = XiangqiWords(read.positions);
  for (const std::string& word : XiangqiWords(SmallBook()))
    EXPECT_TRUE(words.contains(word)) << word;
  const std::string again = WriteObk(read.positions);
  EXPECT_EQ(WriteObk(ReadXiangqiAs(BookFormat::kObk, again).positions), again);
}

// Keys and moves of existing books and programs.
TEST(Obk, WritesKeysAndMovesOfTheFormat) {
  EXPECT_EQ(ObkKey(xiangqi::Position()), 0x628d04d7c9c144aeu);
  EXPECT_EQ(
      ObkKey(xiangqi::ParseFen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b")
                 ->position),
      0xc2432e2ec5846bf6u);
  EXPECT_EQ(ObkKey(AfterMoves("h2e2")), 0xa1ead1f6470e07eeu);
  // Every piece has a number of its own wherever it may stand.
  std::set<uint64_t> numbers;
  int places = 0;
  for (const Color color : {xiangqi::kRed, xiangqi::kBlack}) {
    for (int type = xiangqi::kKing; type <= xiangqi::kPawn; ++type) {
      const auto kind = static_cast<xiangqi::PieceType>(type);
      for (xiangqi::Square square = 0; square < xiangqi::kSquareCount; ++square) {
        if (!xiangqi::MayStand(color, kind, square)) continue;
        ++places;
        numbers.insert(ObkNumber(xiangqi::MakePiece(color, kind), square));
      }
    }
  }
  EXPECT_EQ(places, 692);
  EXPECT_EQ(numbers.size(), 692u);
  EXPECT_FALSE(numbers.contains(0));
  // A key with its highest bit set is written as the floating-point number of these bits.
  const std::string bytes = WriteObk(SmallBook(), [](const PackedPosition&, Move move) {
    return move == Ucci("h2e2") ? "40 games" : "";
  });
  EXPECT_THAT(
      RowsOfObk(bytes,
                "typeof(vkey) || ' ' || vmove || ' ' || vscore || ' ' || (vwin + vdraw + vlost) ||"
                " ' ' || vvalid || ' ' || coalesce(vmemo, '-') || ' ' || vindex"),
      ::testing::IsSupersetOf(
          {"integer 43687 40 0 1 40 games 1", "integer 39305 7 0 1 - 2", "real 14937 30 0 1 - 1"}));
  EXPECT_THAT(RowsOfObk(bytes, "vkey"), ::testing::Contains("7101337512282506414").Times(2));
}

TEST(Obk, ReadsScoresAndSwitchedOffRowsAsTheProgramDoes) {
  const std::string values =
      absl::StrCat(std::string(kObkTableSql),
                   "INSERT INTO bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES"
                   "(7101337512282506414, 43687, 9, 0, 0, 0, 1),"     // h2e2
                   "(7101337512282506414, 38277, -3, 5, 5, 5, 1),"    // c3c4
                   "(7101337512282506414, 38791, 99, 0, 0, 0, 0),"    // e3e4, switched off
                   "(-6779375433368598546, 14937, 0, 1, 2, 3, 1);");  // h9g7 under a signed key
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kObk, ObkOf(values));
  ASSERT_TRUE(read.status.ok()) << read.status;
  EXPECT_TRUE(read.problems.empty());
  std::set<std::string> words = XiangqiWords(read.positions);
  std::set<std::string> expected = XiangqiWords({XiangqiEntry("", 1, {{"h2e2", 9}, {"c3c4", 0}}),
                                                 XiangqiEntry("h2e2", 2, {{"h9g7", 6}}),
                                                 XiangqiEntry("b2e2", 2, {{"b9c7", 6}})});
  EXPECT_EQ(words, expected);
}

TEST(Obk, ReadsAFileWithAWriteAheadLogUnchanged) {
  std::string bytes = WriteObk(SmallBook());
  bytes[18] = bytes[19] = 2;
  const std::string before = bytes;
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kObk, bytes);
  EXPECT_TRUE(read.status.ok()) << read.status;
  EXPECT_FALSE(read.positions.empty());
  EXPECT_EQ(bytes, before);
}

TEST(Obk, ScalesLargeCountsDownTogether) {
  const std::string bytes = WriteObk(
      {XiangqiEntry("", 1, {{"h2e2", 1'000'000'000}, {"g3g4", 100'000'000}, {"b0c2", 1}})});
  EXPECT_THAT(RowsOfObk(bytes, "vscore"), ElementsAre("10000000", "1000000", "1"));
}

TEST(Obk, MirrorImagesHaveOneAnswer) {
  const std::string bytes = WriteObk({XiangqiEntry("h2e2", 2, {{"h9g7", 30}}),
                                      XiangqiEntry("b2e2", 2, {{"b9c7", 3}, {"h9g7", 20}})});
  const XiangqiRead read = ReadXiangqiAs(BookFormat::kObk, bytes);
  EXPECT_EQ(XiangqiWords(read.positions), XiangqiWords({XiangqiEntry("h2e2", 2, {{"h9g7", 30}}),
                                                        XiangqiEntry("b2e2", 2, {{"b9c7", 30}})}));
}

// Fitted counts say nothing of how much is known.
TEST(Obk, OfMirrorImagesTheBetterKnownGivesTheAnswer) {
  std::vector<DbPosition> book = {XiangqiEntry("h2e2", 2, {{"h9g7", 1}}),
                                  XiangqiEntry("b2e2", 2, {{"b9c7", 0}, {"h9g7", 1}})};
  const auto answers = [&](Known first, Known second) {
    book[0].known = first;
    book[1].known = second;
    EXPECT_EQ(XiangqiWords(ReadXiangqiAs(BookFormat::kObk, WriteObk(book)).positions),
              XiangqiWords(AsWrittenToObk(book)));
    std::vector<std::string> moves;
    for (const DbPosition& position : AsWrittenToObk(book)) {
      const auto most =
          std::max_element(position.moves.begin(), position.moves.end(),
                           [](const DbMove& a, const DbMove& b) { return a.count < b.count; });
      moves.push_back(xiangqi::ToUcci(most->move));
    }
    return moves;
  };
  EXPECT_THAT(answers({.games = 9}, {.games = 8}), ElementsAre("h9g7", "b9c7"));
  EXPECT_THAT(answers({.games = 8}, {.games = 9}), ElementsAre("b9c7", "h9g7"));
  EXPECT_THAT(answers({.games = 9, .nodes = 10}, {.games = 9, .nodes = 20}),
              ElementsAre("b9c7", "h9g7"));
}

TEST(Obk, NamesFaults) {
  const auto code = [](const std::string& bytes) {
    const XiangqiRead read = ReadXiangqiAs(BookFormat::kObk, bytes);
    return read.status.ok() ? "" : ProblemOf(read.status).code;
  };
  const std::string table(kObkTableSql);
  EXPECT_EQ(code(""), "not_sqlite");
  EXPECT_EQ(code("SQLite format 2"), "not_sqlite");
  EXPECT_FALSE(IsObk(""));
  EXPECT_EQ(code(std::string("SQLite format 3\0", 16)), "broken_database");
  EXPECT_EQ(code(ObkOf("CREATE TABLE other(x)")), "no_table");
  EXPECT_FALSE(IsObk(ObkOf("CREATE TABLE other(x)")));
  EXPECT_EQ(code(ObkOf("CREATE VIEW bhobk AS SELECT 1 AS vkey")), "no_table");
  EXPECT_EQ(code(ObkOf("CREATE TABLE bhobk(vkey, vmove)")), "missing_column");
  EXPECT_EQ(code(ObkOf("CREATE TABLE bhobk(vkey, vmove, vscore, vwin, vdraw, vlost,"
                       " vvalid AS (1))")),
            "missing_column");
  EXPECT_EQ(code(ObkOf(table)), "");
  const std::string whole = WriteObk(SmallBook());
  for (const size_t size : {size_t{17}, size_t{100}, size_t{4096}, whole.size() - 4096}) {
    EXPECT_EQ(code(whole.substr(0, size)), "broken_database") << size;
  }
  const XiangqiRead rows = ReadXiangqiAs(
      BookFormat::kObk,
      ObkOf(absl::StrCat(table,
                         "INSERT INTO bhobk(vkey, vmove, vscore, vvalid) VALUES"
                         "(NULL, 43687, 1, 1), ('a key', 43687, 1, 1), (x'00', 43687, 1, 1),"
                         "(7101337512282506414, 'h2e2', 1, 1), (7101337512282506414, 0, 1, 1),"
                         "(7101337512282506414, 109223, 1, 1), (7101337512282506414, 43690, 1, 1),"
                         "(7101337512282506414, 43687, 'much', 1),"
                         "(7101337512282506414, 43603, 1, 1), (1, 43687, 1, 1);")));
  ASSERT_TRUE(rows.status.ok()) << rows.status;
  EXPECT_THAT(CodesOf(rows.problems),
              ElementsAre("bad_row", "bad_row", "bad_row", "bad_row", "bad_row", "bad_row",
                          "bad_row", "illegal_move", "unreached_position"));
  EXPECT_EQ(rows.problems[1].line, 2);
  EXPECT_EQ(rows.problems.back().line, 10);
  EXPECT_EQ(rows.positions.size(), 1u);
}

TEST(Obk, ReadersPlayTheFittedAnswer) {
  DbPosition entry = XiangqiEntry("", 1, {{"h2e2", 40}, {"g3g4", 70}});
  FitFor(BookFormat::kObk, Ucci("h2e2"), entry);
  const std::vector<DbPosition> read = ReadXiangqiAs(BookFormat::kObk, WriteObk({entry})).positions;
  ASSERT_FALSE(read.empty());
  const Probe probe = ProbeBy(Reader::kBhgui, BookFormat::kObk, read[0]);
  for (const Probe::Choice& choice : probe.choices) {
    EXPECT_EQ(choice.share, choice.move == Ucci("h2e2") ? 1 : 0);
  }
}

// ElephantEye's own book: its keys are ours.
TEST(SharedXiangqiBooks, EveryPositionOfElephantEyesBookIsReached) {
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
  // The file has 12,081 records under 10,841 locks.
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

TEST(BooksOfAnyGame, RefuseUnknownGamesAndPositions) {
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
  // Nor has the start of shogi one.
  EXPECT_FALSE(OpeningAt("shogi", ShogiForm::Pack(shogi::Position())));
}

TEST(Openings, EveryRowIsADistinctLine) {
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

TEST(Openings, AreNamedByCodeAndName) {
  for (const char* const called : {"A11", "a11", "顺相局", "elephant opening, same direction"}) {
    EXPECT_EQ(LineOfOpening("xiangqi", called), "g0e2 g9e7") << called;
  }
  EXPECT_EQ(LineOfOpening("xiangqi", "A99"), std::nullopt);
  EXPECT_EQ(LineOfOpening("xiangqi", ""), std::nullopt);
  // A name of two positions, and a name of a family.
  EXPECT_EQ(LineOfOpening("xiangqi", "B02"), std::nullopt);
  EXPECT_EQ(LineOfOpening("shogi", "四間飛車"), std::nullopt);
  // Whether an opening has it or not.
  for (const char* const code : {"B00", "b02", "C42"}) {
    EXPECT_TRUE(IsOpeningCode("xiangqi", code)) << code;
    EXPECT_FALSE(IsOpeningCode("shogi", code)) << code;
  }
  for (const char* const other : {"", "B0", "B000", "BB0", "000", "h2e2"}) {
    EXPECT_FALSE(IsOpeningCode("xiangqi", other)) << other;
  }
}

// The published list has a plain line for 49 codes; four of them go on from another position.
TEST(SharedXiangqiBooks, PlainLinesOfEccoHaveTheirCodes) {
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
