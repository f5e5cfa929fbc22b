#include "book/formats/turned.h"

#include "engine/shogi/packed.h"
#include "engine/shogi/turned.h"

namespace joseki::book {

Color SideToMove(const PackedPosition& packed) {
  return (packed.bytes[0] & 1) == 0 ? shogi::kBlack : shogi::kWhite;
}

DbPosition Turned(const DbPosition& position) {
  DbPosition turned = position;
  const absl::StatusOr<shogi::Position> board = shogi::Unpack(position.packed);
  if (!board.ok()) return turned;
  turned.packed = shogi::Pack(shogi::Turned(*board));
  for (DbMove& move : turned.moves) {
    move.move = shogi::Turned(move.move);
    move.ponder = shogi::Turned(move.ponder);
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
