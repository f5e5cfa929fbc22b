#include "engine/shogi/eval/see.h"

#include <algorithm>
#include <vector>

#include "engine/shogi/eval/material.h"
#include "gtest/gtest.h"
#include "tests/support/brute_rules.h"
#include "tests/support/sample_positions.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

// The greatest threshold that the exchange reaches.
Value See(const char* sfen, const char* text) {
  const Position position = At(sfen);
  const auto move = ParseMove(position, text);
  EXPECT_TRUE(move.ok()) << text << ": " << move.status();
  Value low = -10000;
  Value high = 10000;
  while (low < high) {
    const Value middle = low + (high - low + 1) / 2;
    if (SeeAtLeast(position, *move, middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

TEST(See, ALoosePieceIsWonWhole) {
  EXPECT_EQ(See("4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1", "5h5d"), CaptureValue(kPawn));
}

TEST(See, AGuardedPawnCostsTheRook) {
  EXPECT_EQ(See("4k4/9/4g4/4p4/9/9/9/4R4/4K4 b - 1", "5h5d"),
            CaptureValue(kPawn) - CaptureValue(kRook));
}

TEST(See, ALanceBehindTheRookTakesPartInTheExchange) {
  EXPECT_EQ(See("4k4/9/4g4/4p4/9/9/4R4/4L4/4K4 b - 1", "5g5d"),
            CaptureValue(kPawn) - CaptureValue(kRook) + CaptureValue(kGold));
}

TEST(See, TheOtherSideNeedNotTakeBack) {
  // Pawn takes gold; the rook that could take back would be lost to the lance.
  EXPECT_EQ(See("4k4/4r4/9/4g4/4P4/9/9/4L4/4K4 b - 1", "5e5d"), CaptureValue(kGold));
}

TEST(See, AKingTakesOnlyWhatIsNotGuarded) {
  EXPECT_EQ(See("4k4/4p4/4P4/9/9/9/9/9/4K4 b - 1", "5c5b"),
            CaptureValue(kPawn) - CaptureValue(kPawn));
  EXPECT_EQ(See("4k4/4p4/4P4/4L4/9/9/9/9/4K4 b - 1", "5c5b"), CaptureValue(kPawn));
}

TEST(See, ADropCanBeLost) {
  EXPECT_EQ(See("4k4/9/4p4/9/9/9/9/9/4K4 b G 1", "G*5d"), -CaptureValue(kGold));
  EXPECT_EQ(See("4k4/9/4p4/9/9/9/9/9/4K4 b G 1", "G*4d"), 0);
}

TEST(See, PromotionCounts) {
  EXPECT_EQ(See("8k/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+"), PromotionGain(kPawn));
}

// Kinds in the order in which they take, the cheapest first.
constexpr PieceType kByValue[] = {kPawn,     kLance,     kKnight,    kSilver, kProPawn,
                                  kProLance, kProKnight, kProSilver, kGold,   kBishop,
                                  kRook,     kHorse,     kDragon,    kKing};

// Largest gain of `side` by capturing on `to` and continuing, played out on a mailbox; 0 if it
// should not capture. `any` lets it capture with any piece, otherwise with the cheapest.
Value Exchange(const BruteBoard& board, Color side, Square to, bool any) {
  const std::set<Square> attackers = board.Attackers(side, to);
  std::vector<Square> takers;
  for (const PieceType t : kByValue) {
    for (const Square from : attackers) {
      if (TypeOf(board.piece(from)) == t) takers.push_back(from);
    }
  }
  if (!any && takers.size() > 1) takers.resize(1);
  Value best = 0;
  for (const Square from : takers) {
    BruteBoard after = board;
    after.Put(to, board.piece(from));
    after.Clear(from);
    // A king takes only what nobody guards.
    if (TypeOf(board.piece(from)) == kKing && !after.Attackers(~side, to).empty()) continue;
    best = std::max(best, CaptureValue(TypeOf(board.piece(to))) - Exchange(after, ~side, to, any));
  }
  return best;
}

Value PlayedOut(const Position& position, Move move, bool any) {
  BruteBoard board(position);
  Value gain = CaptureValue(TypeOf(position.piece(move.to())));
  if (move.promotes()) gain += PromotionGain(TypeOf(position.piece(move.from())));
  board.Play(move);
  return gain - Exchange(board, board.side(), move.to(), any);
}

TEST(See, AgreesWithExchangesThatArePlayedOut) {
  int moves_seen = 0;
  int exchanges = 0;
  int better_otherwise = 0;
  for (const Position& position : SamplePositions(31, 12, 6)) {
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      const bool taken_back = position.IsAttacked(~position.side_to_move(), move.to());
      // All captures, and of the many drops into nothing one in eight.
      if (position.piece(move.to()) == kNoPiece && moves_seen++ % 8 != 0) continue;
      const Value value = PlayedOut(position, move, false);
      ASSERT_TRUE(SeeAtLeast(position, move, value)) << ToSfen(position, 1) << " " << ToUsi(move);
      ASSERT_FALSE(SeeAtLeast(position, move, value + 1))
          << ToSfen(position, 1) << " " << ToUsi(move);
      if (!taken_back) continue;
      ++exchanges;
      // Cheapest first is a rule of thumb: now and then another order is better.
      if (PlayedOut(position, move, true) != value) ++better_otherwise;
    }
  }
  EXPECT_GT(exchanges, 1000);
  EXPECT_LT(better_otherwise, exchanges / 50);
}

}  // namespace
}  // namespace joseki::shogi
