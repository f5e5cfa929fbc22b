#include <cassert>

#include "engine/shogi/attacks.h"
#include "engine/shogi/position.h"

// Every generator gives legal moves only: pins and checks restrict the target squares beforehand,
// so that no move is played and taken back to be tested.
namespace joseki::shogi {
namespace {

// A search loses nothing by never declining these promotions: the promoted piece moves at least as
// well. A lance is kept back only on the last but one rank, where it could only go straight on.
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

// Writes the moves of one piece to each square of `targets`, both forms where promotion is
// optional.
template <GenType type>
Move* AddMoves(Move* out, Color us, PieceType t, Square from, Bitboard targets) {
  if (!CanPromote(t)) {
    ForEach(targets, [&](Square to) { *out++ = Move::Board(from, to); });
    return out;
  }
  const Bitboard zone = kZone[Index(us)];
  const Bitboard promoting = Has(zone, from) ? targets : targets & zone;
  ForEach(promoting, [&](Square to) { *out++ = Move::Board(from, to, true); });
  Bitboard plain = targets - DeadSquares(us, t);
  if constexpr (type != GenType::kAll) plain = plain - (promoting & PointlessToDecline(us, t));
  ForEach(plain, [&](Square to) { *out++ = Move::Board(from, to); });
  return out;
}

// All pawns at once: each has one square to go to.
template <GenType type>
Move* AddPawnMoves(Move* out, Color us, Bitboard pawns, Bitboard targets) {
  const int back = us == kBlack ? 1 : -1;
  const Bitboard to = PawnAttacks(us, pawns) & targets;
  const Bitboard promoting = to & kZone[Index(us)];
  ForEach(promoting, [&](Square s) { *out++ = Move::Board(s + back, s, true); });
  const Bitboard plain = to - (type == GenType::kAll ? kLastRank[Index(us)] : kZone[Index(us)]);
  ForEach(plain, [&](Square s) { *out++ = Move::Board(s + back, s); });
  return out;
}

// Files on which side `c` has no unpromoted pawn.
Bitboard PawnlessFiles(const Position& position, Color c) {
  Bitboard free = kAllSquares;
  ForEach(position.pieces(c, kPawn), [&](Square s) { free = free - FileMask(FileOf(s)); });
  return free;
}

// Where side `us` may drop a kind, by the squares alone: not where it could never move, no nifu.
Bitboard DropSquares(const Position& position, Color us, PieceType t) {
  const Bitboard squares = kAllSquares - DeadSquares(us, t);
  return t == kPawn ? squares & PawnlessFiles(position, us) : squares;
}

}  // namespace

bool Position::KingWouldBeAttacked(Square to) const {
  return static_cast<bool>(Attackers(~side_, to, occupied() - Bit(king(side_))));
}

bool Position::IsDropPawnMate(Square to) const {
  const Color us = side_;
  const Color them = ~us;
  const Square k = king(them);
  const Bitboard occupied_after = occupied() | Bit(to);
  // 1. Somebody but the king may take the pawn: free, or pinned on the line it would move along.
  const Bitboard takers = Attackers(them, to, occupied_after) - Bit(k);
  const Bitboard pinned = Pinned(them);
  bool taken = static_cast<bool>(takers - pinned);
  ForEach(takers & pinned, [&](Square s) { taken = taken || SameRay(k, s, to); });
  if (taken) return false;
  // 2. The king may go somewhere, the pawn's square included.
  bool escapes = false;
  const Bitboard occupied_without_king = occupied_after - Bit(k);
  ForEach(StepAttacks(us, kKing, k) - occupied(them),
          [&](Square s) { escapes = escapes || !Attackers(us, s, occupied_without_king); });
  return !escapes;
}

template <GenType type>
void Position::Generate(MoveList& moves) const {
  const Color us = side_;
  const Square k = king(us);
  const Bitboard all = occupied();
  const Bitboard empty = kAllSquares - all;
  const Bitboard not_ours = kAllSquares - occupied(us);
  Move* out = moves.end();

  // 1. Which squares a piece (not the king) may go to, and the king.
  Bitboard targets = not_ours;
  Bitboard drops = empty;
  Bitboard quiet_promotions;  // kCaptures: empty squares where a promotion alone is worth a look
  if (!InCheck() && type == GenType::kCaptures) {
    targets = occupied(~us);
    drops = {};
    quiet_promotions = empty;
  }
  if (k != kNoSquare) {
    ForEach(StepAttacks(us, kKing, k) & (InCheck() ? not_ours : targets), [&](Square to) {
      if (!KingWouldBeAttacked(to)) *out++ = Move::Board(k, to);
    });
  }
  if (InCheck()) {
    moves.SetEnd(out);
    if (checkers_.HasMany()) return;  // only the king can answer a double check
    drops = Between(k, First(checkers_));
    targets = drops | checkers_;
  }

  // 2. Pieces that are free to move.
  const Bitboard pinned = Pinned(us);
  const Bitboard free = occupied(us) - pinned;
  const Bitboard zone = kZone[Index(us)];
  const Bitboard pawn_targets = targets | (quiet_promotions & zone);
  out = AddPawnMoves<type>(out, us, by_type_[kPawn] & free, pawn_targets);
  ForEach(by_type_[kLance] & free, [&](Square from) {
    out = AddMoves<type>(out, us, kLance, from, LanceAttacks(us, from, all) & targets);
  });
  for (const PieceType t : {kKnight, kSilver}) {
    ForEach(by_type_[t] & free, [&](Square from) {
      out = AddMoves<type>(out, us, t, from, StepAttacks(us, t, from) & targets);
    });
  }
  ForEach(golds_ & free, [&](Square from) {
    ForEach(StepAttacks(us, kGold, from) & targets,
            [&](Square to) { *out++ = Move::Board(from, to); });
  });
  ForEach(by_type_[kBishop] & free, [&](Square from) {
    const Bitboard wanted = targets | (quiet_promotions & (Has(zone, from) ? kAllSquares : zone));
    out = AddMoves<type>(out, us, kBishop, from, BishopAttacks(from, all) & wanted);
  });
  ForEach(by_type_[kRook] & free, [&](Square from) {
    const Bitboard wanted = targets | (quiet_promotions & (Has(zone, from) ? kAllSquares : zone));
    out = AddMoves<type>(out, us, kRook, from, RookAttacks(from, all) & wanted);
  });
  for (const PieceType t : {kHorse, kDragon}) {
    ForEach(by_type_[t] & free, [&](Square from) {
      out = AddMoves<type>(out, us, t, from, Attacks(us, t, from, all) & targets);
    });
  }

  // 3. Pinned pieces stay on the line of the pin; in check they cannot help.
  if (pinned && !InCheck()) {
    ForEach(pinned, [&](Square from) {
      const PieceType t = TypeOf(board_[from]);
      Bitboard wanted = targets;
      if (t == kPawn || t == kBishop || t == kRook) {
        wanted |= quiet_promotions & (Has(zone, from) ? kAllSquares : zone);
      }
      const Bitboard line = kAttacks.ray[kAttacks.direction[k][from]][k];
      out = AddMoves<type>(out, us, t, from, Attacks(us, t, from, all) & wanted & line);
    });
  }

  // 4. Drops.
  if (drops && !hand(us).empty()) {
    const Hand held = hand(us);
    if (held.Has(kPawn)) {
      Bitboard squares = drops & DropSquares(*this, us, kPawn);
      if (const Square theirs = king(~us); theirs != kNoSquare) {
        const Bitboard checking = squares & StepAttacks(~us, kPawn, theirs);
        if (checking && IsDropPawnMate(First(checking))) squares = squares - checking;
      }
      ForEach(squares, [&](Square to) { *out++ = Move::Drop(kPawn, to); });
    }
    for (const PieceType t : {kLance, kKnight, kSilver, kBishop, kRook, kGold}) {
      if (!held.Has(t)) continue;
      ForEach(drops - DeadSquares(us, t), [&](Square to) { *out++ = Move::Drop(t, to); });
    }
  }
  moves.SetEnd(out);
}

template void Position::Generate<GenType::kAll>(MoveList&) const;
template void Position::Generate<GenType::kSearch>(MoveList&) const;
template void Position::Generate<GenType::kCaptures>(MoveList&) const;

bool Position::HasLegalMove() const {
  const Color us = side_;
  const Square k = king(us);
  // Nearly always some piece that is not pinned has a square to go to, or the king has.
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
    if (!hand(us).Has(t) || board_[to] != kNoPiece) return false;
    if (!Has(DropSquares(*this, us, t), to)) return false;
    if (InCheck() && (checkers_.HasMany() || !Has(Between(k, First(checkers_)), to))) return false;
    const Square their_king = king(~us);
    const bool checks =
        t == kPawn && their_king != kNoSquare && Has(StepAttacks(~us, kPawn, their_king), to);
    return !checks || !IsDropPawnMate(to);
  }

  const Square from = move.from();
  if (from >= kSquareCount || !Has(occupied(us), from) || Has(occupied(us), to)) return false;
  const PieceType t = TypeOf(board_[from]);
  if (!Has(Attacks(us, t, from, occupied()), to)) return false;
  if (move.promotes()) {
    if (!CanPromote(t) || !(InPromotionZone(us, from) || InPromotionZone(us, to))) return false;
  } else if (Has(DeadSquares(us, t), to)) {
    return false;
  }
  if (t == kKing) return !KingWouldBeAttacked(to);
  if (k == kNoSquare) return true;
  const bool pinned = Has(Pinned(us), from);
  if (InCheck()) {
    if (pinned || checkers_.HasMany()) return false;
    return Has(Between(k, First(checkers_)) | checkers_, to);
  }
  return !pinned || SameRay(k, from, to);
}

bool Position::GivesCheck(Move move) const {
  assert(IsLegal(move));
  const Square k = king(~side_);
  if (k == kNoSquare) return false;
  const Square to = move.to();
  if (move.is_drop()) {
    const auto t = static_cast<PieceType>(move.dropped());
    return Has(Attacks(side_, t, to, occupied() | Bit(to)), k);
  }
  const Square from = move.from();
  PieceType t = TypeOf(board_[from]);
  if (move.promotes()) t = Promoted(t);
  const Bitboard after = (occupied() - Bit(from)) | Bit(to);
  if (Has(Attacks(side_, t, to, after), k)) return true;
  // A slider behind the square that was left.
  const uint8_t d = kAttacks.direction[k][from];
  if (d == kNoDirection || SameRay(k, from, to)) return false;
  return static_cast<bool>(Attackers(side_, k, after) & kAttacks.ray[d][k] & occupied(side_) &
                           after);
}

}  // namespace joseki::shogi
