#pragma once

#include <array>
#include <set>
#include <vector>

#include "engine/shogi/position.h"
#include "engine/shogi/types.h"

namespace joseki::shogi {

// The rules of shogi in the slow and obvious way: a mailbox, rays walked step by step, every move
// played and examined. Shares only square and piece numbers with the engine's rules.
class BruteBoard {
 public:
  explicit BruteBoard(const Position& position) : side_(position.side_to_move()) {
    for (Square s = 0; s < kSquareCount; ++s) board_[At(s)] = position.piece(s);
    for (const Color c : {kBlack, kWhite}) {
      for (int t = kPawn; t <= kGold; ++t) {
        hands_[At(Index(c))][At(t)] = position.hand(c).Count(static_cast<PieceType>(t));
      }
    }
  }

  Piece piece(Square s) const { return board_[At(s)]; }
  Color side() const { return side_; }
  // Removes the piece on `s` permanently.
  void Clear(Square s) { board_[At(s)] = kNoPiece; }
  // Puts a piece on `s`, replacing any other.
  void Put(Square s, Piece p) { board_[At(s)] = p; }

  // Squares that the piece on `from` attacks, whatever stands on them.
  std::vector<Square> AttacksFrom(Square from) const {
    const Color c = ColorOf(piece(from));
    const PieceType t = TypeOf(piece(from));
    std::vector<Square> squares;
    auto walk = [&](int files, int ranks, int most) {
      int file = FileOf(from);
      int rank = RankOf(from);
      for (int i = 0; i < most; ++i) {
        file += files;
        rank += c == kBlack ? ranks : -ranks;
        if (file < 1 || file > 9 || rank < 1 || rank > 9) return;
        squares.push_back(MakeSquare(file, rank));
        if (piece(squares.back()) != kNoPiece) return;
      }
    };
    auto diagonals = [&](int most) {
      for (const int files : {-1, 1}) {
        for (const int ranks : {-1, 1}) walk(files, ranks, most);
      }
    };
    auto straight = [&](int most) {
      for (const int step : {-1, 1}) {
        walk(step, 0, most);
        walk(0, step, most);
      }
    };
    switch (t) {
      case kPawn:
        walk(0, -1, 1);
        break;
      case kLance:
        walk(0, -1, 8);
        break;
      case kKnight:
        walk(-1, -2, 1);
        walk(1, -2, 1);
        break;
      case kSilver:
        diagonals(1);
        walk(0, -1, 1);
        break;
      case kBishop:
        diagonals(8);
        break;
      case kRook:
        straight(8);
        break;
      case kKing:
        diagonals(1);
        straight(1);
        break;
      case kHorse:
        diagonals(8);
        straight(1);
        break;
      case kDragon:
        straight(8);
        diagonals(1);
        break;
      default:  // gold, and pieces that move like it
        straight(1);
        walk(-1, -1, 1);
        walk(1, -1, 1);
    }
    return squares;
  }

  // The pieces of `c` that attack `s`.
  std::set<Square> Attackers(Color c, Square s) const {
    std::set<Square> attackers;
    for (Square from = 0; from < kSquareCount; ++from) {
      if (piece(from) == kNoPiece || ColorOf(piece(from)) != c) continue;
      for (const Square to : AttacksFrom(from)) {
        if (to == s) attackers.insert(from);
      }
    }
    return attackers;
  }

  Square King(Color c) const {
    for (Square s = 0; s < kSquareCount; ++s) {
      if (piece(s) == MakePiece(c, kKing)) return s;
    }
    return kNoSquare;
  }
  bool InCheck(Color c) const {
    const Square king = King(c);
    return king != kNoSquare && !Attackers(~c, king).empty();
  }

  void Play(Move move) {
    const Square to = move.to();
    if (move.is_drop()) {
      --hands_[At(Index(side_))][At(move.dropped())];
      board_[At(to)] = MakePiece(side_, static_cast<PieceType>(move.dropped()));
    } else {
      if (piece(to) != kNoPiece) ++hands_[At(Index(side_))][At(Unpromoted(TypeOf(piece(to))))];
      const PieceType t = TypeOf(piece(move.from()));
      board_[At(to)] = MakePiece(side_, move.promotes() ? Promoted(t) : t);
      board_[At(move.from())] = kNoPiece;
    }
    side_ = ~side_;
  }

  std::set<Move> LegalMoves() const {
    std::set<Move> moves;
    auto add = [&](Move move) {
      BruteBoard after = *this;
      after.Play(move);
      if (after.InCheck(side_)) return;
      const bool pawn_drop = move.is_drop() && move.dropped() == kPawn;
      if (pawn_drop && after.InCheck(~side_) && after.LegalMoves().empty()) return;
      moves.insert(move);
    };
    for (Square from = 0; from < kSquareCount; ++from) {
      if (piece(from) == kNoPiece || ColorOf(piece(from)) != side_) continue;
      const PieceType t = TypeOf(piece(from));
      for (const Square to : AttacksFrom(from)) {
        if (piece(to) != kNoPiece && ColorOf(piece(to)) == side_) continue;
        if (CanMoveOn(t, to)) add(Move::Board(from, to));
        const bool zone = InPromotionZone(side_, from) || InPromotionZone(side_, to);
        if (CanPromote(t) && zone) add(Move::Board(from, to, true));
      }
    }
    for (int t = kPawn; t <= kGold; ++t) {
      if (hands_[At(Index(side_))][At(t)] == 0) continue;
      for (Square to = 0; to < kSquareCount; ++to) {
        const auto kind = static_cast<PieceType>(t);
        if (piece(to) != kNoPiece || !CanMoveOn(kind, to)) continue;
        if (kind == kPawn && HasPawnOnFile(FileOf(to))) continue;
        add(Move::Drop(t, to));
      }
    }
    return moves;
  }

 private:
  static size_t At(int i) { return static_cast<size_t>(i); }

  // Whether a piece of the side to move on `s` could ever move.
  bool CanMoveOn(PieceType t, Square s) const {
    const int rank = RelativeRank(side_, s);
    return t == kKnight ? rank > 2 : (t != kPawn && t != kLance) || rank > 1;
  }
  bool HasPawnOnFile(int file) const {
    for (int rank = 1; rank <= 9; ++rank) {
      if (piece(MakeSquare(file, rank)) == MakePiece(side_, kPawn)) return true;
    }
    return false;
  }

  std::array<Piece, kSquareCount> board_{};
  std::array<std::array<int, kHandTypeCount>, 2> hands_{};
  Color side_;
};

}  // namespace joseki::shogi
