#include "book/formats/turned.h"

#include "engine/shogi/packed.h"
#include "engine/shogi/turned.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::book {

namespace {

void TurnMoves(DbPosition& position, Move (*turn)(Move)) {
  for (DbMove& move : position.moves) {
    move.move = turn(move.move);
    move.ponder = turn(move.ponder);
  }
}

Move TurnXiangqi(Move move) { return xiangqi::Mapped(xiangqi::Symmetry::kTurn, move); }

}  // namespace

// The lowest bit of the packed form, in every game.
Color SideToMove(const PackedPosition& packed) {
  return (packed.bytes[0] & 1) == 0 ? Color::kFirst : Color::kSecond;
}

DbPosition Turned(const DbPosition& position) {
  DbPosition turned = position;
  if (const auto board = shogi::Unpack(position.packed); board.ok()) {
    turned.packed = shogi::Pack(shogi::Turned(*board));
    TurnMoves(turned, shogi::Turned);
  } else if (const auto other = xiangqi::Unpack(position.packed); other.ok()) {
    turned.packed = xiangqi::Pack(xiangqi::Mapped(xiangqi::Symmetry::kTurn, *other));
    TurnMoves(turned, TurnXiangqi);
  }
  return turned;
}

void TurnToBlack(std::vector<DbPosition>& positions) {
  for (DbPosition& position : positions) {
    if (SideToMove(position.packed) == Color::kSecond) position = Turned(position);
  }
  Canonicalise(positions);
}

}  // namespace joseki::book
