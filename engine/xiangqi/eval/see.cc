#include "engine/xiangqi/eval/see.h"

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/eval/material.h"

namespace joseki::xiangqi {
namespace {

// Kinds by value, the cheapest first; the king last, since it may only end an exchange.
constexpr PieceType kCheapestFirst[] = {kPawn, kAdviser, kElephant, kKnight, kCannon, kRook, kKing};

// The kind of the cheapest of `attackers`, one of which is put into `square`.
// REQUIRES: attackers, whose pieces stand where they stood.
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
  // Value of the piece that stands on `to` next to be taken; a pawn that takes across the river has
  // crossed it.
  balance -= CaptureValue(board.piece(move.from()), to);
  if (balance >= 0) return true;  // even if the piece is lost for nothing
  Bitboard occupied = (board.occupied() - Bit(move.from())) | Bit(to);

  // `balance` is for the side of `move` after the side to take has taken; the side that cannot
  // better its lot stops.
  Color side = ~position.side_to_move();
  bool ours = true;  // whether the exchange stands in favour of the side of `move`
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
