#pragma once

#include <array>
#include <cstdlib>
#include <set>
#include <vector>

#include "engine/xiangqi/position.h"
#include "engine/xiangqi/types.h"

namespace joseki::xiangqi {

// The rules of xiangqi in the slow and obvious way: a mailbox, every pair of squares examined,
// every move played and judged. Shares only square and piece numbers with the engine's rules.
class BruteXiangqi {
 public:
  explicit BruteXiangqi(const Position& position) : side_(position.side_to_move()) {
    for (Square s = 0; s < kSquareCount; ++s) board_[At(s)] = position.piece(s);
  }

  Piece piece(Square s) const { return board_[At(s)]; }
  Color side() const { return side_; }

  // Whether the piece on `from` may reach `to` by its way of moving, whatever stands there and
  // whether or not kings are safe. A cannon moves differently if it captures.
  bool Reaches(Square from, Square to) const {
    const Piece p = piece(from);
    const Color c = ColorOf(p);
    const int files = FileOf(to) - FileOf(from);
    const int ranks = RankOf(to) - RankOf(from);
    const int across = std::abs(files);
    const int along = std::abs(ranks);
    const bool takes = piece(to) != kNoPiece;
    switch (TypeOf(p)) {
      case kKing:
        return across + along == 1 && InsidePalace(c, to);
      case kAdviser:
        return across == 1 && along == 1 && InsidePalace(c, to);
      case kElephant:
        return across == 2 && along == 2 && OwnHalf(c, to) && piece((from + to) / 2) == kNoPiece;
      case kKnight:
        if (across == 1 && along == 2) return piece(from + ranks / 2 * 9) == kNoPiece;
        if (across == 2 && along == 1) return piece(from + files / 2) == kNoPiece;
        return false;
      case kRook:
        return OnLine(files, ranks) && CountBetween(from, to) == 0;
      case kCannon:
        return OnLine(files, ranks) && CountBetween(from, to) == (takes ? 1 : 0);
      case kPawn: {
        const int forward = c == kRed ? ranks : -ranks;
        if (across == 0 && forward == 1) return true;
        return across == 1 && along == 0 && !OwnHalf(c, from);
      }
      default:
        return false;
    }
  }

  Square King(Color c) const {
    for (Square s = 0; s < kSquareCount; ++s) {
      if (piece(s) == MakePiece(c, kKing)) return s;
    }
    return kNoSquare;
  }
  // Pieces of the other side that check the king of `c`.
  std::set<Square> Checkers(Color c) const {
    std::set<Square> checkers;
    const Square king = King(c);
    for (Square s = 0; s < kSquareCount; ++s) {
      if (Is(s, ~c) && Reaches(s, king)) checkers.insert(s);
    }
    return checkers;
  }
  bool KingsFace() const {
    const Square red = King(kRed);
    const Square black = King(kBlack);
    return FileOf(red) == FileOf(black) && CountBetween(red, black) == 0;
  }

  void Play(Move move) {
    board_[At(move.to())] = piece(move.from());
    board_[At(move.from())] = kNoPiece;
    side_ = ~side_;
  }

  std::set<Move> LegalMoves() const {
    std::set<Move> moves;
    for (Square from = 0; from < kSquareCount; ++from) {
      if (!Is(from, side_)) continue;
      for (Square to = 0; to < kSquareCount; ++to) {
        if (to == from || Is(to, side_) || !Reaches(from, to)) continue;
        BruteXiangqi after = *this;
        after.Play(Move::Board(from, to));
        // A capture of the king never happens, because the game ends before.
        if (after.King(~side_) == kNoSquare) continue;
        if (after.KingsFace() || !after.Checkers(side_).empty()) continue;
        moves.insert(Move::Board(from, to));
      }
    }
    return moves;
  }

 private:
  static size_t At(int i) { return static_cast<size_t>(i); }
  static bool OnLine(int files, int ranks) { return (files == 0) != (ranks == 0); }
  static bool OwnHalf(Color c, Square s) { return c == kRed ? s < 45 : s >= 45; }
  static bool InsidePalace(Color c, Square s) {
    const int rank = c == kRed ? s / 9 : 9 - s / 9;
    return rank <= 2 && s % 9 >= 3 && s % 9 <= 5;
  }
  bool Is(Square s, Color c) const { return piece(s) != kNoPiece && ColorOf(piece(s)) == c; }
  // Pieces strictly between two squares of one rank or file.
  int CountBetween(Square from, Square to) const {
    const int low = from < to ? from : to;
    const int high = from < to ? to : from;
    const int step = FileOf(from) == FileOf(to) ? 9 : 1;
    int count = 0;
    for (int s = low + step; s < high; s += step) count += piece(s) != kNoPiece ? 1 : 0;
    return count;
  }

  std::array<Piece, kSquareCount> board_{};
  Color side_;
};

}  // namespace joseki::xiangqi
