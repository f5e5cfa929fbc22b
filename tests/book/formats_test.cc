#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/formats/yaneuraou_db.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::SharedData;
using ::joseki::testing::TestData;
using ::testing::ElementsAre;

struct TextRead {
  absl::Status status;
  std::vector<DbPosition> positions;
  std::vector<std::string> problems;  // "line code"
  size_t moves = 0;
};

TextRead ReadText(const std::string& text) {
  TextRead read;
  DbSink sink;
  sink.accept = [&](DbPosition position) {
    read.moves += position.moves.size();
    read.positions.push_back(std::move(position));
  };
  sink.reject = [&](absl::Status status) {
    const Problem problem = ProblemOf(status);
    EXPECT_EQ(problem.file, "book.db");
    EXPECT_FALSE(problem.found.empty());
    EXPECT_FALSE(problem.expected.empty());
    read.problems.push_back(std::to_string(problem.line) + " " + problem.code);
  };
  read.status = ReadYaneuraouDb(text, "book.db", sink);
  return read;
}

// A move line as the book's columns would have it, with '-' for what is not known.
std::string Columns(const DbMove& move) {
  return shogi::ToUsi(move.move) + " " + (move.ponder ? shogi::ToUsi(move.ponder) : "-") + " " +
         (move.has_value ? std::to_string(move.value) : "-") + " " +
         (move.has_depth ? std::to_string(move.depth) : "-") + " " + std::to_string(move.count);
}

std::vector<std::string> Columns(const DbPosition& position) {
  std::vector<std::string> lines;
  for (const DbMove& move : position.moves) lines.push_back(Columns(move));
  return lines;
}

TEST(YaneuraouDb, CanonicalTextIsWrittenAsItWasRead) {
  const std::string text = Bytes(TestData("books/canonical.db"));
  const TextRead read = ReadText(text);
  ASSERT_TRUE(read.status.ok());
  EXPECT_TRUE(read.problems.empty());
  EXPECT_EQ(read.moves, 6u);
  EXPECT_EQ(WriteYaneuraouDb(read.positions), text);
}

TEST(YaneuraouDb, OrderOfInputDoesNotMatter) {
  const std::string text = Bytes(TestData("books/canonical.db"));
  TextRead read = ReadText(text);
  std::reverse(read.positions.begin(), read.positions.end());
  for (DbPosition& p : read.positions) std::reverse(p.moves.begin(), p.moves.end());
  EXPECT_EQ(WriteYaneuraouDb(read.positions), text);
}

TEST(YaneuraouDb, ReadsEveryFormOfColumn) {
  const TextRead read = ReadText(Bytes(TestData("books/every_form.db")));
  ASSERT_TRUE(read.status.ok());
  EXPECT_THAT(read.problems, ElementsAre());
  ASSERT_EQ(read.positions.size(), 3u);
  EXPECT_EQ(read.positions[0].line, 4);
  EXPECT_EQ(read.positions[0].ply, 1);
  EXPECT_THAT(Columns(read.positions[0]),
              ElementsAre("7g7f 8c8d 70 25 1213", "2g2f - - - 980", "5g5f - - - 8", "6g6f - - - 1",
                          "4g4f - - 0 1", "9g9f 9c9d 5 6 7", "1g1f - - 1 1", "3g3f - - - 1"));
}

TEST(YaneuraouDb, WritesAPositionGivenTwiceOnceWithItsSmallestPly) {
  const std::string text =
      WriteYaneuraouDb(ReadText(Bytes(TestData("books/every_form.db"))).positions);
  const TextRead again = ReadText(text);
  ASSERT_EQ(again.positions.size(), 2u);
  EXPECT_EQ(again.positions[0].ply, 1);
  EXPECT_THAT(Columns(again.positions[0]), ElementsAre("3c3d - 0 0 1", "8c8d - 0 0 1"));
  EXPECT_EQ(WriteYaneuraouDb(again.positions), text);
  EXPECT_EQ(text.find("\n\n"), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

TEST(YaneuraouDb, MagicMayBeMissingButNotAnothers) {
  EXPECT_EQ(ReadText(Bytes(TestData("books/no_magic.db"))).moves, 1u);
  const TextRead other = ReadText(Bytes(TestData("books/other_version.db")));
  EXPECT_FALSE(other.status.ok());
  EXPECT_TRUE(other.positions.empty());
  const Problem problem = ProblemOf(other.status);
  EXPECT_EQ(problem.code, "unknown_version");
  EXPECT_EQ(problem.file, "book.db");
  EXPECT_EQ(problem.line, 1);
  EXPECT_EQ(problem.found, "'#YANEURAOU-DB2016 2.00'");
}

TEST(YaneuraouDb, ListsWhatItLeavesOut) {
  const TextRead read = ReadText(Bytes(TestData("books/broken.db")));
  EXPECT_TRUE(read.status.ok());
  EXPECT_THAT(read.problems,
              ElementsAre("2 bad_line", "6 illegal_move", "7 malformed_move", "8 illegal_ponder",
                          "9 bad_board", "11 no_moves", "13 illegal_move"));
  ASSERT_EQ(read.positions.size(), 1u);
  EXPECT_THAT(Columns(read.positions[0]), ElementsAre("7g7f - 0 0 1", "2g2f - 0 0 5"));
}

TEST(YaneuraouDb, LeavesOutAMoveWithANumberThatIsNone) {
  const std::string position =
      "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
  for (const char* columns :
       {"2147483648 8 1", "-2147483649 8 1", "best 8 1", "0 2147483648 1", "0 deep 1",
        "0 8 18446744073709551616", "0 8 -1", "0 8 many", "1.5 8 1", "0 8 3x"}) {
    const TextRead read = ReadText(position + "7g7f none " + columns + "\n2g2f none 0 0 1\n");
    EXPECT_THAT(read.problems, ElementsAre("2 bad_number")) << columns;
    EXPECT_EQ(read.moves, 1u) << columns;
  }
  const TextRead read = ReadText(position + "7g7f none -2147483648 2147483647 9007199254740991\n");
  EXPECT_THAT(read.problems, ElementsAre());
  EXPECT_THAT(Columns(read.positions.at(0)),
              ElementsAre("7g7f - -2147483648 2147483647 9007199254740991"));
}

TEST(YaneuraouDb, CountsStopAtTheLargest) {
  const std::string position =
      "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
  const std::string line = "7g7f none 0 0 9007199254740990\n";
  EXPECT_THAT(Columns(ReadText(position + line + line).positions.at(0)),
              ElementsAre("7g7f - 0 0 9007199254740991"));
  for (const char* const count :
       {"9007199254740992", "9223372036854775808", "18446744073709551615"}) {
    EXPECT_THAT(Columns(ReadText(position + "7g7f none 0 0 " + count + "\n").positions.at(0)),
                ElementsAre("7g7f - 0 0 9007199254740991"));
  }
  EXPECT_EQ(SumOfCounts(UINT64_MAX, UINT64_MAX), kMostDbCount);
  EXPECT_EQ(SumOfCounts(1, 2), 3u);
}

TEST(YaneuraouDb, LeavesOutAPositionWithOneKing) {
  const TextRead read = ReadText("sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1\nG*5b none 0 0 1\n");
  EXPECT_TRUE(read.status.ok());
  EXPECT_THAT(read.problems, ElementsAre("1 no_king"));
  EXPECT_TRUE(read.positions.empty());
}

TEST(YaneuraouDb, EmptyBookIsTheMagicAlone) {
  EXPECT_EQ(WriteYaneuraouDb({}), "#YANEURAOU-DB2016 1.00\n");
  EXPECT_TRUE(ReadText("").status.ok());
}

TEST(SharedBooks, ImporterFixturesAgree) {
  const std::filesystem::path folder = SharedData("books/importer_fixtures");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const std::string expected = WriteYaneuraouDb(ReadText(Bytes(folder / "yaneuraou.db")).positions);
  for (const char* name : {"yaneuraou.db", "yaneuraou-bom-crlf.db", "yaneuraou-bom-no-header.db",
                           "yaneuraou-copy.db", "yaneuraou-crlf.db", "yaneuraou-no-header.db"}) {
    SCOPED_TRACE(name);
    const TextRead read = ReadText(Bytes(folder / name));
    EXPECT_TRUE(read.status.ok());
    EXPECT_THAT(read.problems, ElementsAre());
    EXPECT_EQ(read.positions.size(), 5u);
    EXPECT_EQ(read.moves, 18u);
    EXPECT_EQ(WriteYaneuraouDb(read.positions), expected);
  }
  // The old blank form: the number is the count.
  const TextRead read = ReadText(Bytes(folder / "yaneuraou.db"));
  EXPECT_THAT(Columns(read.positions[4]),
              ElementsAre("7i6h - - - 8", "3g3f - - - 1", "6i7h - - - 1"));

  const TextRead merged = ReadText(Bytes(folder / "yaneuraou-merge.db"));
  EXPECT_TRUE(merged.status.ok());
  EXPECT_EQ(merged.positions.size(), 7u);
  // A pawn that jumps, which the file has as a mark of its own.
  EXPECT_THAT(merged.problems, ElementsAre("37 illegal_move"));
  EXPECT_FALSE(ReadText(Bytes(folder / "yaneuraou-invalid-header.db")).status.ok());
}

TEST(SharedBooks, ReadsTheMasterBookWhole) {
  const std::filesystem::path path = SharedData("books/gps_master_joseki.db");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  const std::string text = Bytes(path);
  const TextRead read = ReadText(text);
  EXPECT_TRUE(read.status.ok());
  EXPECT_THAT(read.problems, ElementsAre());
  EXPECT_EQ(read.positions.size(), 37784u);
  EXPECT_EQ(read.moves, 55212u);
  const std::string written = WriteYaneuraouDb(read.positions);
  EXPECT_EQ(WriteYaneuraouDb(ReadText(written).positions), written);
}

TEST(SharedBooks, ReadsBooksOfOtherMakers) {
  const std::filesystem::path folder = SharedData("books");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const TextRead standard = ReadText(Bytes(folder / "handicappedrook_standard_book.db"));
  EXPECT_TRUE(standard.status.ok());
  EXPECT_EQ(standard.positions.size(), 3613u);
  EXPECT_EQ(standard.moves, 4215u);
  EXPECT_THAT(standard.problems, ElementsAre("88 no_king"));  // an empty board
  const TextRead honey = ReadText(Bytes(folder / "honeywaffle_user_book2.db"));
  EXPECT_TRUE(honey.status.ok());
  // 22,675 positions and 23,051 move lines: eight moves are illegal, each the only one of its
  // position, and two are given twice.
  EXPECT_EQ(honey.positions.size(), 22667u);
  EXPECT_EQ(honey.moves, 23041u);
  EXPECT_EQ(std::count_if(
                honey.problems.begin(), honey.problems.end(),
                [](const std::string& p) { return p.find("illegal_move") != std::string::npos; }),
            8);
}

}  // namespace
}  // namespace joseki::book
