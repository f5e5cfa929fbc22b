#include "engine/xiangqi/fen.h"

#include <fstream>
#include <string>
#include <utility>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

TEST(Fen, TheStartPositionRoundTrips) {
  EXPECT_EQ(ToFen(Position(), 1), kStartFen);
  EXPECT_EQ(At("startpos").key(), At(kStartFen).key());
  EXPECT_EQ(ParseFen(kStartFen)->ply, 1);
}

TEST(Fen, ReadsOtherSpellings) {
  const Key start = Position().key();
  EXPECT_EQ(At("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r").key(), start);
  EXPECT_EQ(At("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1").key(),
            start);
  EXPECT_NE(At("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b").key(), start);
}

TEST(Fen, KeepsItsCounts) {
  auto parsed = ParseFen("3k5/9/9/9/9/9/9/9/R8/5K3 b - - 17 40");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->ply, 80);
  EXPECT_EQ(parsed->position.quiet_plies(), 17);
  EXPECT_EQ(ToFen(parsed->position, parsed->ply), "3k5/9/9/9/9/9/9/9/R8/5K3 b - - 17 40");
  EXPECT_EQ(ParseFen("3k5/9/9/9/9/9/9/9/R8/5K3 w")->ply, 1);
  EXPECT_EQ(ParseFen("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 0")->ply, 1);
}

TEST(Fen, RoundTripsSampledPositions) {
  for (const Position& position : SamplePositions(41, 20, 3)) {
    const std::string fen = ToFen(position, 7 + Index(position.side_to_move()));
    auto parsed = ParseFen(fen);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(ToFen(parsed->position, parsed->ply), fen);
    EXPECT_EQ(parsed->position.key(), position.key());
  }
}

TEST(Fen, RefusesBrokenTextsByName) {
  const std::pair<const char*, std::string> cases[] = {
      {"bad_board", ""},
      {"bad_board", "9/9 w"},
      {"bad_board", "3k5/9/9/9/9/9/9/9/9/9/5K3 w"},  // eleven ranks
      {"bad_board", "3k5/9/9/9/9/9/9/9/5K3 w"},      // nine
      {"bad_board", "3k6/9/9/9/9/9/9/9/9/5K3 w"},    // ten squares
      {"bad_board", "3k4/9/9/9/9/9/9/9/9/5K3 w"},    // eight
      {"bad_board", "3k5/9/9/9/9/9/9/9/9/5K3/ w"},
      {"bad_board", "3k5/9/9/9/4x4/9/9/9/9/5K3 w"},
      {"bad_board", "3k5/9/9/9/0/9/9/9/9/5K3 w"},
      {"bad_board", "3k5/9/9/9/9/9/9/9/9/5K3P w"},  // a tenth square
      {"bad_board", std::string(301, '9')},
      {"bad_board", std::string("3k5/9/9/9/\0/9/9/9/9/5K3 w", 25)},
      {"bad_side", "3k5/9/9/9/9/9/9/9/9/5K3"},
      {"bad_side", "3k5/9/9/9/9/9/9/9/9/5K3 x"},
      {"bad_field", "3k5/9/9/9/9/9/9/9/9/5K3 w KQkq - 0 1"},
      {"bad_field", "3k5/9/9/9/9/9/9/9/9/5K3 w - e3 0 1"},
      {"bad_ply", "3k5/9/9/9/9/9/9/9/9/5K3 w - - x 1"},
      {"bad_ply", "3k5/9/9/9/9/9/9/9/9/5K3 w - - -1 1"},
      {"bad_ply", "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1x"},
      {"bad_ply", "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 99999999999"},
      {"trailing_text", "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1 moves"},
      {"trailing_text", "startpos w"},
      {"two_kings", "3k5/3k5/9/9/9/9/9/9/9/5K3 w"},
      {"two_kings", "3k5/9/9/9/9/9/9/9/4K4/5K3 w"},
      {"no_king", "9/9/9/9/9/9/9/9/9/5K3 w"},
      {"no_king", "3k5/9/9/9/9/9/9/9/9/9 w"},
      {"facing_kings", "4k4/9/9/9/9/9/9/9/9/4K4 w"},
      {"facing_kings", "4k4/9/9/9/9/9/9/9/9/4K4 b"},
      {"misplaced_king", "2k6/9/9/9/9/9/9/9/9/5K3 w"},
      {"misplaced_king", "3k5/9/9/9/9/9/5K3/9/9/9 w"},
      {"misplaced_adviser", "3k5/3a5/9/9/9/9/9/9/9/5K3 w"},
      {"misplaced_adviser", "3k5/9/9/9/9/9/9/9/9/2A2K3 w"},
      {"misplaced_elephant", "3k5/9/9/4b4/9/9/9/9/9/5K3 w"},
      {"misplaced_elephant", "3k5/9/9/9/2B6/9/9/9/9/5K3 w"},
      {"misplaced_pawn", "3k5/9/9/9/9/9/1P7/9/9/5K3 w"},
      {"misplaced_pawn", "3k5/9/9/9/9/9/9/P8/9/5K3 w"},
      {"misplaced_pawn", "3k5/p8/9/9/9/9/9/9/9/5K3 w"},
      {"too_many_rooks", "3k5/9/9/9/RRR6/9/9/9/9/5K3 w"},
      {"too_many_cannons", "3k5/9/9/9/9/ccc6/9/9/9/5K3 w"},
      {"too_many_knights", "3k5/9/9/9/9/nnn6/9/9/9/5K3 w"},
      {"too_many_pawns", "3k5/9/9/PPPPPP3/9/9/9/9/9/5K3 w"},
      {"too_many_advisers", "3k5/9/9/9/9/9/9/3A5/4A4/3A1K3 w"},
      {"too_many_elephants", "3k5/9/9/9/9/2B6/9/B8/9/2B2K3 w"},
      {"opponent_in_check", "3k5/9/9/9/9/9/9/9/9/3R1K3 w"},
  };
  for (const auto& [code, fen] : cases) {
    const auto parsed = ParseFen(fen);
    ASSERT_FALSE(parsed.ok()) << code << ": " << fen;
    EXPECT_EQ(ProblemOf(parsed.status()).code, code) << fen;
    EXPECT_FALSE(ProblemOf(parsed.status()).expected.empty()) << fen;
  }
  EXPECT_TRUE(ParseFen("3k5/9/9/9/9/9/9/9/9/3R1K3 b").ok()) << "the side to move may be in check";
}

// A text with one character changed, removed or inserted is refused, or round-trips.
TEST(Fen, MutatedTextsAreRefusedOrSound) {
  constexpr char kLetters[] = "rnbakcpRNBAKCPheHE123456789/ wb-0x";
  Rng rng(17);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string fen = kStartFen;
    for (int changes = 1 + static_cast<int>(rng.Below(3)); changes > 0; --changes) {
      const size_t at = rng.Below(fen.size());
      const char letter = kLetters[rng.Below(sizeof(kLetters) - 1)];
      switch (rng.Below(3)) {
        case 0:
          fen[at] = letter;
          break;
        case 1:
          fen.erase(at, 1);
          break;
        default:
          fen.insert(at, 1, letter);
      }
    }
    const auto parsed = ParseFen(fen);
    if (!parsed.ok()) continue;
    ++accepted;
    ASSERT_STREQ(parsed->position.Flaw(), "") << fen;
    ASSERT_EQ(At(ToFen(parsed->position, parsed->ply)).key(), parsed->position.key()) << fen;
  }
  EXPECT_GT(accepted, 100);
}

// The shared openings, mates and endings are all read.
TEST(Fen, ReadsTheSharedPositions) {
  int positions = 0;
  auto check = [&](const std::string& fen) {
    const auto parsed = ParseFen(fen);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ++positions;
  };
  const auto book = testing::SharedData("positions/xiangqi_fsf_book.fen");
  JOSEKI_REQUIRE_SHARED_DATA(book);
  std::ifstream lines(book);
  for (std::string line; std::getline(lines, line);) check(line);
  for (const char* name : {"tsume/xiangqi_mate_in_n_positions.tsv",
                           "tsume/xiangqi_composed_endings.tsv", "tsume/xiangqi_mates.tsv"}) {
    for (const auto& row : testing::ReadTsv(testing::SharedData(name))) check(row[0]);
  }
  EXPECT_GT(positions, 30000);
}

TEST(Ucci, MovesRoundTrip) {
  for (const char* text : {"a0a1", "h2e2", "i9a0", "e0e1"}) {
    auto move = MoveFromUcci(text);
    ASSERT_TRUE(move.has_value()) << text;
    EXPECT_EQ(ToUcci(*move), text);
  }
  EXPECT_EQ(*MoveFromUcci("h2e2"), Move::Board(2 * 9 + 7, 2 * 9 + 4));
  for (const char* text : {"", "h2", "h2e", "h2e2+", "j2e2", "h2e:", "H2E2", "h2h2", "h2e2 ",
                           "h10e2", "resign", "0000"}) {
    EXPECT_FALSE(MoveFromUcci(text).has_value()) << text;
  }
}

TEST(Ucci, IllegalMovesNameTheBrokenRule) {
  auto reason = [](const std::string& fen, const std::string& move) {
    const auto parsed = ParseMove(At(fen), move);
    EXPECT_FALSE(parsed.ok());
    return parsed.ok() ? "" : ProblemOf(parsed.status()).expected;
  };
  EXPECT_EQ(testing::CodeOf(ParseMove(Position(), "h2").status()), "malformed_move");
  EXPECT_EQ(testing::CodeOf(ParseMove(Position(), "h2h9x").status()), "malformed_move");
  EXPECT_EQ(testing::CodeOf(ParseMove(Position(), "h2h8").status()), "illegal_move");
  EXPECT_EQ(reason("startpos", "h7e7"), "a piece of the side to move on the first square");
  EXPECT_EQ(reason("startpos", "e4e5"), "a piece of the side to move on the first square");
  EXPECT_EQ(reason("startpos", "a0a3"), "no own piece on the second square");
  EXPECT_EQ(reason("startpos", "e3d3"), "a square the piece can reach");
  EXPECT_EQ(reason("startpos", "b0d1"), "no piece in the way of a knight or an elephant");
  EXPECT_EQ(reason("startpos", "a0a4"), "no piece on the way");
  EXPECT_EQ(reason("startpos", "h2h8"), "no piece on the way");
  EXPECT_EQ(reason("startpos", "h2h7"), "one piece between a cannon and what it takes");
  EXPECT_EQ(reason("4k4/9/9/9/4r4/9/4R4/9/9/4K4 w", "e3d3"),
            "a move that does not leave the king attacked");
  EXPECT_EQ(reason("4k4/9/9/9/9/9/4N4/9/9/4K4 w", "e3d5"),
            "a move after which the kings do not face each other");
  EXPECT_EQ(reason("3k5/9/9/9/4r4/9/9/9/9/R3K4 w", "a0a1"), "a move out of check");
  EXPECT_EQ(ParseMove(Position(), "h2h9")->raw(), MoveFromUcci("h2h9")->raw());
}

}  // namespace
}  // namespace joseki::xiangqi
