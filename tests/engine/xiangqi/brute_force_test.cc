// The generator and do-move against rules done the obvious way.
#include <set>

#include "gtest/gtest.h"
#include "tests/support/brute_xiangqi.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

std::set<Move> AllMoves(const Position& position) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  return {moves.begin(), moves.end()};
}

std::set<Square> Squares(Bitboard b) {
  std::set<Square> squares;
  ForEach(b, [&](Square s) { squares.insert(s); });
  return squares;
}

TEST(XiangqiBruteForce, GeneratedMovesAreTheLegalOnes) {
  size_t moves = 0;
  size_t checked = 0;
  for (const Position& position : SamplePositions(21, 40, 3)) {
    const std::set<Move> legal = BruteXiangqi(position).LegalMoves();
    ASSERT_EQ(AllMoves(position), legal) << ToFen(position, 1);
    moves += legal.size();
    checked += position.InCheck() ? 1 : 0;
  }
  EXPECT_GT(moves, 50000u);
  EXPECT_GT(checked, 50u);
}

// Kings in the open, few guards and many attackers: pins, screens and discovered checks abound.
TEST(XiangqiBruteForce, CrowdedPositionsHaveTheLegalMoves) {
  Rng rng(7);
  size_t positions = 0;
  size_t double_checks = 0;
  for (int i = 0; i < 20000; ++i) {
    PositionBuilder builder;
    std::set<Square> used;
    for (const Color c : {kRed, kBlack}) {
      const auto put = [&](PieceType t) {
        const auto s = static_cast<Square>(rng.Below(kSquareCount));
        if (!MayStand(c, t, s)) return false;
        // Attacking pieces are placed on the other side's half.
        const bool guards = t == kKing || t == kAdviser || t == kElephant;
        if (!guards && !HasCrossedRiver(c, s)) return false;
        if (!used.insert(s).second) return false;
        builder.Put(s, MakePiece(c, t));
        return true;
      };
      while (!put(kKing)) {
      }
      for (const PieceType t :
           {kRook, kRook, kCannon, kCannon, kKnight, kKnight, kPawn, kPawn, kAdviser, kElephant}) {
        if (rng.Below(4) != 0) put(t);
      }
    }
    const Position position = builder.SideToMove(static_cast<Color>(rng.Below(2))).Build();
    if (*position.Flaw() != '\0') continue;
    ++positions;
    double_checks += position.checkers().HasMany() ? 1 : 0;
    const BruteXiangqi brute(position);
    ASSERT_EQ(Squares(position.checkers()), brute.Checkers(position.side_to_move()))
        << ToFen(position, 1);
    ASSERT_EQ(AllMoves(position), brute.LegalMoves()) << ToFen(position, 1);
  }
  EXPECT_GT(positions, 5000u);
  EXPECT_GT(double_checks, 100u);
}

TEST(XiangqiBruteForce, IsLegalAcceptsExactlyTheLegalMoveCodes) {
  for (const Position& position : SamplePositions(5, 4, 40)) {
    const std::set<Move> legal = BruteXiangqi(position).LegalMoves();
    for (int bits = 0; bits < 0x10000; ++bits) {
      const Move move(static_cast<uint16_t>(bits));
      ASSERT_EQ(position.IsLegal(move), legal.count(move) == 1)
          << ToFen(position, 1) << " " << bits;
    }
  }
}

TEST(XiangqiBruteForce, AttackersAreThePiecesThatReachTheSquare) {
  for (const Position& position : SamplePositions(6, 10, 9)) {
    const BruteXiangqi brute(position);
    for (Square to = 0; to < kSquareCount; ++to) {
      if (position.piece(to) == kNoPiece) continue;
      const Color c = ~ColorOf(position.piece(to));
      std::set<Square> attackers;
      for (Square from = 0; from < kSquareCount; ++from) {
        const Piece p = position.piece(from);
        if (p != kNoPiece && ColorOf(p) == c && brute.Reaches(from, to)) attackers.insert(from);
      }
      ASSERT_EQ(Squares(position.board().Attackers(c, to, position.occupied())), attackers)
          << ToFen(position, 1) << " " << to;
    }
  }
}

TEST(XiangqiBruteForce, DoFollowsTheRulesAndTakeBackReturns) {
  for (const Position& before : SamplePositions(22, 12, 10)) {
    Position position = before;
    for (const Move move : AllMoves(position)) {
      BruteXiangqi after(position);
      after.Play(move);
      const bool checks = position.GivesCheck(move);
      const Key key = position.KeyAfter(move);
      Undo undo;
      position.Do(move, undo);
      for (Square s = 0; s < kSquareCount; ++s) ASSERT_EQ(position.piece(s), after.piece(s));
      ASSERT_EQ(position.side_to_move(), after.side());
      ASSERT_EQ(Squares(position.checkers()), after.Checkers(after.side())) << ToFen(position, 1);
      ASSERT_EQ(position.InCheck(), checks) << ToFen(before, 1) << " " << ToUcci(move);
      ASSERT_EQ(position.key(), key);
      ASSERT_EQ(position.key(), position.ComputeKey());
      ASSERT_STREQ(position.Flaw(), "");
      // A board set up from the text agrees in all derived state.
      const Position again = At(ToFen(position, 1));
      ASSERT_EQ(again.key(), position.key());
      ASSERT_EQ(again.checkers(), position.checkers());
      ASSERT_EQ(again.occupied(kRed), position.occupied(kRed));
      ASSERT_EQ(again.quiet_plies(), position.quiet_plies());
      position.TakeBack(move, undo);
      for (const Color c : {kRed, kBlack}) {
        for (int t = kKing; t < kPieceTypeCount; ++t) {
          const auto type = static_cast<PieceType>(t);
          ASSERT_EQ(position.pieces(c, type), before.pieces(c, type));
        }
        ASSERT_EQ(position.king(c), before.king(c));
      }
      ASSERT_EQ(ToFen(position, 1), ToFen(before, 1));
      ASSERT_EQ(position.key(), before.key());
      ASSERT_EQ(position.checkers(), before.checkers());
      ASSERT_EQ(position.plies(), before.plies());
    }
  }
}

template <GenType type>
std::set<Move> Given(const Position& position) {
  MoveList moves;
  position.Generate<type>(moves);
  std::set<Move> set(moves.begin(), moves.end());
  EXPECT_EQ(set.size(), static_cast<size_t>(moves.size())) << "a move was generated twice";
  return set;
}

TEST(XiangqiBruteForce, EachKindOfMoveListIsComplete) {
  size_t checks_seen = 0;
  for (Position& position : SamplePositions(23, 30, 4)) {
    const std::set<Move> legal = BruteXiangqi(position).LegalMoves();
    std::set<Move> captures;
    std::set<Move> quiets;
    std::set<Move> checks;
    for (const Move move : legal) {
      const bool takes = position.piece(move.to()) != kNoPiece;
      (takes || position.InCheck() ? captures : quiets).insert(move);
      BruteXiangqi after(position);
      after.Play(move);
      if (!after.Checkers(after.side()).empty()) checks.insert(move);
    }
    ASSERT_EQ(Given<GenType::kSearch>(position), legal) << ToFen(position, 1);
    ASSERT_EQ(Given<GenType::kCaptures>(position), captures) << ToFen(position, 1);
    ASSERT_EQ(Given<GenType::kQuiets>(position), quiets) << ToFen(position, 1);
    ASSERT_EQ(Given<GenType::kChecks>(position), checks) << ToFen(position, 1);
    ASSERT_EQ(Given<GenType::kAllChecks>(position), checks) << ToFen(position, 1);
    ASSERT_TRUE(Given<GenType::kDrops>(position).empty());
    ASSERT_EQ(position.HasLegalMove(), !legal.empty());
    checks_seen += checks.size();
    if (position.InCheck()) continue;
    const Key key = position.key();
    Undo undo;
    position.DoNull(undo);
    ASSERT_EQ(position.key(), position.ComputeKey());
    ASSERT_NE(position.key(), key);
    position.TakeBackNull(undo);
    ASSERT_EQ(position.key(), key);
  }
  EXPECT_GT(checks_seen, 500u);
}

}  // namespace
}  // namespace joseki::xiangqi
