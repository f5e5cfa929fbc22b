#pragma once

#include "book/records/game_replay.h"
#include "engine/core/outcome.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A game of shogi, replayed.
class Replay : public GameReplay<shogi::Position, shogi::Undo, shogi::Packer> {
 public:
  // The winner if the game ends here by `end`. Where the record is silent the rules decide: a side
  // without a legal move loses, and a fourth occurrence is judged.
  Result ResultOf(End end) const;
};

// True if `board` is that of the even start position.
bool IsEvenBoard(const shogi::Piece (&board)[shogi::kSquareCount]);
// True if `board` is the even start with some of White's pieces missing: a handicap.
bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]);

}  // namespace joseki::book
