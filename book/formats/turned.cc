#include "book/formats/turned.h"

#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"

namespace joseki::book {
namespace {

using shogi::Square;

constexpr Square Opposite(Square square) { return shogi::kSquareCount - 1 - square; }

Move TurnedMove(Move move) {
  if (!move) return move;
  if (move.is_drop()) return Move::Drop(move.dropped(), Opposite(move.to()));
  return Move::Board(Opposite(move.from()), Opposite(move.to()), move.promotes());
}

}  // namespace

Color SideToMove(const PackedPosition& packed) {
  return (packed.bytes[0] & 1) == 0 ? shogi::kBlack : shogi::kWhite;
}

DbPosition Turned(const DbPosition& position) {
  DbPosition turned = position;
  const absl::StatusOr<shogi::Position> board = shogi::Unpack(position.packed);
  if (!board.ok()) return turned;
  shogi::PositionBuilder builder;
  for (Square s = 0; s < shogi::kSquareCount; ++s) {
    const shogi::Piece piece = board->piece(s);
    if (piece == shogi::kNoPiece) continue;
    builder.Put(Opposite(s), shogi::MakePiece(~shogi::ColorOf(piece), shogi::TypeOf(piece)));
  }
  for (const Color side : {shogi::kBlack, shogi::kWhite}) {
    for (int t = shogi::kPawn; t <= shogi::kGold; ++t) {
      const auto type = static_cast<shogi::PieceType>(t);
      builder.Hold(~side, type, board->hand(side).Count(type));
    }
  }
  builder.SideToMove(~board->side_to_move());
  turned.packed = shogi::Pack(builder.Build());
  for (DbMove& move : turned.moves) {
    move.move = TurnedMove(move.move);
    move.ponder = TurnedMove(move.ponder);
  }
  return turned;
}

void TurnToBlack(std::vector<DbPosition>& positions) {
  for (DbPosition& position : positions) {
    if (SideToMove(position.packed) == shogi::kWhite) position = Turned(position);
  }
  Canonicalise(positions);
}

}  // namespace joseki::book
