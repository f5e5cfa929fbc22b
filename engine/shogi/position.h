#pragma once

#include <vector>

#include "engine/core/bitboard.h"
#include "engine/core/game.h"
#include "engine/core/move_list.h"
#include "engine/core/types.h"
#include "engine/shogi/types.h"

namespace joseki::shogi {

// 593 legal moves is the most that is known; the array has room to spare.
using MoveList = FixedMoveList<640>;

// State that Do saves so that TakeBack can restore the position.
struct Undo {
  Key key;
  uint64_t hands_key = 0;
  Bitboard checkers;
  Piece captured = kNoPiece;
};

// Placement, hands and side to move, with the history of keys that repetition needs.
// Invariant: both kings stand on the board (a side may lack one only in mate problems), no two
// pawns of a side share a file, no piece stands where it could never move, the side not to move is
// not in check. Built only by ParseSfen and Unpack (sfen.h, packed.h); Do keeps the invariant for
// legal moves.
class Position {
 public:
  // The even start position.
  Position();

  Color side_to_move() const { return side_; }
  Piece piece(Square s) const { return board_[s]; }
  // The pieces of all squares, in order.
  const Piece* board() const { return board_; }
  Hand hand(Color c) const { return hands_[Index(c)]; }
  Square king(Color c) const { return kings_[Index(c)]; }  // kNoSquare if it has none
  Key key() const { return key_; }
  // Half of the key without the hands: placement and side to move.
  uint64_t placement_key() const { return key_.lo ^ hands_key_; }
  // Plies played on this object since it was set up.
  int plies() const { return static_cast<int>(history_.size()); }

  Bitboard occupied() const { return occupied_[0] | occupied_[1]; }
  Bitboard occupied(Color c) const { return occupied_[Index(c)]; }
  Bitboard pieces(Color c, PieceType t) const { return by_type_[t] & occupied_[Index(c)]; }
  Bitboard pieces(PieceType t) const { return by_type_[t]; }
  // Golds and the promoted pieces that move as one.
  Bitboard golds() const { return golds_; }
  // Makes room for a game of this many plies.
  void ReserveHistory(int plies) { history_.reserve(static_cast<size_t>(plies)); }

  // Pieces of the other side that give check to the side to move.
  Bitboard checkers() const { return checkers_; }
  bool InCheck() const { return static_cast<bool>(checkers_); }

  // The pieces of `c` that attack `s` when `occupied` are the occupied squares.
  Bitboard Attackers(Color c, Square s, Bitboard occupied) const;
  bool IsAttacked(Color by, Square s) const {
    return static_cast<bool>(Attackers(by, s, occupied()));
  }
  // Attackers with sliders reaching through the king of the other side: those that would attack it
  // on `s` once it has moved there.
  Bitboard AttackersThroughKing(Color c, Square s) const;
  // Pieces that stand alone between the king of `c` and a slider of the other side: those of `c`
  // are pinned, the others give check by leaving the line.
  Bitboard Blockers(Color c) const;
  Bitboard Pinned(Color c) const { return Blockers(c) & occupied(c); }

  // Generates into `moves` (appending). Every move is legal; drops stand behind all others.
  template <GenType type>
  void Generate(MoveList& moves) const;

  // True if Generate<kAll> would give any move; stops at the first.
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
  // Passes. REQUIRES: !InCheck().
  void DoNull(Undo& undo);
  void TakeBackNull(const Undo& undo);

  // Number of earlier occurrences of the present position in the game, and their verdict if
  // `occurrences` (this one counted) suffice: kDraw, or for perpetual check kLoss / kWin from the
  // side to move. The search asks with 2, the referee with 4.
  Repetition CheckRepetition(int occurrences) const;

  // An earlier occurrence of this placement with other hands (engine/core/game.h). Whoever has
  // gained may go round again and gain more.
  HandRepetition CheckHands() const;

  // The entering-king declaration, for the side to move. Points count big pieces 5, others 1, in
  // hand or in the camp; the king and ten pieces stand in the camp; the side is not in check.
  bool CanDeclare27() const;      // 28 points for Black, 27 for White
  int DeclarationPoints() const;  // -1 where camp, count or check forbid to declare

  // The value of key(), computed from the board.
  Key ComputeKey() const;
  // The rule of the invariant that is broken, as a fixed word ("nifu", "too_many_pawns", ...); ""
  // if sound.
  const char* Flaw() const;

 private:
  friend class PositionBuilder;
  template <Color us, GenType type>
  class Generator;  // movegen.cc
  struct Past {
    Key key;
    uint64_t placement;             // key.lo without the hands
    Hand hand;                      // of the side that was to move
    uint16_t continuous_checks[2];  // plies of unbroken checking by each side, up to this position
  };

  void Put(Square s, Piece p);
  void Remove(Square s);
  void AddToHand(Color c, PieceType t);
  void SwitchSide();
  // Into `undo` and the history, before a move.
  void Remember(Undo& undo);
  // Takes `squares` out of the squares of kind `t`, or adds them.
  void FlipType(PieceType t, Bitboard squares);
  // The sliders of `c` that would reach `s` on an empty board.
  Bitboard Snipers(Color c, Square s) const;
  void RefreshCheckers();
  // Updates them after a move by which a piece, now `arrived`, came to `to` from `from` (kNoSquare:
  // a drop), out of check before.
  template <Color by>
  void RefreshCheckersAfter(PieceType arrived, Square to, Square from);
  template <Color us>
  void DoFor(Move move, Undo& undo);
  template <Color us>
  void TakeBackFor(Move move, const Undo& undo);
  void Restore(const Undo& undo);
  // The part of `squares`, neighbours of the other side's king, that side `by` attacks once that
  // king has left `king`; nothing is said of other squares.
  template <Color by>
  Bitboard AttackedNear(Square king, Bitboard squares) const;
  // True if the piece on `from` attacks `to`. REQUIRES: there is one, of kind `t`, of our side.
  bool Reaches(PieceType t, Square from, Square to) const;
  // True if a piece of ours that leaves `from` for `to` opens a line to our king on `k`.
  bool OpensLine(Square k, Square from, Square to) const;
  // True if a king of the side to move on `to` would be attacked, having left its square.
  bool KingWouldBeAttacked(Square to) const;
  // True if a pawn of the side to move dropped on `to`, checking the other king, is mate.
  bool IsDropPawnMate(Square to) const;

  Piece board_[kSquareCount + 1] = {};
  Bitboard occupied_[2];
  Bitboard by_type_[kPieceTypeCount];
  Bitboard golds_;  // golds and the promoted pieces that move as one
  Hand hands_[2];
  Square kings_[2] = {kNoSquare, kNoSquare};
  Color side_ = kBlack;
  Key key_;
  uint64_t hands_key_ = 0;  // what the hands are of key_.lo
  Bitboard checkers_;
  uint16_t continuous_checks_[2] = {0, 0};
  std::vector<Past> history_;  // positions before this one, oldest first
};

// Sets up positions piece by piece; the only way to make one that is not reached by moves.
class PositionBuilder {
 public:
  PositionBuilder();  // an empty board, Black to move
  PositionBuilder& Put(Square s, Piece p);
  PositionBuilder& Hold(Color c, PieceType t, int count);
  PositionBuilder& SideToMove(Color c);
  // The position; its Flaw() says whether it can be played on. No history.
  Position Build() const;

 private:
  Position position_;
};

}  // namespace joseki::shogi
