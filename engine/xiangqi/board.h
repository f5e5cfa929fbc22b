#pragma once

#include "engine/core/bitboard.h"
#include "engine/core/types.h"
#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/types.h"

namespace joseki::xiangqi {

// Piece placement only: no side to move, no history. A copy costs a few cache lines. Any placement
// is allowed; questions about kings require one of each side.
class Board {
 public:
  Piece piece(Square s) const { return board_[s]; }
  Square king(Color c) const { return kings_[Index(c)]; }  // kNoSquare if it has none
  Bitboard occupied() const { return occupied_[0] | occupied_[1]; }
  Bitboard occupied(Color c) const { return occupied_[Index(c)]; }
  Bitboard pieces(Color c, PieceType t) const { return by_type_[t] & occupied_[Index(c)]; }
  Bitboard pieces(PieceType t) const { return by_type_[t]; }

  // The pieces of `c` that attack `s`, i.e. could capture there, given the occupied squares. Kings
  // facing each other do not count as attacking.
  Bitboard Attackers(Color c, Square s, Bitboard occupied) const;
  // The subset of `among`, pieces of `c`, that attacks the other side's king on `king`. It includes
  // their own king along an empty file.
  Bitboard Checkers(Color c, Square king, Bitboard among, Bitboard occupied) const;

  // Targets of the piece on `s`, without its own side's squares; kings may be left in check.
  // REQUIRES: the square is occupied.
  Bitboard MovesFrom(Square s) const {
    const Color c = ColorOf(board_[s]);
    return Moves(c, TypeOf(board_[s]), s, occupied()) - occupied(c);
  }
  // True if the king of the moving side is not attacked after the piece on `from` moves to `to`.
  bool IsSafe(Square from, Square to) const;
  // True for a move that would be legal if it were that side's turn.
  bool CanMove(Square from, Square to) const {
    return Has(MovesFrom(from), to) && IsSafe(from, to);
  }

  // REQUIRES for Put: the square is empty. REQUIRES for Remove: it is occupied.
  void Put(Square s, Piece p);
  void Remove(Square s);
  // REQUIRES: `from` is occupied, `to` is empty.
  void Shift(Square from, Square to);

 private:
  Piece board_[kSquareCount] = {};
  Bitboard occupied_[2];
  Bitboard by_type_[kPieceTypeCount];
  Square kings_[2] = {kNoSquare, kNoSquare};
};

inline void Board::Put(Square s, Piece p) {
  const Bitboard bit = Bit(s);
  board_[s] = p;
  occupied_[Index(ColorOf(p))] |= bit;
  by_type_[TypeOf(p)] |= bit;
  if (TypeOf(p) == kKing) kings_[Index(ColorOf(p))] = s;
}

inline void Board::Remove(Square s) {
  const Bitboard bit = Bit(s);
  const Piece p = board_[s];
  board_[s] = kNoPiece;
  occupied_[Index(ColorOf(p))] ^= bit;
  by_type_[TypeOf(p)] ^= bit;
  if (TypeOf(p) == kKing) kings_[Index(ColorOf(p))] = kNoSquare;
}

inline void Board::Shift(Square from, Square to) {
  const Bitboard bits = Bit(from) | Bit(to);
  const Piece p = board_[from];
  board_[from] = kNoPiece;
  board_[to] = p;
  occupied_[Index(ColorOf(p))] ^= bits;
  by_type_[TypeOf(p)] ^= bits;
  if (TypeOf(p) == kKing) kings_[Index(ColorOf(p))] = to;
}

}  // namespace joseki::xiangqi
