#pragma once

#include <vector>

#include "engine/core/outcome.h"
#include "engine/core/types.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// What a record's own last word says of the game.
enum class End {
  kUnknown,  // broken off, adjourned, or a word that tells no winner
  kSideToMoveLost,
  kSideToMoveWon,
  kFirstWon,
  kSecondWon,
  kDraw,
  kRepetition,  // the moves say whether it was a draw or perpetual check
};

// A game from the even start position, replayed move by move.
class Replay {
 public:
  // Keeps the packed forms of the positions before the first `plies` moves.
  void Keep(int plies) { keep_ = static_cast<size_t>(plies); }
  void Restart();

  // Plays `move` if it is legal; otherwise returns false and nothing changes.
  bool Play(Move move);
  // Takes moves back until `plies` are left. REQUIRES: 0 <= plies <= plies().
  void BackTo(int plies);

  const shogi::Position& position() const { return position_; }
  const std::vector<Move>& moves() const { return moves_; }
  // Those that Keep asked for: as many as there are moves, or fewer.
  const std::vector<PackedPosition>& positions() const { return positions_; }
  // How many of its moves have been played; the next one is this plus one.
  int plies() const { return static_cast<int>(moves_.size()); }

  // Who won if the game ends here as `end` says. Where the record does not tell, the rules do: no
  // legal move loses, and a fourth occurrence decides.
  Result ResultOf(End end) const;

 private:
  shogi::Position position_;
  shogi::Packer packer_;
  std::vector<Move> moves_;
  std::vector<shogi::Undo> undos_;  // one a move
  std::vector<PackedPosition> positions_;
  size_t keep_ = 0;
};

// Whether `board` is the even start position's.
bool IsEvenBoard(const shogi::Piece (&board)[shogi::kSquareCount]);
// Whether it is, but for pieces of White's that are missing: a handicap.
bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]);

}  // namespace joseki::book
