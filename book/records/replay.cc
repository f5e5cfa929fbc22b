#include "book/records/replay.h"

namespace joseki::book {

Result Replay::ResultOf(End end) const {
  const Color side = position().side_to_move();
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
  if (!position().HasLegalMove()) return WinFor(~side);
  switch (position().CheckRepetition(4)) {
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
    if (board[s] != Replay::Start().piece(s)) return false;
  }
  return true;
}

bool IsHandicapBoard(const shogi::Piece (&board)[shogi::kSquareCount]) {
  bool missing = false;
  for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
    const shogi::Piece piece = Replay::Start().piece(s);
    if (board[s] == piece) continue;
    if (board[s] != shogi::kNoPiece || shogi::ColorOf(piece) != shogi::kWhite) return false;
    missing = true;
  }
  return missing;
}

}  // namespace joseki::book
