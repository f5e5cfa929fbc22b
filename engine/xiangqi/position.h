#pragma once

#include <span>
#include <vector>

#include "engine/core/bitboard.h"
#include "engine/core/game.h"
#include "engine/core/move_list.h"
#include "engine/core/types.h"
#include "engine/xiangqi/board.h"
#include "engine/xiangqi/types.h"

namespace joseki::xiangqi {

// At most 34 moves of rooks, 34 of cannons, 16 of knights, 15 of pawns and 17 of king and guards.
using MoveList = FixedMoveList<128>;

// Plies without a capture, as counted by the rule that ends a game after too many. Of checks only
// the first ten of either side count.
struct QuietPlies {
  static constexpr int kCountedChecks = 10;

  uint16_t plies = 0;
  uint8_t checks[2] = {0, 0};  // checks counted, by side
};

// State that Do saves so that TakeBack can restore the position.
struct Undo {
  Key key;
  Bitboard checkers;
  QuietPlies quiet;
  Piece captured = kNoPiece;
};

// A ply of the game that led to a position.
struct Ply {
  Key key;                    // of the position before the ply
  Move move;                  // Move() for a pass
  Piece captured = kNoPiece;  // kNoPiece: no capture
  bool checks = false;        // the move gave check
};

// Placement and side to move, with the preceding plies, which repetition needs. Invariant: each
// side has one king and no more pieces of a type than a set, all where they may stand. The kings do
// not face each other, and the side not to move is not in check. Created only by ParseFen, Unpack
// and PositionBuilder (fen.h, packed.h); Do keeps the invariant for legal moves.
class Position {
 public:
  // The start position.
  Position();

  const Board& board() const { return board_; }
  Color side_to_move() const { return side_; }
  Piece piece(Square s) const { return board_.piece(s); }
  Square king(Color c) const { return board_.king(c); }
  Bitboard occupied() const { return board_.occupied(); }
  Bitboard occupied(Color c) const { return board_.occupied(c); }
  Bitboard pieces(Color c, PieceType t) const { return board_.pieces(c, t); }
  Bitboard pieces(PieceType t) const { return board_.pieces(t); }
  Key key() const { return key_; }

  // Number of plies played on this object since it was set up, and the plies, oldest first.
  int plies() const { return static_cast<int>(history_.size()); }
  std::span<const Ply> history() const { return history_; }
  // Plies without a capture; may include plies before the set-up (ParseFen).
  int quiet_plies() const { return quiet_.plies; }
  // Reserves memory for a game of this many plies.
  void ReserveHistory(int plies) { history_.reserve(static_cast<size_t>(plies)); }

  // Pieces of the other side that check the side to move.
  Bitboard checkers() const { return checkers_; }
  bool InCheck() const { return static_cast<bool>(checkers_); }

  // Appends generated moves to `moves`. All are legal. No move is a drop, and kSearch equals kAll.
  template <GenType type>
  void Generate(MoveList& moves) const;

  // True if Generate<kAll> would give a move.
  bool HasLegalMove() const;
  // True exactly for the members of Generate<kAll>, for any 16 bits in any position.
  bool IsLegal(Move move) const;
  // True if a legal `move` gives check.
  bool GivesCheck(Move move) const;

  // key() after a legal `move`.
  Key KeyAfter(Move move) const;

  // REQUIRES: IsLegal(move).
  void Do(Move move, Undo& undo);
  void TakeBack(Move move, const Undo& undo);
  // Passes. REQUIRES: !InCheck(). Repetition is not counted across a pass.
  void DoNull(Undo& undo);
  void TakeBackNull(const Undo& undo);

  // The value of key(), computed from the board.
  Key ComputeKey() const;
  // The broken rule of the invariant, as a fixed word ("two_kings", "misplaced_pawn", ...); "" if
  // none is.
  const char* Flaw() const;

 private:
  friend class PositionBuilder;
  template <Color us, GenType type>
  class Generator;  // movegen.cc

  // Saves the state into `undo` and the history, before a move.
  void Remember(Move move, Piece captured, Undo& undo);
  void Restore(const Undo& undo);
  void SwitchSide();

  Board board_;
  Color side_ = kRed;
  Key key_;
  Bitboard checkers_;
  QuietPlies quiet_;
  std::vector<Ply> history_;
};

// Sets up a position piece by piece; the only way to create one other than by moves.
class PositionBuilder {
 public:
  PositionBuilder();                        // an empty board, Red to move
  PositionBuilder& Put(Square s, Piece p);  // replaces a piece on the square
  PositionBuilder& SideToMove(Color c);
  // Sets the plies without a capture before the position.
  PositionBuilder& Quiet(int plies);
  // The position, without history; its Flaw() tells whether it is playable.
  Position Build() const;

 private:
  Position position_;
};

}  // namespace joseki::xiangqi
