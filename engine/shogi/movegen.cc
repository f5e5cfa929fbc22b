#include <bit>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "engine/shogi/attacks.h"
#include "engine/shogi/check_squares.h"
#include "engine/shogi/drop_kernels.h"
#include "engine/shogi/position.h"
#include "engine/shogi/position_inl.h"

// All generators give legal moves only. Pins and checks restrict the target squares in advance, so
// no move is played for testing.
namespace joseki::shogi {
namespace {

// Squares where a search loses nothing by always promoting, as the promoted piece moves at least as
// well. A lance may decline only on the second-last rank, where it could just go straight on.
constexpr Bitboard PointlessToDecline(Color c, PieceType t) {
  switch (t) {
    case kPawn:
    case kBishop:
    case kRook:
      return kAllSquares;
    case kLance:
      return kLastTwoRanks[Index(c)];
    default:
      return {};
  }
}

// Writes a move to each square: `base` + square number * `step`, where `base` is the move to square
// 0. A plain loop over a pointer in a register makes generation fast.
template <int step = 1>
Move* Write(Move* out, Bitboard squares, int base) {
  for (uint64_t x = squares.lo(); x != 0; x &= x - 1) {
    *out++ = Move(static_cast<uint16_t>(base + std::countr_zero(x) * step));
  }
  base += kLowSquares * step;
  for (uint64_t x = squares.hi(); x != 0; x &= x - 1) {
    *out++ = Move(static_cast<uint16_t>(base + std::countr_zero(x) * step));
  }
  return out;
}

DropKernel DropKernelOfProcess() {
  static const DropKernel kernel = DropKernelFor(ProcessIsa());
  return kernel;
}

// Files without an unpromoted pawn of side `c`.
Bitboard PawnlessFiles(const Position& position, Color c) {
  Bitboard free = kAllSquares;
  ForEach(position.pieces(c, kPawn), [&](Square s) { free = free - FileMask(FileOf(s)); });
  return free;
}

// Squares where `us` may drop a type, by the squares alone: excludes dead squares and nifu.
Bitboard DropSquares(const Position& position, Color us, PieceType t) {
  const Bitboard squares = kAllSquares - DeadSquares(us, t);
  return t == kPawn ? squares & PawnlessFiles(position, us) : squares;
}

}  // namespace

template <Color by>
Bitboard Position::AttackedNear(Square king, Bitboard squares) const {
  const Bitboard all = occupied() - Bit(king);
  Bitboard attacked = PawnAttacks(by, pieces(by, kPawn));
  ForEach((occupied(by) & kAttacks.reach[Index(by)][king]) - by_type_[kPawn],
          [&](Square s) { attacked |= StepAttacks(by, TypeOf(board_[s]), s); });
  ForEach(pieces(by, kLance) & kAttacks.near_files[static_cast<size_t>(king)], [&](Square s) {
    if (kAttacks.ray[by == kBlack ? kNorth : kSouth][s] & squares) {
      attacked |= LanceAttacks(by, s, all);
    }
  });
  ForEach((by_type_[kBishop] | by_type_[kHorse]) & occupied(by), [&](Square s) {
    if (kAttacks.bishop_rays[s] & squares) attacked |= BishopAttacks(s, all);
  });
  ForEach((by_type_[kRook] | by_type_[kDragon]) & occupied(by), [&](Square s) {
    if (kAttacks.rook_rays[s] & squares) attacked |= RookAttacks(s, all);
  });
  return attacked;
}

bool Position::KingWouldBeAttacked(Square to) const {
  return static_cast<bool>(AttackersThroughKing(~side_, to));
}

bool Position::IsDropPawnMate(Square to) const {
  const Color us = side_;
  const Color them = ~us;
  const Square k = king(them);
  const Bitboard occupied_after = occupied() | Bit(to);
  // Step 1: a piece other than the king may capture the pawn, if it is free or pinned along the
  // line of capture.
  const Bitboard takers = Attackers(them, to, occupied_after) - Bit(k);
  const Bitboard pinned = Pinned(them);
  bool taken = static_cast<bool>(takers - pinned);
  ForEach(takers & pinned, [&](Square s) { taken = taken || SameRay(k, s, to); });
  if (taken) return false;
  // Step 2: the king may escape or capture the pawn.
  bool escapes = false;
  const Bitboard occupied_without_king = occupied_after - Bit(k);
  ForEach(StepAttacks(us, kKing, k) - occupied(them),
          [&](Square s) { escapes = escapes || !Attackers(us, s, occupied_without_king); });
  return !escapes;
}

// Generates the moves of side `us`, which is to move. Every function writes to `out`, which has
// room, and returns the new end. The pointer thus stays in a register.
template <Color us, GenType type>
class Position::Generator {
 public:
  explicit Generator(const Position& position)
      : position_(position), all_(position.occupied()), lines_(all_), checks_(position, lines_) {}

  Move* Run(Move* out) {
    const Bitboard not_ours = kAllSquares - position_.occupied(us);
    const Bitboard checkers = position_.checkers();
    const Square king = position_.king(us);
    if (!checkers) {
      if constexpr (type == GenType::kDrops) return AddDrops(out, kAllSquares - all_);
      if constexpr (type == GenType::kCaptures) {
        targets_ = position_.occupied(them);
        promotions_ = kAllSquares - all_;
      } else {
        targets_ = type == GenType::kQuiets ? kAllSquares - all_ : not_ours;
      }
      if (king != kNoSquare) out = AddKingMoves(out, king, targets_);
      // Fast path: usually no slider is aimed at the king.
      const bool aimed_at = king != kNoSquare && position_.Snipers(them, king);
      const Bitboard pinned = aimed_at ? position_.Pinned(us) : Bitboard();
      out = AddFreeMoves(out, position_.occupied(us) - pinned);
      if (pinned) out = AddPinnedMoves(out, king, pinned);
      if constexpr (type != GenType::kCaptures) out = AddDrops(out, kAllSquares - all_);
      return out;
    }
    if constexpr (type == GenType::kQuiets || type == GenType::kDrops) return out;
    out = AddKingMoves(out, king, not_ours);
    if (checkers.HasMany()) return out;  // only the king can answer a double check
    const Bitboard between = Between(king, First(checkers));
    targets_ = between | checkers;
    // Pinned pieces cannot help.
    out = AddFreeMoves(out, position_.occupied(us) - position_.Pinned(us));
    return AddDrops(out, between);
  }

 private:
  static constexpr Color them = ~us;
  static constexpr bool kOnlyChecks = type == GenType::kChecks || type == GenType::kAllChecks;
  // True if promotions that are never worse may be declined.
  static constexpr bool kDeclines = type == GenType::kAll || type == GenType::kAllChecks;
  static constexpr Bitboard kOurZone = kZone[Index(us)];
  // Squares from which a knight or a silver may promote by its next move.
  template <PieceType t>
  static constexpr Bitboard kNearZone = us == kBlack ? RankMask(1, t == kKnight ? 5 : 4)
                                                     : RankMask(t == kKnight ? 5 : 6, 9);

  // The moves of one piece to all `targets`, in both forms where promotion is optional.
  template <PieceType t>
  Move* Add(Move* out, Square from, Bitboard targets) const {
    if constexpr (!CanPromote(t)) {
      return Write(out, Wanted(t, from, targets), Move::Board(from, 0).raw());
    } else {
      // A lance or knight inside the zone cannot leave it.
      constexpr bool kLeaves = t != kLance && t != kKnight;
      const Bitboard promoting = kLeaves && Has(kOurZone, from) ? targets : targets & kOurZone;
      // Omits quiet promotions that kCaptures has generated.
      if constexpr (type != GenType::kQuiets || (t != kBishop && t != kRook)) {
        out = Write(out, Wanted(Promoted(t), from, promoting), Move::Board(from, 0, true).raw());
      }
      Bitboard plain = targets - DeadSquares(us, t);
      if constexpr (!kDeclines) plain = plain - (promoting & PointlessToDecline(us, t));
      return Write(out, Wanted(t, from, plain), Move::Board(from, 0).raw());
    }
  }

  // The subset of `squares` that this generator wants for a piece arriving as `t`.
  Bitboard Wanted(PieceType t, Square from, Bitboard squares) const {
    if constexpr (kOnlyChecks) {
      Bitboard wanted = squares & checks_.Of(t);
      if (Has(checks_.Discoverers(), from)) wanted |= squares - checks_.LineThrough(from);
      return wanted;
    } else {
      return squares;
    }
  }

  // Targets of a bishop or rook on `from`; promotions are included even without a capture.
  template <PieceType t>
  Bitboard SlideTargets(Square from) const {
    if constexpr (type == GenType::kCaptures && (t == kBishop || t == kRook)) {
      return targets_ | (Has(kOurZone, from) ? promotions_ : promotions_ & kOurZone);
    } else {
      return targets_;
    }
  }

  Move* AddKingMoves(Move* out, Square king, Bitboard targets) const {
    const Bitboard to = Wanted(kKing, king, StepAttacks(us, kKing, king) & targets);
    if (!to) return out;
    return Write(out, to - position_.AttackedNear<them>(king, to), Move::Board(king, 0).raw());
  }

  Move* AddFreeMoves(Move* out, Bitboard free) const {
    out = AddPawnMoves(out, position_.pieces(kPawn) & free);
    ForEach(position_.pieces(kLance) & free, [&](Square from) {
      out = Add<kLance>(out, from, LanceAttacks(us, from, all_) & targets_);
    });
    out = AddSteps<kKnight>(out, position_.pieces(kKnight) & free);
    out = AddSteps<kSilver>(out, position_.pieces(kSilver) & free);
    out = AddSteps<kGold>(out, position_.golds() & free);
    out = AddSlides<kBishop>(out, position_.pieces(kBishop) & free);
    out = AddSlides<kRook>(out, position_.pieces(kRook) & free);
    out = AddSlides<kHorse>(out, position_.pieces(kHorse) & free);
    return AddSlides<kDragon>(out, position_.pieces(kDragon) & free);
  }
  // Generates all pawn moves at once, as each pawn has one target.
  Move* AddPawnMoves(Move* out, Bitboard pawns) const {
    constexpr int kBack = us == kBlack ? 1 : -1;
    constexpr int kBoth = Move::Board(1, 1).raw();  // advances from and to together
    constexpr int kToZero = kBack * Move::Board(1, 0).raw();
    const Bitboard to = PawnAttacks(us, pawns) & (targets_ | (promotions_ & kOurZone));
    Bitboard promoting = to & kOurZone;
    Bitboard plain = to - (kDeclines ? kLastRank[Index(us)] : kOurZone);
    if constexpr (type == GenType::kQuiets) promoting = {};
    if constexpr (kOnlyChecks) {
      // A pawn that moves leaves every line but its file.
      const Square king = position_.king(them);
      Bitboard leaving = pawns & checks_.Discoverers();
      if (leaving) leaving = leaving - FileMask(FileOf(king));
      promoting &= checks_.Of(kProPawn) | PawnAttacks(us, leaving);
      plain &= checks_.Of(kPawn) | PawnAttacks(us, leaving);
    }
    out = Write<kBoth>(out, promoting, kToZero + Move::Board(0, 0, true).raw());
    return Write<kBoth>(out, plain, kToZero);
  }
  template <PieceType t>
  Move* AddSteps(Move* out, Bitboard pieces) const {
    if (!CanPromote(t) || !(pieces & kNearZone<t>)) {
      // Fast path: far from the zone no move promotes.
      ForEach(pieces, [&](Square from) {
        out = Write(out, Wanted(t, from, StepAttacks(us, t, from) & targets_),
                    Move::Board(from, 0).raw());
      });
    } else {
      ForEach(pieces,
              [&](Square from) { out = Add<t>(out, from, StepAttacks(us, t, from) & targets_); });
    }
    return out;
  }
  template <PieceType t>
  Move* AddSlides(Move* out, Bitboard pieces) const {
    ForEach(pieces, [&](Square from) {
      out = Add<t>(out, from, Attacks(us, t, from, lines_) & SlideTargets<t>(from));
    });
    return out;
  }

  // Pinned pieces stay on the line of the pin.
  Move* AddPinnedMoves(Move* out, Square king, Bitboard pinned) const {
    while (pinned) {
      const Square from = PopFirst(pinned);
      const Bitboard line = kAttacks.ray[kAttacks.direction[king][from]][king];
      switch (const PieceType t = TypeOf(position_.piece(from)); t) {
        case kPawn:
          if (PawnAttacks(us, Bit(from)) & line) out = AddPawnMoves(out, Bit(from));
          break;
        case kLance:
          out = Add<kLance>(out, from, LanceAttacks(us, from, all_) & targets_ & line);
          break;
        case kKnight:
          break;
        case kSilver:
          out = Add<kSilver>(out, from, StepAttacks(us, kSilver, from) & targets_ & line);
          break;
        case kBishop:
          out = Add<kBishop>(out, from,
                             BishopAttacks(from, lines_) & SlideTargets<kBishop>(from) & line);
          break;
        case kRook:
          out = Add<kRook>(out, from, RookAttacks(from, lines_) & SlideTargets<kRook>(from) & line);
          break;
        default:
          out = Write(out, Wanted(t, from, Attacks(us, t, from, lines_) & targets_ & line),
                      Move::Board(from, 0).raw());
      }
    }
    return out;
  }

  Move* AddDrops(Move* out, Bitboard squares) const {
    const Hand held = position_.hand(us);
    if (held.empty() || !squares) return out;
    if (held.Has(kPawn)) {
      Bitboard wanted = DropTargets(kPawn, squares & DropSquares(position_, us, kPawn));
      if (const Square theirs = position_.king(them); theirs != kNoSquare) {
        const Bitboard checking = wanted & StepAttacks(them, kPawn, theirs);
        if (checking && position_.IsDropPawnMate(First(checking))) wanted = wanted - checking;
      }
      out = AddDropsOf({kPawn}, out, held, wanted);
    }
    for (const PieceType t : {kLance, kKnight}) {
      out = AddDropsOf({t}, out, held, DropTargets(t, squares - DeadSquares(us, t)));
    }
    // The other types may be dropped on every square.
    if constexpr (!kOnlyChecks) {
      return AddDropsOf({kSilver, kBishop, kRook, kGold}, out, held, squares);
    }
    for (const PieceType t : {kSilver, kBishop, kRook, kGold}) {
      out = AddDropsOf({t}, out, held, DropTargets(t, squares));
    }
    return out;
  }
  // Drops of the held types among `kinds`, each on all `squares`.
  Move* AddDropsOf(std::initializer_list<PieceType> kinds, Move* out, Hand held,
                   Bitboard squares) const {
    uint16_t bases[kHandTypeCount];
    int count = 0;
    for (const PieceType t : kinds) {
      bases[count] = Move::Drop(t, 0).raw();
      count += held.Has(t) ? 1 : 0;
    }
    if (count == 0 || !squares) return out;
    return DropKernelOfProcess()(out, squares.lo(), squares.hi(), bases, count);
  }

  Bitboard DropTargets(PieceType t, Bitboard squares) const {
    if constexpr (kOnlyChecks) squares = squares & checks_.Of(t);
    return squares;
  }

  const Position& position_;
  const Bitboard all_;
  const Occupancy lines_;  // lines over all_
  Bitboard targets_;       // allowed targets of all pieces but the king
  Bitboard promotions_;    // kCaptures: additional squares that are worth a promotion only
  // Stands in for CheckSquares in generators that do not ask for checks.
  struct Unasked {
    Unasked(const Position&, const Occupancy&) {}
  };
  std::conditional_t<kOnlyChecks, CheckSquares, Unasked> checks_;
};

template <GenType type>
void Position::Generate(MoveList& moves) const {
  moves.SetEnd(side_ == kBlack ? Generator<kBlack, type>(*this).Run(moves.end())
                               : Generator<kWhite, type>(*this).Run(moves.end()));
}

template void Position::Generate<GenType::kAll>(MoveList&) const;
template void Position::Generate<GenType::kSearch>(MoveList&) const;
template void Position::Generate<GenType::kCaptures>(MoveList&) const;
template void Position::Generate<GenType::kQuiets>(MoveList&) const;
template void Position::Generate<GenType::kDrops>(MoveList&) const;
template void Position::Generate<GenType::kChecks>(MoveList&) const;
template void Position::Generate<GenType::kAllChecks>(MoveList&) const;

bool Position::HasLegalMove() const {
  const Color us = side_;
  const Square k = king(us);
  // Fast path: nearly always an unpinned piece or the king has a move.
  if (!InCheck()) {
    const Bitboard pinned = Pinned(us);
    const Bitboard pawns = PawnAttacks(us, pieces(us, kPawn) - pinned);
    if (pawns - occupied(us)) return true;
  } else if (k != kNoSquare) {
    bool escapes = false;
    ForEach(StepAttacks(us, kKing, k) - occupied(us),
            [&](Square to) { escapes = escapes || !KingWouldBeAttacked(to); });
    if (escapes) return true;
  }
  MoveList moves;
  Generate<GenType::kAll>(moves);
  return !moves.empty();
}

bool Position::Reaches(PieceType t, Square from, Square to) const {
  if (Has(StepAttacks(side_, t, from), to)) return true;
  const uint8_t d = kAttacks.direction[from][to];
  switch (t) {
    case kLance:
      if (d != (side_ == kBlack ? kNorth : kSouth)) return false;
      break;
    case kBishop:
    case kHorse:
      if (d < kNorthEast || d == kNoDirection) return false;
      break;
    case kRook:
    case kDragon:
      if (d >= kNorthEast) return false;
      break;
    default:
      return false;
  }
  return !(Between(from, to) & occupied());
}

bool Position::OpensLine(Square k, Square from, Square to) const {
  const uint8_t d = kAttacks.direction[k][from];
  if (d == kNoDirection || kAttacks.direction[k][to] == d) return false;
  bool opens = false;
  ForEach(Snipers(~side_, k) & kAttacks.ray[d][k],
          [&](Square sniper) { opens = opens || (Between(k, sniper) & occupied()) == Bit(from); });
  return opens;
}

bool Position::IsLegal(Move move) const {
  const Color us = side_;
  const Square to = move.to();
  if (to >= kSquareCount) return false;
  const Square k = king(us);

  if (move.is_drop()) {
    if (move.promotes()) return false;
    const int kind = move.dropped();
    if (kind < kPawn || kind > kGold) return false;
    const auto t = static_cast<PieceType>(kind);
    if (!hand(us).Has(t) || board_[to] != kNoPiece || Has(DeadSquares(us, t), to)) return false;
    if (t == kPawn && pieces(us, kPawn) & FileMask(FileOf(to))) return false;
    if (InCheck() && (checkers_.HasMany() || !Has(Between(k, First(checkers_)), to))) return false;
    const Square their_king = king(~us);
    const bool checks =
        t == kPawn && their_king != kNoSquare && Has(StepAttacks(~us, kPawn, their_king), to);
    return !checks || !IsDropPawnMate(to);
  }

  const Square from = move.from();
  if (from >= kSquareCount || !Has(occupied(us), from) || Has(occupied(us), to)) return false;
  const PieceType t = TypeOf(board_[from]);
  if (!Reaches(t, from, to)) return false;
  if (move.promotes()) {
    if (!CanPromote(t) || !(InPromotionZone(us, from) || InPromotionZone(us, to))) return false;
  } else if (Has(DeadSquares(us, t), to)) {
    return false;
  }
  if (t == kKing) return !KingWouldBeAttacked(to);
  if (k == kNoSquare) return true;
  if (InCheck() && (checkers_.HasMany() || !Has(Between(k, First(checkers_)) | checkers_, to))) {
    return false;
  }
  return !OpensLine(k, from, to);
}

bool Position::GivesCheck(Move move) const {
  assert(IsLegal(move));
  const Square k = king(~side_);
  if (k == kNoSquare) return false;
  const Square to = move.to();
  // From squares off the king's lines only a knight can attack the king, whatever stands between.
  const bool on_line = kAttacks.direction[k][to] != kNoDirection;
  if (move.is_drop()) {
    const auto t = static_cast<PieceType>(move.dropped());
    return (on_line || t == kKnight) && Has(Attacks(side_, t, to, occupied() | Bit(to)), k);
  }
  const Square from = move.from();
  PieceType t = TypeOf(board_[from]);
  if (move.promotes()) t = Promoted(t);
  const Bitboard after = (occupied() - Bit(from)) | Bit(to);
  if ((on_line || t == kKnight) && Has(Attacks(side_, t, to, after), k)) return true;
  // Tests for a slider behind the square that was left.
  const uint8_t d = kAttacks.direction[k][from];
  if (d == kNoDirection || SameRay(k, from, to)) return false;
  return static_cast<bool>(Attackers(side_, k, after) & kAttacks.ray[d][k] & occupied(side_) &
                           after);
}

}  // namespace joseki::shogi
