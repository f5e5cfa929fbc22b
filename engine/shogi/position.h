#pragma once

#include <vector>

#include "engine/core/bitboard.h"
#include "engine/core/game.h"
#include "engine/core/move_list.h"
#include "engine/core/types.h"
#include "engine/shogi/types.h"

namespace joseki::shogi {

// 593 legal moves is the known maximum; the array has spare room.
using MoveList = FixedMoveList<640>;

// State that Do saves so that TakeBack can restore the position.
struct Undo {
  Key key;
  uint64_t hands_key = 0;
  Bitboard checkers;
  Piece captured = kNoPiece;
};

// A position: placement, hands and side to move, with the history of keys that repetition needs.
// Invariant: both kings are on the board (a side may lack one only in mate problems). No two pawns
// of a side share a file, and no piece is where it could never move. The side not to move is not in
// check. Created only by ParseSfen and Unpack (sfen.h, packed.h); Do keeps the invariant for legal
// moves.
class Position {
 public:
  // The even start position.
  Position();

  Color side_to_move() const { return side_; }
  Piece piece(Square s) const { return board_[s]; }
  // The pieces on all squares, by square.
  const Piece* board() const { return board_; }
  Hand hand(Color c) const { return hands_[Index(c)]; }
  Square king(Color c) const { return kings_[Index(c)]; }  // kNoSquare if it has none
  Key key() const { return key_; }
  // Part of the key without hands: placement and side to move.
  uint64_t placement_key() const { return key_.lo ^ hands_key_; }
  // Plies played on this object since it was set up.
  int plies() const { return static_cast<int>(history_.size()); }

  Bitboard occupied() const { return occupied_[0] | occupied_[1]; }
  Bitboard occupied(Color c) const { return occupied_[Index(c)]; }
  Bitboard pieces(Color c, PieceType t) const { return by_type_[t] & occupied_[Index(c)]; }
  Bitboard pieces(PieceType t) const { return by_type_[t]; }
  // Golds and the promoted pieces that move like golds.
  Bitboard golds() const { return golds_; }
  // Reserves memory for a game of this many plies.
  void ReserveHistory(int plies) { history_.reserve(static_cast<size_t>(plies)); }

  // Pieces of the other side that check the side to move.
  Bitboard checkers() const { return checkers_; }
  bool InCheck() const { return static_cast<bool>(checkers_); }

  // The pieces of `c` that attack `s`, given the occupied squares.
  Bitboard Attackers(Color c, Square s, Bitboard occupied) const;
  bool IsAttacked(Color by, Square s) const {
    return static_cast<bool>(Attackers(by, s, occupied()));
  }
  // Attackers of a king that moves to `s`: sliders reach through the other side's king.
  Bitboard AttackersThroughKing(Color c, Square s) const;
  // Sole pieces between the king of `c` and a slider of the other side. Pieces of `c` among them
  // are pinned; the others give check by leaving the line.
  Bitboard Blockers(Color c) const;
  Bitboard Pinned(Color c) const { return Blockers(c) & occupied(c); }

  // Appends generated moves to `moves`. All are legal; drops come last.
  template <GenType type>
  void Generate(MoveList& moves) const;

  // True if Generate<kAll> would give a move; stops at the first.
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
  // Passes. REQUIRES: !InCheck().
  void DoNull(Undo& undo);
  void TakeBackNull(const Undo& undo);

  // Verdict if the position has occurred at least `occurrences` times in the game, this one
  // included. It is kDraw, or for perpetual check kLoss or kWin for the side to move. The search
  // uses 2, the referee 4.
  Repetition CheckRepetition(int occurrences) const;

  // An earlier occurrence of this placement with other hands (engine/core/game.h). A side that
  // gained pieces may repeat the cycle and gain more.
  HandRepetition CheckHands() const;

  // The entering-king declaration of the side to move. Big pieces count 5 points, others 1, in hand
  // or in the camp. The king and ten pieces must be in the camp, and the side not in check.
  bool CanDeclare27() const;      // 28 points for Black, 27 for White
  int DeclarationPoints() const;  // -1 if camp, count or check forbid a declaration

  // The value of key(), computed from the board.
  Key ComputeKey() const;
  // The broken rule of the invariant, as a fixed word ("nifu", "too_many_pawns", ...); "" if none
  // is.
  const char* Flaw() const;

 private:
  friend class PositionBuilder;
  template <Color us, GenType type>
  class Generator;  // movegen.cc
  struct Past {
    Key key;
    uint64_t placement;  // key.lo without hands
    Hand hand;           // of the side to move
    // Plies of uninterrupted checks by each side, up to this position.
    uint16_t continuous_checks[2];
  };

  void Put(Square s, Piece p);
  void Remove(Square s);
  void AddToHand(Color c, PieceType t);
  void SwitchSide();
  // Saves the state into `undo` and the history, before a move.
  void Remember(Undo& undo);
  // Flips `squares` in the set of type `t`.
  void FlipType(PieceType t, Bitboard squares);
  // Sliders of `c` that would reach `s` on an empty board.
  Bitboard Snipers(Color c, Square s) const;
  void RefreshCheckers();
  // Updates checkers_ after a move by which a piece, now `arrived`, came to `to` from `from`
  // (kNoSquare: a drop). REQUIRES: no check before the move.
  template <Color by>
  void RefreshCheckersAfter(PieceType arrived, Square to, Square from);
  template <Color us>
  void DoFor(Move move, Undo& undo);
  template <Color us>
  void TakeBackFor(Move move, const Undo& undo);
  void Restore(const Undo& undo);
  // Subset of `squares`, neighbours of the other side's king, that side `by` attacks once that king
  // has left `king`. Unspecified for other squares.
  template <Color by>
  Bitboard AttackedNear(Square king, Bitboard squares) const;
  // True if the piece on `from`, of type `t` and our side, attacks `to`. REQUIRES: it is there.
  bool Reaches(PieceType t, Square from, Square to) const;
  // True if our piece moving from `from` to `to` opens a line to our king on `k`.
  bool OpensLine(Square k, Square from, Square to) const;
  // True if the king of the side to move would be attacked on `to`.
  bool KingWouldBeAttacked(Square to) const;
  // True if a pawn dropped on `to` by the side to move, giving check, is mate.
  bool IsDropPawnMate(Square to) const;

  Piece board_[kSquareCount + 1] = {};
  Bitboard occupied_[2];
  Bitboard by_type_[kPieceTypeCount];
  Bitboard golds_;  // golds and the promoted pieces that move like golds
  Hand hands_[2];
  Square kings_[2] = {kNoSquare, kNoSquare};
  Color side_ = kBlack;
  Key key_;
  uint64_t hands_key_ = 0;  // part of key_.lo from the hands
  Bitboard checkers_;
  uint16_t continuous_checks_[2] = {0, 0};
  std::vector<Past> history_;  // earlier positions, oldest first
};

// Sets up a position piece by piece; the only way to create one other than by moves.
class PositionBuilder {
 public:
  PositionBuilder();  // an empty board, Black to move
  PositionBuilder& Put(Square s, Piece p);
  PositionBuilder& Hold(Color c, PieceType t, int count);
  PositionBuilder& SideToMove(Color c);
  // The position, without history; its Flaw() tells whether it is playable.
  Position Build() const;

 private:
  Position position_;
};

}  // namespace joseki::shogi
