#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/types.h"

namespace joseki::book {

// Meaning of a record's own statement about the end of the game.
enum class End {
  kUnknown,  // broken off, adjourned, or without a winner
  kSideToMoveLost,
  kSideToMoveWon,
  kFirstWon,
  kSecondWon,
  kDraw,
  kRepetition,  // the moves decide between draw and perpetual check
};

// A game from the even start position, replayed move by move. The template arguments supply each
// game's positions, undos and packing.
template <typename Position, typename Undo, typename Packer>
class GameReplay {
 public:
  // Keeps the packed positions before each of the first `plies` moves.
  void Keep(int plies) { keep_ = static_cast<size_t>(plies); }

  void Restart() {
    position_ = Start();
    moves_.clear();
    undos_.clear();
    positions_.clear();
  }

  // Plays `move` if it is legal; otherwise returns false without any change.
  bool Play(Move move) {
    if (!position_.IsLegal(move)) return false;
    if (moves_.size() < keep_) positions_.push_back(packer_.Pack(position_));
    position_.Do(move, undos_.emplace_back());
    moves_.push_back(move);
    return true;
  }

  // Takes moves back until `plies` are left. REQUIRES: 0 <= plies <= plies().
  void BackTo(int plies) {
    while (this->plies() > plies) {
      position_.TakeBack(moves_.back(), undos_.back());
      moves_.pop_back();
      undos_.pop_back();
    }
    if (positions_.size() > moves_.size()) positions_.resize(moves_.size());
  }

  const Position& position() const { return position_; }
  const std::vector<Move>& moves() const { return moves_; }
  // The kept positions (Keep): at most as many as there are moves.
  const std::vector<PackedPosition>& positions() const { return positions_; }
  // Number of moves played.
  int plies() const { return static_cast<int>(moves_.size()); }

  static const Position& Start() {
    static const Position start;
    return start;
  }

 private:
  Position position_;
  Packer packer_;
  std::vector<Move> moves_;
  std::vector<Undo> undos_;  // one for each move
  std::vector<PackedPosition> positions_;
  size_t keep_ = 0;
};

}  // namespace joseki::book
