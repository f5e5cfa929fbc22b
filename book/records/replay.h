#pragma once

#include "book/records/game_replay.h"
#include "engine/core/outcome.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A game of shogi, replayed.
class Replay : public GameReplay<shogi::Position, shogi::Undo, shogi::Packer> {
 public:
  // The winner if the game ends here by `end`. If the record does not tell, the rules do: no legal
  // move loses, and a fourth occurrence decides.
  Result ResultOf(End end) const;
};

// True if `board` is the even start position's.
bool IsEvenBoard(const shogi::Piece (&board)[shogi::kSquareCount]);
// True if it is that board with pieces of White's missing: a handicap.
bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]);

}  // namespace joseki::book
