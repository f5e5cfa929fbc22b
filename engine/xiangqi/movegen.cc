#include <bit>
#include <cstdint>

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/position.h"

// All generators give legal moves only. Pieces that attack the king, or would after a piece comes
// or goes, restrict the target squares in advance. Only the king's own moves are tested singly.
namespace joseki::xiangqi {
namespace {

// Writes a move to each square; `base` is the move to square 0. A plain loop over a pointer in a
// register makes generation fast.
Move* Write(Move* out, Bitboard squares, int base) {
  for (uint64_t x = squares.lo(); x != 0; x &= x - 1) {
    *out++ = Move(static_cast<uint16_t>(base + std::countr_zero(x)));
  }
  base += kLowSquares;
  for (uint64_t x = squares.hi(); x != 0; x &= x - 1) {
    *out++ = Move(static_cast<uint16_t>(base + std::countr_zero(x)));
  }
  return out;
}

// Restriction by one piece of the other side, so that it does not attack our king after our move.
// The pieces on `special` may go to `of_special`, all others to `of_others`.
struct Demand {
  Bitboard special;
  Bitboard of_special;
  Bitboard of_others;
};

// The restrictions by all pieces of the other side that are near enough. The maximum is two rooks,
// cannons and knights each, a king, and three pawns beside our king.
class Demands {
 public:
  Demands(const Board& board, Color us) {
    const Square king = board.king(us);
    const auto k = static_cast<size_t>(king);
    const Bitboard theirs = board.occupied(~us);
    const Bitboard all = board.occupied();
    const Bitboard sliders = board.pieces(kRook) | board.pieces(kCannon) | board.pieces(kKing);
    ForEach(kAttacks.rook_rays[k] & sliders & theirs, [&](Square s) {
      const Bitboard line = Between(king, s);
      if (TypeOf(board.piece(s)) == kCannon) {
        AddCannon(s, line, line & all);
      } else {
        AddRook(s, line, line & all);
      }
    });
    ForEach(kAttacks.knight_squares[k] & board.pieces(kKnight) & theirs, [&](Square s) {
      const Bitboard way = Bit(KnightWay(s, king));
      if (way & all) {
        AddSpecial(way, Bit(s));
      } else {
        AddCheck(way | Bit(s));
      }
    });
    ForEach(kAttacks.pawn_from[static_cast<size_t>(Index(~us))][k] & board.pieces(kPawn) & theirs,
            [&](Square s) { AddCheck(Bit(s)); });
  }

  // Pieces with restrictions of their own.
  Bitboard special() const { return special_; }
  Bitboard ForOthers() const { return of_others_; }
  Bitboard ForSpecial(Square from) const {
    Bitboard allowed = kAllSquares;
    for (int i = 0; i < count_; ++i) {
      const Demand& demand = demands_[i];
      allowed &= Has(demand.special, from) ? demand.of_special : demand.of_others;
    }
    return allowed;
  }

 private:
  static constexpr int kMost = 12;

  void Add(const Demand& demand) {
    demands_[count_++] = demand;
    special_ |= demand.special;
    of_others_ &= demand.of_others;
  }
  void AddSpecial(Bitboard special, Bitboard allowed) { Add({special, allowed, kAllSquares}); }
  void AddCheck(Bitboard allowed) { Add({{}, {}, allowed}); }

  // Handles a rook, or a king that ours must not face; `met` are the pieces on the line to our
  // king.
  void AddRook(Square s, Bitboard line, Bitboard met) {
    if (!met) {
      AddCheck(line | Bit(s));
    } else if (!met.HasMany()) {
      AddSpecial(met, line | Bit(s));
    }
  }
  void AddCannon(Square s, Bitboard line, Bitboard met) {
    switch (met.Count()) {
      case 0:  // no piece may interpose
        AddCheck(kAllSquares - line);
        break;
      case 1:  // check: the piece between leaves the line, or another interposes
        Add({met, kAllSquares - line, (line - met) | Bit(s)});
        break;
      case 2:  // neither may leave or capture the other
        AddSpecial(met, (line - met) | Bit(s));
        break;
      default:
        break;
    }
  }

  Demand demands_[kMost];
  int count_ = 0;
  Bitboard special_;
  Bitboard of_others_ = kAllSquares;
};

}  // namespace

// Generates the moves of side `us`, which is to move. Every function writes to `out`, which has
// room, and returns the new end.
template <Color us, GenType type>
class Position::Generator {
 public:
  explicit Generator(const Position& position)
      : position_(position), board_(position.board()), all_(board_.occupied()) {}

  Move* Run(Move* out) const {
    if constexpr (type == GenType::kDrops) return out;
    Bitboard targets = kAllSquares - board_.occupied(us);
    if (type == GenType::kCaptures && !position_.InCheck()) targets = board_.occupied(~us);
    if (type == GenType::kQuiets) {
      if (position_.InCheck()) return out;
      targets = kAllSquares - all_;
    }
    out = AddKingMoves(out, targets);

    const Demands demands(board_, us);
    const Bitboard special = demands.special() & board_.occupied(us);
    if (const Bitboard wanted = targets & demands.ForOthers()) {
      const Bitboard free = board_.occupied(us) - special;
      out = AddSteps<kPawn>(out, free, wanted);
      out = AddSteps<kKnight>(out, free, wanted);
      out = AddSteps<kRook>(out, free, wanted);
      out = AddSteps<kCannon>(out, free, wanted);
      out = AddSteps<kElephant>(out, free, wanted);
      out = AddSteps<kAdviser>(out, free, wanted);
    }
    ForEach(special, [&](Square from) {
      const Bitboard to = Moves(us, TypeOf(board_.piece(from)), from, all_);
      out = Write(out, to & targets & demands.ForSpecial(from), Move::Board(from, 0).raw());
    });
    return out;
  }

 private:
  Move* AddKingMoves(Move* out, Bitboard targets) const {
    const Square king = board_.king(us);
    const Bitboard steps = kAttacks.king[Index(us)][static_cast<size_t>(king)] & targets;
    Bitboard safe;
    ForEach(steps, [&](Square to) {
      if (board_.IsSafe(king, to)) safe |= Bit(to);
    });
    return Write(out, safe, Move::Board(king, 0).raw());
  }

  template <PieceType t>
  Move* AddSteps(Move* out, Bitboard free, Bitboard wanted) const {
    ForEach(board_.pieces(t) & free, [&](Square from) {
      out = Write(out, Moves(us, t, from, all_) & wanted, Move::Board(from, 0).raw());
    });
    return out;
  }

  const Position& position_;
  const Board& board_;
  const Bitboard all_;
};

template <GenType type>
void Position::Generate(MoveList& moves) const {
  if constexpr (type == GenType::kChecks || type == GenType::kAllChecks) {
    MoveList all;
    Generate<GenType::kAll>(all);
    for (const Move move : all) {
      if (GivesCheck(move)) moves.Add(move);
    }
  } else {
    moves.SetEnd(side_ == kRed ? Generator<kRed, type>(*this).Run(moves.end())
                               : Generator<kBlack, type>(*this).Run(moves.end()));
  }
}

template void Position::Generate<GenType::kAll>(MoveList&) const;
template void Position::Generate<GenType::kSearch>(MoveList&) const;
template void Position::Generate<GenType::kCaptures>(MoveList&) const;
template void Position::Generate<GenType::kQuiets>(MoveList&) const;
template void Position::Generate<GenType::kDrops>(MoveList&) const;
template void Position::Generate<GenType::kChecks>(MoveList&) const;
template void Position::Generate<GenType::kAllChecks>(MoveList&) const;

bool Position::HasLegalMove() const {
  MoveList moves;
  Generate<GenType::kAll>(moves);
  return !moves.empty();
}

bool Position::IsLegal(Move move) const {
  if (move.is_drop() || move.promotes()) return false;
  const Square from = move.from();
  const Square to = move.to();
  return from < kSquareCount && to < kSquareCount && Has(occupied(side_), from) &&
         board_.CanMove(from, to);
}

bool Position::GivesCheck(Move move) const {
  const Color us = side_;
  const Square from = move.from();
  const Square to = move.to();
  const Square king = board_.king(~us);
  const auto k = static_cast<size_t>(king);
  const PieceType t = TypeOf(piece(from));
  // Away from the king's lines and knight-blocking squares, only a knight's own move can give
  // check.
  const bool near = static_cast<bool>(kAttacks.lines_and_ways[k] & (Bit(from) | Bit(to)));
  if (!near && t != kKnight) return false;
  const Bitboard after = (occupied() - Bit(from)) | Bit(to);
  if (t == kKnight) {
    if (Has(kAttacks.knight_squares[k], to) && !(Bit(KnightWay(to, king)) & after)) return true;
    if (!near) return false;
  } else if (Has(Moves(us, t, to, after | Bit(king)), king)) {
    return true;
  }
  return static_cast<bool>(board_.Checkers(us, king, occupied(us) - Bit(from), after));
}

}  // namespace joseki::xiangqi
