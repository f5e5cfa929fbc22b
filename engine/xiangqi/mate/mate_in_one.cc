#include "engine/xiangqi/mate/mate_in_one.h"

namespace joseki::xiangqi {

Move MateInOne(Position& position) {
  MoveList checks;
  position.Generate<GenType::kChecks>(checks);
  for (const Move move : checks) {
    Undo undo;
    position.Do(move, undo);
    const bool mate = !position.HasLegalMove();
    position.TakeBack(move, undo);
    if (mate) return move;
  }
  return Move();
}

}  // namespace joseki::xiangqi
