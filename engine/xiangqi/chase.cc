#include "engine/xiangqi/chase.h"

#include <array>
#include <cassert>
#include <numeric>

#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

constexpr bool MayChase(PieceType t) { return t != kKing && t != kPawn; }

// Pieces of unequal value, for which it does not matter whether the prey is protected.
constexpr bool WinsByExchange(PieceType hunter, PieceType prey) {
  switch (hunter) {
    case kKnight:
    case kCannon:
      return prey == kRook;
    case kAdviser:
    case kElephant:
      return prey == kRook || prey == kCannon || prey == kKnight;
    default:
      return false;
  }
}

// True if the piece on `from` may go to `to`, ignoring an existing check. Moves in a cycle are
// examined out of turn, where a check by another piece would forbid all of them.
bool MayMove(const Board& board, Square from, Square to) {
  if (board.king(ColorOf(board.piece(from))) == from) return board.IsSafe(from, to);
  const Color us = ColorOf(board.piece(from));
  const Square king = board.king(us);
  const Bitboard theirs = board.occupied(~us);
  const Bitboard all = board.occupied();
  const Bitboard earlier = board.Checkers(~us, king, theirs, all);
  return !(board.Checkers(~us, king, theirs - Bit(to), (all - Bit(from)) | Bit(to)) - earlier);
}

// True if the side of the piece on `prey` may recapture there.
bool IsProtected(const Board& board, Square hunter, Square prey) {
  const Color owner = ColorOf(board.piece(prey));
  Board after = board;
  after.Remove(prey);
  after.Shift(hunter, prey);
  bool is_protected = false;
  ForEach(after.Attackers(owner, prey, after.occupied()),
          [&](Square s) { is_protected = is_protected || MayMove(after, s, prey); });
  return is_protected;
}

// The pieces that `side` may chase.
Bitboard Chaseable(const Board& board, Color side) {
  const Color them = ~side;
  Bitboard prey = board.occupied(them) - board.pieces(kKing);
  ForEach(board.pieces(them, kPawn), [&](Square s) {
    if (!HasCrossedRiver(them, s)) prey = prey - Bit(s);
  });
  return prey;
}

}  // namespace

bool Threatens(const Board& board, Square hunter, Square prey) {
  const auto takes = [&](Square from, Square to) {
    return Has(board.MovesFrom(from), to) && MayMove(board, from, to);
  };
  if (!takes(hunter, prey)) return false;
  const PieceType hunting = TypeOf(board.piece(hunter));
  const PieceType hunted = TypeOf(board.piece(prey));
  if (WinsByExchange(hunting, hunted)) return true;
  if (hunting == hunted && takes(prey, hunter)) return false;
  return !IsProtected(board, hunter, prey);
}

Bitboard Threatened(const Board& board, Color side) {
  const Bitboard prey = Chaseable(board, side);
  Bitboard threatened;
  ForEach(board.occupied(side), [&](Square hunter) {
    if (!MayChase(TypeOf(board.piece(hunter)))) return;
    ForEach((board.MovesFrom(hunter) & prey) - threatened, [&](Square s) {
      if (Threatens(board, hunter, s)) threatened |= Bit(s);
    });
  });
  return threatened;
}

Chased ChasedAllAlong(const Position& position, int plies) {
  // Goes backwards, undoing moves on a board. `now` gives, for each square of that board, the
  // present square of its piece.
  std::array<uint8_t, kSquareCount> now;
  std::iota(now.begin(), now.end(), uint8_t{0});
  Board after = position.board();
  Color side = ~position.side_to_move();
  Chased chased{{kAllSquares, kAllSquares}};
  const auto history = position.history();
  for (size_t i = history.size(); i > history.size() - static_cast<size_t>(plies); --i) {
    const Ply& ply = history[i - 1];
    assert(ply.move && ply.captured == kNoPiece);
    const Square from = ply.move.from();
    const Square to = ply.move.to();
    Board before = after;
    before.Shift(to, from);
    Bitboard& all_along = chased.by[Index(side)];
    if (all_along) {
      Bitboard this_time;
      ForEach(Threatened(after, side) - Threatened(before, side),
              [&](Square s) { this_time |= Bit(now[static_cast<size_t>(s)]); });
      all_along &= this_time;
    }
    now[static_cast<size_t>(from)] = now[static_cast<size_t>(to)];
    after = before;
    side = ~side;
  }
  return chased;
}

}  // namespace joseki::xiangqi
