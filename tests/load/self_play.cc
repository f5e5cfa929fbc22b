#include "tests/load/self_play.h"

#include "base/rng.h"
#include "engine/shogi/position.h"

namespace joseki {

std::vector<Move> SelfPlay::Play(uint64_t number) {
  Rng rng = Rng(options_.seed).Split(number);
  search_.NewGame();
  shogi::Position position;
  std::vector<Move> moves;
  while (static_cast<int>(moves.size()) < options_.max_plies &&
         position.CheckRepetition(4) == Repetition::kNone && !position.CanDeclare27()) {
    Move move;
    if (static_cast<int>(moves.size()) < options_.random_plies &&
        static_cast<int>(rng.Below(100)) < options_.random_percent) {
      shogi::MoveList legal;
      position.Generate<GenType::kSearch>(legal);
      if (legal.size() > 0) move = legal[rng.Below(legal.size())];
    } else {
      SearchLimits limits;
      limits.nodes = options_.nodes + rng.Below(options_.nodes / 2 + 1);
      const SearchResult found = search_.Run(position, limits);
      if (found.value <= -options_.resign_below) break;
      move = found.best;
    }
    if (!move) break;
    moves.push_back(move);
    shogi::Undo undo;
    position.Do(move, undo);
  }
  return moves;
}

}  // namespace joseki
