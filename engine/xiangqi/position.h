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

// Plies without a capture, as the rule counts them that ends a game by them: of checks only the
// first ten of either side.
struct QuietPlies {
  static constexpr int kCountedChecks = 10;

  uint16_t plies = 0;
  uint8_t checks[2] = {0, 0};  // counted ones
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
  Key key;                    // of the position before it
  Move move;                  // Move() where the side passed
  Piece captured = kNoPiece;  // kNoPiece if the move took nothing
  bool checks = false;        // it gave check
};

// Placement and side to move, with the plies that led here, which repetition needs.
// Invariant: one king a side, no more pieces of a kind than a set has, each where it may stand, the
// kings not facing each other, the side not to move not in check. Built only by ParseFen, Unpack
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

  // Plies played on this object since it was set up, and what they were, oldest first.
  int plies() const { return static_cast<int>(history_.size()); }
  std::span<const Ply> history() const { return history_; }
  // Without a capture up to here; what came before the set-up may be counted in (ParseFen).
  int quiet_plies() const { return quiet_.plies; }
  // Makes room for a game of this many plies.
  void ReserveHistory(int plies) { history_.reserve(static_cast<size_t>(plies)); }

  // Pieces of the other side that give check to the side to move.
  Bitboard checkers() const { return checkers_; }
  bool InCheck() const { return static_cast<bool>(checkers_); }

  // Generates into `moves` (appending). Every move is legal. No move is a drop, and kSearch is
  // kAll.
  template <GenType type>
  void Generate(MoveList& moves) const;

  // True if Generate<kAll> would give any move.
  bool HasLegalMove() const;
  // Any 16 bits, any position: true exactly for the members of Generate<kAll>.
  bool IsLegal(Move move) const;
  // True if a legal `move` checks the other king.
  bool GivesCheck(Move move) const;

  // key() after a legal `move`.
  Key KeyAfter(Move move) const;

  // REQUIRES: IsLegal(move).
  void Do(Move move, Undo& undo);
  void TakeBack(Move move, const Undo& undo);
  // Passes. REQUIRES: !InCheck(). Nothing repeats across it.
  void DoNull(Undo& undo);
  void TakeBackNull(const Undo& undo);

  // The value of key(), computed from the board.
  Key ComputeKey() const;
  // The rule of the invariant that is broken, as a fixed word ("two_kings", "misplaced_pawn", ...);
  // "" if sound.
  const char* Flaw() const;

 private:
  friend class PositionBuilder;
  template <Color us, GenType type>
  class Generator;  // movegen.cc

  // Into `undo` and the history, before a move.
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

// Sets up positions piece by piece; the only way to make one that is not reached by moves.
class PositionBuilder {
 public:
  PositionBuilder();                        // an empty board, Red to move
  PositionBuilder& Put(Square s, Piece p);  // in the place of whatever stands there
  PositionBuilder& SideToMove(Color c);
  // Plies without a capture before the position.
  PositionBuilder& Quiet(int plies);
  // The position; its Flaw() says whether it can be played on. No history.
  Position Build() const;

 private:
  Position position_;
};

}  // namespace joseki::xiangqi
