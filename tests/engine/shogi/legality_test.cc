// The rules of single moves: drops, nifu, dead squares, mate by a dropped pawn, promotion, pins,
// checks.
#include <algorithm>
#include <set>

#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

std::set<std::string> LegalMoves(const Position& position) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  std::set<std::string> texts;
  for (const Move move : moves) texts.insert(ToUsi(move));
  return texts;
}

bool Legal(const std::string& sfen, const std::string& move) {
  const Position position = At(sfen);
  const bool generated = LegalMoves(position).count(move) > 0;
  EXPECT_EQ(generated, position.IsLegal(*MoveFromUsi(move))) << sfen << " " << move;
  return generated;
}

TEST(Drops, OnlyOnEmptySquaresAndOnlyWhatIsInHand) {
  const std::string sfen = "4k4/9/9/9/4P4/9/9/9/4K4 b S 1";
  EXPECT_TRUE(Legal(sfen, "S*5d"));
  EXPECT_FALSE(Legal(sfen, "S*5e"));
  EXPECT_FALSE(Legal(sfen, "G*5d"));
}

TEST(Drops, NoSecondPawnOnAFile) {
  EXPECT_FALSE(Legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"));
  EXPECT_TRUE(Legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*4e"));
  // A promoted pawn does not count, nor does one of the other side.
  EXPECT_TRUE(Legal("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e"));
  EXPECT_TRUE(Legal("4k4/9/4p4/9/9/9/9/9/4K4 b P 1", "P*5e"));
}

TEST(Drops, NotWhereThePieceCouldNeverMove) {
  const std::string black = "4k4/9/9/9/9/9/9/9/4K4 b PLN 1";
  for (const char* move : {"P*1a", "L*1a", "N*1a", "N*1b"})
    EXPECT_FALSE(Legal(black, move)) << move;
  for (const char* move : {"P*1b", "L*1b", "N*1c"}) EXPECT_TRUE(Legal(black, move)) << move;
  const std::string white = "4k4/9/9/9/9/9/9/9/4K4 w pln 1";
  for (const char* move : {"P*1i", "L*1i", "N*1i", "N*1h"})
    EXPECT_FALSE(Legal(white, move)) << move;
  for (const char* move : {"P*1h", "L*1h", "N*1g"}) EXPECT_TRUE(Legal(white, move)) << move;
}

TEST(DropPawnMate, IsIllegal) {
  // The king in the corner, its ways out covered, the pawn guarded by a gold.
  EXPECT_FALSE(Legal("7lk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b"));
  // The mate that a real generator missed: White drops on 1c.
  EXPECT_FALSE(Legal("R6+S1/2K1S2Sk/4B2n1/9/9/9/9/9/1L1L1L3 b GNLPSRB3g2n17p 3", "P*1c"));
}

TEST(DropPawnMate, IsLegalWhenItIsNoMate) {
  // The king can step aside.
  EXPECT_TRUE(Legal("8k/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b"));
  // The pawn is not guarded: the king takes it.
  EXPECT_TRUE(Legal("7lk/7l1/9/9/9/9/9/9/4K4 b P 1", "P*1b"));
  // A gold takes it.
  EXPECT_TRUE(Legal("7lk/7g1/7GG/9/9/9/9/9/4K4 b P 1", "P*1b"));
}

TEST(DropPawnMate, APinnedDefenderDoesNotHelp) {
  // The gold on 2a could take on 1b but is pinned along the rank by the rook.
  EXPECT_FALSE(Legal("R6gk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b"));
  // A position with the gold unpinned.
  EXPECT_TRUE(Legal("7gk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b"));
}

TEST(DropPawnMate, MateByAPawnThatMovesIsAllowed) {
  EXPECT_TRUE(Legal("7lk/9/7GP/8G/9/9/9/9/4K4 b - 1", "1c1b"));
}

TEST(Promotion, EveryOptionalNonPromotionIsThere) {
  const auto moves = LegalMoves(At("4k4/9/9/1P1B3R1/9/2L6/9/9/4K4 b - 1"));
  for (const char* move : {"8d8c", "8d8c+", "6d7c", "6d7c+", "2d2c", "2d2c+", "2d2b", "7f7c",
                           "7f7c+", "7f7b", "7f7b+"}) {
    EXPECT_TRUE(moves.count(move)) << move;
  }
  EXPECT_TRUE(moves.count("7f7a+"));
  EXPECT_FALSE(moves.count("7f7a"));
}

TEST(Promotion, AllowedOnLeavingTheZoneAndForcedOnTheLastRanks) {
  EXPECT_TRUE(Legal("4k4/9/S8/9/9/9/9/9/4K4 b - 1", "9c8d+"));
  EXPECT_FALSE(Legal("4k4/9/9/S8/9/9/9/9/4K4 b - 1", "9d8e+"));
  EXPECT_FALSE(Legal("4k4/9/9/N8/9/9/9/9/4K4 b - 1", "9d8b"));
  EXPECT_TRUE(Legal("4k4/9/9/N8/9/9/9/9/4K4 b - 1", "9d8b+"));
  EXPECT_FALSE(Legal("4k4/9/9/G8/9/9/9/9/4K4 b - 1", "9d9c+"));
}

TEST(Search, LeavesOutOnlyPointlessNonPromotions) {
  const Position position = At("4k4/9/9/1P1B3R1/9/2L6/9/9/4K4 b S 1");
  MoveList all;
  MoveList search;
  position.Generate<GenType::kAll>(all);
  position.Generate<GenType::kSearch>(search);
  std::set<uint16_t> left_out;
  for (const Move move : all) left_out.insert(move.raw());
  for (const Move move : search) EXPECT_EQ(left_out.erase(move.raw()), 1u) << ToUsi(move);
  EXPECT_FALSE(left_out.empty());
  for (const uint16_t raw : left_out) {
    const Move move(raw);
    EXPECT_FALSE(move.promotes());
    EXPECT_TRUE(position.IsLegal(Move(static_cast<uint16_t>(raw | 1 << 15)))) << ToUsi(move);
  }
  EXPECT_TRUE(std::find(search.begin(), search.end(), *MoveFromUsi("7f7c")) != search.end())
      << "a lance may stay unpromoted on the third rank";
}

TEST(Checks, OnlyEvasionsAreLegal) {
  // Rook on 5e checks along the file.
  const auto moves = LegalMoves(At("4k4/9/9/9/4r4/9/9/9/4K4 b GS 1"));
  const std::set<std::string> expected = {"5i4h", "5i6h", "5i4i", "5i6i", "G*5f",
                                          "G*5g", "G*5h", "S*5f", "S*5g", "S*5h"};
  EXPECT_EQ(moves, expected);
}

TEST(Checks, DoubleCheckLeavesOnlyKingMoves) {
  const Position two = At("4k4/9/9/9/4r4/9/3n5/9/4K4 b 2G 1");
  ASSERT_EQ(two.checkers().Count(), 2);
  for (const std::string& move : LegalMoves(two)) EXPECT_EQ(move.substr(0, 2), "5i") << move;
}

TEST(Pins, APinnedPieceStaysOnItsLine) {
  const std::string sfen = "4k4/9/9/9/4r4/9/4S4/9/4K4 b - 1";
  EXPECT_TRUE(Legal(sfen, "5g5f"));
  EXPECT_FALSE(Legal(sfen, "5g4f"));
}

TEST(NoLegalMove, IsFound) {
  EXPECT_FALSE(At("k8/1G7/G8/9/9/9/9/9/8K w - 1").HasLegalMove());
  EXPECT_TRUE(At("k8/9/1G7/9/9/9/9/9/8K w - 1").HasLegalMove());
}

TEST(IsLegal, AgreesWithTheGeneratorOnAllSixteenBits) {
  for (const char* sfen :
       {kStartSfen, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/9/9/4r4/9/4S4/9/4K4 b GSP 1", "7lk/9/7GG/9/9/9/9/9/4K4 b PLN 1"}) {
    const Position position = At(sfen);
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    const std::set<Move> legal(moves.begin(), moves.end());
    EXPECT_EQ(legal.size(), static_cast<size_t>(moves.size())) << "a move was generated twice";
    for (int raw = 0; raw < 1 << 16; ++raw) {
      const Move move(static_cast<uint16_t>(raw));
      ASSERT_EQ(position.IsLegal(move), legal.count(move) > 0) << sfen << " " << raw;
    }
  }
}

// Lists of another program: they leave out pointless non-promotions.
TEST(SharedMoveLists, CountsOfTheSearchGenerator) {
  const auto path = testing::SharedData("perft/shogi_legal_move_lists.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  int checked = 0;
  for (const auto& row : testing::ReadTsv(path)) {
    const Position position = At(row[0]);
    const auto legal = LegalMoves(position);
    std::istringstream words(row[2]);
    std::set<std::string> listed;
    for (std::string word; words >> word;) listed.insert(word);
    ASSERT_EQ(listed.size(), std::stoul(row[1]));
    for (const std::string& move : listed) EXPECT_TRUE(legal.count(move)) << row[0] << " " << move;
    for (const std::string& move : legal) {
      EXPECT_TRUE(listed.count(move) > 0 || listed.count(move + "+") > 0) << row[0] << " " << move;
    }
    ++checked;
  }
  EXPECT_GT(checked, 2000);
}

TEST(SharedMoveLists, ChecksAreChecks) {
  const auto path = testing::SharedData("perft/shogi_check_move_lists.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  for (const auto& row : testing::ReadTsv(path)) {
    const Position position = At(row[0]);
    std::istringstream words(row[2]);
    std::set<std::string> listed;
    for (std::string word; words >> word;) listed.insert(word);
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      const std::string text = ToUsi(move);
      const bool in_list = listed.count(text) > 0;
      if (in_list) {
        EXPECT_TRUE(position.GivesCheck(move)) << row[0] << " " << text;
      } else if (listed.count(text + "+") == 0) {
        EXPECT_FALSE(position.GivesCheck(move)) << row[0] << " " << text;
      }
    }
  }
}

}  // namespace
}  // namespace joseki::shogi
