#include "engine/xiangqi/eval/see.h"

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/eval/material.h"

namespace joseki::xiangqi {
namespace {

// Piece types by value, cheapest first; the king is last, since it may only end an exchange.
constexpr PieceType kCheapestFirst[] = {kPawn, kAdviser, kElephant, kKnight, kCannon, kRook, kKing};

// Type of the cheapest of `attackers`, whose square is stored in `square`. REQUIRES: attackers is
// not empty and its pieces are on their squares.
PieceType Cheapest(const Board& board, Bitboard attackers, Square& square) {
  for (const PieceType t : kCheapestFirst) {
    if (const Bitboard of_kind = attackers & board.pieces(t)) {
      square = First(of_kind);
      return t;
    }
  }
  return kNoPieceType;
}

}  // namespace

bool SeeAtLeast(const Position& position, Move move, Value threshold) {
  const Board& board = position.board();
  const Square to = move.to();
  Value balance = CaptureValue(board.piece(to), to) - threshold;
  if (balance < 0) return false;
  // Value of the piece on `to`, captured next; a pawn that captures across the river has crossed
  // it.
  balance -= CaptureValue(board.piece(move.from()), to);
  if (balance >= 0) return true;  // sufficient even if the piece is lost for nothing
  Bitboard occupied = (board.occupied() - Bit(move.from())) | Bit(to);

  // `balance` is for the side of `move`, after the side to capture has captured. A side that cannot
  // improve its result stops.
  Color side = ~position.side_to_move();
  bool ours = true;  // whether the exchange currently favours the side of `move`
  while (true) {
    const Bitboard attackers = board.Attackers(side, to, occupied) - Bit(to);
    if (!attackers) return ours;
    Square from = kNoSquare;
    const PieceType taker = Cheapest(board, attackers, from);
    occupied = occupied - Bit(from);
    if (taker == kKing) {
      return board.Attackers(~side, to, occupied) - Bit(to) ? ours : !ours;
    }
    balance = -balance - 1 - CaptureValue(MakePiece(side, taker), to);
    side = ~side;
    ours = !ours;
    if (balance >= 0) return ours;
  }
}

}  // namespace joseki::xiangqi
