#include "book/records/replay.h"

namespace joseki::book {
namespace {

const shogi::Position& Start() {
  static const shogi::Position start;
  return start;
}

}  // namespace

void Replay::Restart() {
  position_ = Start();
  moves_.clear();
  undos_.clear();
  positions_.clear();
}

bool Replay::Play(Move move) {
  if (!position_.IsLegal(move)) return false;
  if (moves_.size() < keep_) positions_.push_back(packer_.Pack(position_));
  position_.Do(move, undos_.emplace_back());
  moves_.push_back(move);
  return true;
}

void Replay::BackTo(int plies) {
  while (this->plies() > plies) {
    position_.TakeBack(moves_.back(), undos_.back());
    moves_.pop_back();
    undos_.pop_back();
  }
  if (positions_.size() > moves_.size()) positions_.resize(moves_.size());
}

Result Replay::ResultOf(End end) const {
  const Color side = position_.side_to_move();
  switch (end) {
    case End::kSideToMoveLost:
      return WinFor(~side);
    case End::kSideToMoveWon:
      return WinFor(side);
    case End::kFirstWon:
      return Result::kFirstWins;
    case End::kSecondWon:
      return Result::kSecondWins;
    case End::kDraw:
      return Result::kDraw;
    case End::kUnknown:
    case End::kRepetition:
      break;
  }
  if (!position_.HasLegalMove()) return WinFor(~side);
  switch (position_.CheckRepetition(4)) {
    case Repetition::kWin:
      return WinFor(side);
    case Repetition::kLoss:
      return WinFor(~side);
    case Repetition::kDraw:
      return Result::kDraw;
    case Repetition::kNone:
      break;
  }
  return end == End::kRepetition ? Result::kDraw : Result::kNone;
}

bool IsEvenBoard(const shogi::Piece (&board)[shogi::kSquareCount]) {
  for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
    if (board[s] != Start().piece(s)) return false;
  }
  return true;
}

bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]) {
  bool missing = false;
  for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
    const shogi::Piece piece = Start().piece(s);
    if (board[s] == piece) continue;
    if (board[s] != shogi::kNoPiece || shogi::ColorOf(piece) != shogi::kWhite) return false;
    missing = true;
  }
  return missing;
}

}  // namespace joseki::book
