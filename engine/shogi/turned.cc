#include "engine/shogi/turned.h"

#include "engine/shogi/types.h"

namespace joseki::shogi {
namespace {

constexpr Square Opposite(Square square) { return kSquareCount - 1 - square; }

}  // namespace

Position Turned(const Position& position) {
  PositionBuilder builder;
  for (Square s = 0; s < kSquareCount; ++s) {
    const Piece piece = position.piece(s);
    if (piece == kNoPiece) continue;
    builder.Put(Opposite(s), MakePiece(~ColorOf(piece), TypeOf(piece)));
  }
  for (const Color side : {kBlack, kWhite}) {
    for (int t = kPawn; t <= kGold; ++t) {
      const auto type = static_cast<PieceType>(t);
      builder.Hold(~side, type, position.hand(side).Count(type));
    }
  }
  builder.SideToMove(~position.side_to_move());
  return builder.Build();
}

Move Turned(Move move) {
  if (!move) return move;
  if (move.is_drop()) return Move::Drop(move.dropped(), Opposite(move.to()));
  return Move::Board(Opposite(move.from()), Opposite(move.to()), move.promotes());
}

}  // namespace joseki::shogi
