#include "book/formats/counted_moves.h"

#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;

constexpr char kBlack[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
constexpr char kWhite[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";

struct Table {
  absl::Status status;
  std::vector<std::string> moves;    // "line move wins-losses ply"
  std::vector<std::string> rejects;  // "line code"
};

Table Counted(const std::string& text) {
  Table table;
  table.status = ReadCountedMoves(
      text, "t.tsv",
      [&](const CountedMove& move) {
        table.moves.push_back(std::to_string(move.line) + " " + shogi::ToUsi(move.move) + " " +
                              std::to_string(move.wins) + "-" + std::to_string(move.losses) + " " +
                              std::to_string(move.ply));
      },
      [&](const absl::Status& status) {
        const Problem problem = ProblemOf(status);
        EXPECT_EQ(problem.file, "t.tsv");
        table.rejects.push_back(std::to_string(problem.line) + " " + problem.code);
      });
  return table;
}

TEST(CountedMovesTest, CountsAreTheMoversWhereverTheColumnsStand) {
  const std::string text = std::string("move\tchild_white_wins\tnote\tsfen\tchild_black_wins\r\n") +
                           "7g7f\t3\tx\t" + kBlack + "\t5\r\n\n" + "3c3d\t3\t\t" + kWhite + "\t5";
  EXPECT_TRUE(IsCountedMoves(text));
  const Table table = Counted(text);
  EXPECT_TRUE(table.status.ok()) << table.status;
  EXPECT_THAT(table.moves, ElementsAre("2 7g7f 5-3 1", "4 3c3d 3-5 2"));
  EXPECT_THAT(table.rejects, ElementsAre());
}

TEST(CountedMovesTest, BrokenLinesAreNamedAndTheRestIsRead) {
  const std::string head = "sfen\tmove\tchild_black_wins\tchild_white_wins\n";
  const Table table = Counted(head + kBlack + "\t7g7e\t1\t1\n" +              // illegal
                              kBlack + "\t7g7f\t1\n" +                        // a cell is missing
                              kBlack + "\t7g7f\t-1\t1\n" +                    // below 0
                              kBlack + "\t7g7f\t99999999999999999999\t1\n" +  // too large
                              "9/9/9/9/9/9/9/9/9 b - 1\t7g7f\t1\t1\n" +       // no kings
                              "nonsense\n" + kBlack + "\t2g2f\t0\t0\n");
  EXPECT_TRUE(table.status.ok());
  EXPECT_THAT(table.moves, ElementsAre("8 2g2f 0-0 1"));
  ASSERT_EQ(table.rejects.size(), 6u);
  EXPECT_EQ(table.rejects[0], "2 illegal_move");
  EXPECT_EQ(table.rejects[1], "3 bad_count");
  EXPECT_EQ(table.rejects[2], "4 bad_count");
  EXPECT_EQ(table.rejects[3], "5 bad_count");
  EXPECT_EQ(table.rejects[4], "6 no_king");
}

TEST(CountedMovesTest, OtherTextIsNoTable) {
  EXPECT_FALSE(IsCountedMoves(""));
  EXPECT_FALSE(IsCountedMoves("sfen\tmove\n"));
  EXPECT_FALSE(IsCountedMoves("startpos moves 7g7f"));
  EXPECT_EQ(ProblemOf(Counted("sfen\tmove\tchild_black_wins\n").status).code, "bad_table");
}

}  // namespace
}  // namespace joseki::book
