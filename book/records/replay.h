#pragma once

#include "book/records/game_replay.h"
#include "engine/core/outcome.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A game of shogi, replayed.
class Replay : public GameReplay<shogi::Position, shogi::Undo, shogi::Packer> {
 public:
  // Who won if the game ends here as `end` says. Where the record does not tell, the rules do: no
  // legal move loses, and a fourth occurrence decides.
  Result ResultOf(End end) const;
};

// Whether `board` is the even start position's.
bool IsEvenBoard(const shogi::Piece (&board)[shogi::kSquareCount]);
// Whether it is, but for pieces of White's that are missing: a handicap.
bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]);

}  // namespace joseki::book
