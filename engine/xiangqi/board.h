#pragma once

#include "engine/core/bitboard.h"
#include "engine/core/types.h"
#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/types.h"

namespace joseki::xiangqi {

// The pieces on their squares, and nothing else: no side to move, no history. A copy costs a few
// cache lines. It holds any placement; questions about kings require one of each side.
class Board {
 public:
  Piece piece(Square s) const { return board_[s]; }
  Square king(Color c) const { return kings_[Index(c)]; }  // kNoSquare if it has none
  Bitboard occupied() const { return occupied_[0] | occupied_[1]; }
  Bitboard occupied(Color c) const { return occupied_[Index(c)]; }
  Bitboard pieces(Color c, PieceType t) const { return by_type_[t] & occupied_[Index(c)]; }
  Bitboard pieces(PieceType t) const { return by_type_[t]; }

  // The pieces of `c` that attack `s` when `occupied` are the occupied squares: they could take
  // what stands there. Kings that face each other attack nothing by that.
  Bitboard Attackers(Color c, Square s, Bitboard occupied) const;
  // The part of `among`, pieces of `c`, that attacks a king of the other side on `king`, their own
  // king along an empty file among them.
  Bitboard Checkers(Color c, Square king, Bitboard among, Bitboard occupied) const;

  // Targets of the piece on `s` by itself: not onto its own side, but kings may be left attacked.
  // REQUIRES: there is one.
  Bitboard MovesFrom(Square s) const {
    const Color c = ColorOf(board_[s]);
    return Moves(c, TypeOf(board_[s]), s, occupied()) - occupied(c);
  }
  // True if the king of the side of the piece on `from` is not attacked once that piece is on `to`.
  bool IsSafe(Square from, Square to) const;
  // True if both hold: a legal move if it were that side's turn.
  bool CanMove(Square from, Square to) const {
    return Has(MovesFrom(from), to) && IsSafe(from, to);
  }

  // REQUIRES: the square is empty, is not.
  void Put(Square s, Piece p);
  void Remove(Square s);
  // REQUIRES: a piece on `from`, none on `to`.
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
