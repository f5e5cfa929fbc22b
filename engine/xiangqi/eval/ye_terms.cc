#include "engine/xiangqi/eval/ye_terms.h"

#include <algorithm>
#include <cstdlib>

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/eval/phased.h"

namespace joseki::xiangqi {
namespace {

constexpr int kOpening = kFullPhase - 4;

bool IsOpening(const Position& position) { return PhaseOf(position) >= kOpening; }

// Whether a side's piece of this type starts on the square, which it sees at this rank.
bool StartsHere(PieceType t, int file, int rank) {
  const int from_edge = std::min(file, kFiles - 1 - file);
  switch (t) {
    case kRook:
      return rank == 0 && from_edge == 0;
    case kKnight:
      return rank == 0 && from_edge == 1;
    case kCannon:
      return rank == 2 && from_edge == 1;
    default:
      return false;
  }
}

// Whether a cannon of `by` looks at `target` along a line with nothing between.
bool FacesCannon(const Position& position, Color by, Square target) {
  bool faces = false;
  ForEach(position.pieces(kCannon) & position.occupied(by), [&](Square cannon) {
    const int files = FileOf(target) - FileOf(cannon);
    const int ranks = RankOf(target) - RankOf(cannon);
    if ((files != 0) == (ranks != 0)) return;
    const int step = files != 0 ? (files > 0 ? 1 : -1) : (ranks > 0 ? kFiles : -kFiles);
    Square s = cannon + step;
    while (s != target && position.piece(s) == kNoPiece) s += step;
    faces = faces || s == target;
  });
  return faces;
}

// The move that the side to move made last; Move() if there is none.
Move OwnMoveBefore(const Position& position) {
  const auto history = position.history();
  return history.size() < 2 ? Move() : history[history.size() - 2].move;
}

}  // namespace

int Development(const Position& position, Color side) {
  constexpr int kPiece = 6;
  if (!IsOpening(position)) return 0;
  int away = 0;
  for (const PieceType t : {kRook, kKnight, kCannon}) {
    ForEach(position.pieces(t) & position.occupied(side),
            [&](Square s) { away += StartsHere(t, FileOf(s), RelativeRank(side, s)) ? 0 : 1; });
  }
  return kPiece * away;
}

int PassedPawns(const Position& position, Color side) {
  int passed = 0;
  ForEach(position.pieces(kPawn) & position.occupied(side), [&](Square pawn) {
    if (!HasCrossedRiver(side, pawn)) return;
    bool free = true;
    ForEach(position.occupied(~side), [&](Square s) {
      const bool ahead = RelativeRank(side, s) > RelativeRank(side, pawn) &&
                         std::abs(FileOf(s) - FileOf(pawn)) <= 1;
      free = free && !(ahead && TypeOf(position.piece(s)) != kKing);
    });
    passed += free ? 1 : 0;
  });
  return passed * (IsOpening(position) ? 15 : 30);
}

Value FirstMoveMalus(const Position& position, Move move) {
  constexpr Value kTwice = 30;
  constexpr Value kPawnTaken = 30;
  constexpr Value kLeaves = 40;
  const Color us = position.side_to_move();
  const PieceType mover = TypeOf(position.piece(move.from()));
  Value malus = 0;
  if (IsOpening(position)) {
    const Move before = OwnMoveBefore(position);
    if (before && before.to() == move.from()) malus -= kTwice;
    if (mover == kCannon && TypeOf(position.piece(move.to())) == kPawn &&
        !position.GivesCheck(move)) {
      malus -= kPawnTaken;
    }
  }
  if (mover == kKing && PhaseOf(position) >= kFullPhase / 2 &&
      FacesCannon(position, ~us, move.from())) {
    Position after = position;
    Undo undo;
    after.Do(move, undo);
    if (!FacesCannon(after, ~us, move.to())) malus -= kLeaves;
  }
  return malus;
}

}  // namespace joseki::xiangqi
