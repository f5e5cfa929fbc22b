#include "engine/search/shogi/purposes.h"

#include <algorithm>
#include <cstdlib>

#include "engine/search/shogi/knowledge.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/knowledge.h"
#include "engine/shogi/eval/material.h"
#include "engine/shogi/eval/see.h"
#include "engine/shogi/mate/mate_in_one.h"

namespace joseki::shogi {
namespace {

bool IsSlider(PieceType t) {
  return t == kLance || t == kBishop || t == kRook || t == kHorse || t == kDragon;
}
bool IsMajorSlider(PieceType t) { return IsSlider(t) && t != kLance; }
bool IsGoldLike(PieceType t) { return t == kGold || (IsPromoted(t) && !IsMajorSlider(t)); }

int Distance(Square a, Square b) {
  return std::max(std::abs(FileOf(a) - FileOf(b)), std::abs(RankOf(a) - RankOf(b)));
}

// The square in front of a piece of `side`; kNoSquare on its last rank.
Square Ahead(Color side, Square s) {
  if (RelativeRank(side, s) == 1) return kNoSquare;
  return side == kBlack ? s - 1 : s + 1;
}

// A move with facts about it that are used repeatedly.
struct Looked {
  const Position& position;
  Move move;
  Color us;
  PieceType kind;     // piece type that moves or is dropped
  PieceType arrived;  // piece type after the move
  Bitboard occupied;  // after the move
  Bitboard attacks;   // of the moved piece, after the move

  Looked(const Position& at, Move m)
      : position(at),
        move(m),
        us(at.side_to_move()),
        kind(m.is_drop() ? static_cast<PieceType>(m.dropped()) : TypeOf(at.piece(m.from()))),
        arrived(m.promotes() ? Promoted(kind) : kind),
        occupied((m.is_drop() ? at.occupied() : at.occupied() - Bit(m.from())) | Bit(m.to())),
        attacks(Attacks(us, arrived, m.to(), occupied)) {}

  PieceType At(Square s) const { return TypeOf(position.piece(s)); }
  bool IsOther(Square s) const {
    const Piece piece = position.piece(s);
    return piece != kNoPiece && ColorOf(piece) != us;
  }
  bool Attacked(Square s) const { return static_cast<bool>(attacks & Bit(s)); }

  Bitboard Sliders(Color side, bool major_only) const {
    Bitboard sliders;
    for (const PieceType t : {kBishop, kRook, kHorse, kDragon}) {
      sliders |= position.pieces(side, t);
    }
    return major_only ? sliders : sliders | position.pieces(side, kLance);
  }

  // Pieces that it attacks for gain: more valuable ones, or unguarded ones other than pawns.
  Bitboard Threatened() const {
    Bitboard found;
    ForEach(attacks & position.occupied(~us), [&](Square s) {
      const PieceType t = At(s);
      if (t == kPawn || t == kKing) return;
      if (kPieceValue[t] > kPieceValue[arrived] ||
          !(position.Attackers(~us, s, occupied) & occupied)) {
        found |= Bit(s);
      }
    });
    return found;
  }
  bool Threatens() const { return static_cast<bool>(Threatened()); }
  // Whether the move opens a line by which our slider attacks a piece other than a pawn.
  bool Uncovers() const {
    if (move.is_drop()) return false;
    bool found = false;
    const Bitboard sliders = Sliders(us, /*major_only=*/false);
    ForEach(position.Attackers(us, move.from(), position.occupied()) & sliders, [&](Square s) {
      const PieceType t = At(s);
      const Bitboard opened = Attacks(us, t, s, occupied) - Attacks(us, t, s, position.occupied());
      ForEach(opened & position.occupied(~us), [&](Square target) {
        found = found || (At(target) != kPawn && At(target) != kKing);
      });
    });
    return found;
  }
  // Whether it interposes between a slider of the other side and a piece of ours under its attack.
  // `major_only`: only rooks and bishops count as sliders; `beside_king`: only pieces beside the
  // king.
  bool Blocks(bool major_only, bool beside_king) const {
    bool found = false;
    ForEach(Sliders(~us, major_only), [&](Square s) {
      const PieceType t = At(s);
      if (found) return;
      const Bitboard before = Attacks(~us, t, s, position.occupied());
      if (!(before & Bit(move.to()))) return;
      const Bitboard cut = before - Attacks(~us, t, s, occupied);
      const Square king = position.king(us);
      ForEach(cut, [&](Square target) {
        if (beside_king) {
          found = found || (king != kNoSquare && Distance(target, king) <= 1);
        } else {
          const Piece piece = position.piece(target);
          found = found || (piece != kNoPiece && ColorOf(piece) == us);
        }
      });
    });
    return found;
  }
};

// The most valuable piece of the side to move, pawns and king excepted, that could be captured for
// gain; kNoSquare if there is none.
Square DearestThreatened(const Position& position) {
  const Color us = position.side_to_move();
  Square dearest = kNoSquare;
  ForEach(position.occupied(us), [&](Square s) {
    const PieceType t = TypeOf(position.piece(s));
    if (t == kPawn || t == kKing) return;
    if (dearest != kNoSquare && kPieceValue[t] <= kPieceValue[TypeOf(position.piece(dearest))]) {
      return;
    }
    const Bitboard attackers = position.Attackers(~us, s, position.occupied());
    bool gains = attackers && !position.IsAttacked(us, s);
    ForEach(attackers, [&](Square from) {
      const PieceType attacker = TypeOf(position.piece(from));
      gains = gains || (attacker != kKing && kPieceValue[attacker] < kPieceValue[t]);
    });
    if (gains) dearest = s;
  });
  return dearest;
}

// Value of the most valuable piece of the other side that one of ours attacks.
Value DearestTarget(const Position& position) {
  const Color us = position.side_to_move();
  Value most = 0;
  ForEach(position.occupied(~us), [&](Square s) {
    const PieceType t = TypeOf(position.piece(s));
    if (t != kKing && position.IsAttacked(us, s)) most = std::max(most, kPieceValue[t]);
  });
  return most;
}

// Squares beside `king` that the piece newly attacks after the move.
int MoreBeside(const Looked& looked, Square king) {
  if (king == kNoSquare) return 0;
  const Bitboard beside = StepAttacks(kBlack, kKing, king);
  int more = (looked.attacks & beside).Count();
  if (!looked.move.is_drop()) {
    more -=
        (Attacks(looked.us, looked.kind, looked.move.from(), looked.position.occupied()) & beside)
            .Count();
  }
  return more;
}

// Whether the other side could mate at once after a pass, but not after the move.
bool ParriesMate(const Position& position, Move move) {
  Position other = position;
  Undo undo;
  other.DoNull(undo);
  if (!MateInOne(other)) return false;
  other = position;
  other.Do(move, undo);
  return !MateInOne(other);
}

int GroupOfCheck(const Looked& looked, bool holds) {
  const Square king = looked.position.king(~looked.us);
  const Square to = looked.move.to();
  if (holds) return 5;
  const bool head = king != kNoSquare && Ahead(~looked.us, king) == to;
  if (looked.move.is_drop() && head && (looked.kind == kGold || looked.kind == kSilver)) return 9;
  return king != kNoSquare && Distance(king, to) == 1 ? 14 : 30;
}

int GroupOfPawnDrop(const Looked& looked) {
  const Square ahead = Ahead(looked.us, looked.move.to());
  if (ahead != kNoSquare && looked.IsOther(ahead)) {
    return IsMajorSlider(looked.At(ahead)) ? 7 : 19;
  }
  const int rank = RelativeRank(looked.us, looked.move.to());
  return rank >= 2 && rank <= 4 ? 18 : 31;
}

// Group of a quiet move that gives no check and does not lose the moving piece.
int GroupOfAttack(const Looked& looked, Move last, Bitboard pinned) {
  if (looked.Threatens()) return 7;
  if (looked.Uncovers()) return 10;
  if (looked.attacks & pinned) return 11;
  const Move move = looked.move;
  if (move.is_drop() && (looked.kind == kRook || looked.kind == kBishop) &&
      InPromotionZone(looked.us, move.to())) {
    return 12;
  }
  const Square king = looked.position.king(~looked.us);
  if (move.is_drop() && king != kNoSquare && Distance(king, move.to()) == 1) return 13;
  if (looked.Blocks(/*major_only=*/true, /*beside_king=*/false)) return 21;
  if (IsGoldLike(looked.kind) && !move.is_drop() && king != kNoSquare && looked.kind != kGold &&
      InPromotionZone(looked.us, move.from()) && RankOf(move.from()) == RankOf(move.to()) &&
      Distance(move.to(), king) < Distance(move.from(), king)) {
    return 22;
  }
  if (!last) return 0;
  const bool nearer = !move.is_drop() && (looked.kind == kGold || looked.kind == kSilver) &&
                      Distance(move.to(), last.to()) < Distance(move.from(), last.to());
  return looked.Attacked(last.to()) || nearer ? 24 : 0;
}

int GroupOfPawnPush(const Looked& looked) {
  const Bitboard behind =
      kAttacks.ray[looked.us == kBlack ? kSouth : kNorth][static_cast<size_t>(looked.move.from())];
  const Bitboard drivers = looked.position.pieces(looked.us, kRook) |
                           looked.position.pieces(looked.us, kLance) |
                           looked.position.pieces(looked.us, kDragon);
  if (behind & drivers) return 16;
  return RelativeRank(looked.us, looked.move.to()) <= 5 ? 27 : 28;
}

// Rank of a piece among those that threaten or are threatened: 0 for the pawn up to 6 for the rook.
// A promoted piece counts as unpromoted.
int RankOfKind(PieceType t) {
  switch (IsPromoted(t) ? Unpromoted(t) : t) {
    case kLance:
      return 1;
    case kKnight:
      return 2;
    case kSilver:
      return 3;
    case kGold:
      return 4;
    case kBishop:
      return 5;
    case kRook:
      return 6;
    default:
      return 0;
  }
}

int ImportanceOfThreat(const Looked& looked) {
  const bool is_drop = looked.move.is_drop();
  if (is_drop && looked.kind == kPawn) return 300;
  const Bitboard targets = looked.Threatened();
  const int move_first = is_drop ? 0 : 1;
  if (targets.Count() > 1) return 200 + 2 * (6 - RankOfKind(looked.kind)) + move_first;
  int target = 0;
  ForEach(targets, [&](Square s) { target = RankOfKind(looked.At(s)); });
  const bool heavy = is_drop && (looked.kind == kGold || looked.kind == kSilver) && target >= 5;
  return heavy ? 0 : 100 + 2 * target + move_first;
}

// The most that one capture of the side to move wins by exchanges.
Value DearestCapture(const Position& position) {
  MoveList captures;
  position.Generate<GenType::kCaptures>(captures);
  constexpr Value kMost = 4096;  // above every exchange
  Value most = 0;
  for (const Move move : captures) {
    if (!SeeAtLeast(position, move, most + 1)) continue;
    Value reached = most + 1;
    for (Value low = reached, high = kMost; low + 1 < high;) {
      const Value middle = (low + high) / 2;
      (SeeAtLeast(position, move, middle) ? low : high) = middle;
      reached = low;
    }
    most = reached;
  }
  return most;
}

constexpr int kAllMoves = 1 << 20;

}  // namespace

// Whether another piece than the one that moves gives the check.
bool YssGroups::DiscoversCheck(Move move) {
  if (!checks_) checks_.emplace(position_);
  if (move.is_drop() || !checks_->Given(position_, move)) return false;
  const Looked looked(position_, move);
  return !looked.Attacked(position_.king(~looked.us));
}

// `group` of a move that loses material, unless it discovers a check.
int YssGroups::LosingGroup(Move move, int group, int below) {
  constexpr int kDiscoveredCheck = 8;
  if (below > kDiscoveredCheck && DiscoversCheck(move)) return kDiscoveredCheck;
  return std::min(group, below);
}

Square YssGroups::Dearest() {
  if (!dearest_) dearest_ = DearestThreatened(position_);
  return *dearest_;
}

int YssGroups::Of(Move move, int below) {
  const PieceType prize = TypeOf(position_.piece(move.to()));
  if (prize != kNoPieceType) {
    if (last_ && last_.to() == move.to()) return 1;
    if (SeeAtLeast(position_, move, 0)) return 2;
    return LosingGroup(move, kPieceValue[prize] >= kPieceValue[kSilver] ? 15 : 17, below);
  }
  if (move.promotes()) {
    if (SeeAtLeast(position_, move, 0)) return 3;
    return LosingGroup(move, TypeOf(position_.piece(move.from())) == kPawn ? 20 : 17, below);
  }
  if (below <= 4) return below;

  const Looked looked(position_, move);
  if (!checks_) checks_.emplace(position_);
  if (checks_->Given(position_, move)) {
    const bool holds = SeeAtLeast(position_, move, 0);
    const int group = GroupOfCheck(looked, holds);
    return holds ? group : LosingGroup(move, group, below);
  }
  if (looked.kind == kKing) return std::min(25, below);
  const bool flees = !move.is_drop() && move.from() == Dearest();
  if (flees && SeeAtLeast(position_, move, 0)) return 6;
  if (below <= 7) return below;

  if (move.is_drop() && looked.kind == kPawn) return GroupOfPawnDrop(looked);
  if (!SeeAtLeast(position_, move, 0)) return 17;
  if (!pinned_) pinned_ = position_.Pinned(~looked.us);
  if (const int group = GroupOfAttack(looked, last_, *pinned_); group != 0) return group;
  int group = move.is_drop() ? kNoYssGroup : 28;
  if (looked.attacks & position_.pieces(~looked.us, kPawn)) {
    group = 26;
  } else if (looked.kind == kPawn) {
    group = GroupOfPawnPush(looked);
  }
  if (!at_root_ || group < 26) return group;
  return move.is_drop() ? kNoYssGroup : 29;
}

int YssGroups::ImportanceOf(Move move, int group) {
  constexpr int kZero = 10000;  // above what any move can lose
  const PieceType prize = TypeOf(position_.piece(move.to()));
  if (prize != kNoPieceType || move.promotes()) {
    const PieceType mover = TypeOf(position_.piece(move.from()));
    const Value gain = (prize == kNoPieceType ? 0 : CaptureValue(prize)) +
                       (move.promotes() ? PromotionGain(mover) : 0);
    return kZero + gain - kPieceValue[mover] / 16;
  }
  if (group == 7) return ImportanceOfThreat(Looked(position_, move));
  if (group != 6) return 0;
  Position after = position_;
  Undo undo;
  after.Do(move, undo);
  return kZero - DearestCapture(after);
}

int YssGroups::MostOf(int group, int plies_left) {
  if (group == 7 && plies_left > 3) return 5;
  if (group == 31) return 15;
  if (group != 6 || plies_left < 3) return kAllMoves;
  const int rank = RankOfKind(TypeOf(position_.piece(Dearest())));
  return rank >= 5 ? 5 : rank >= 3 ? 4 : 3;
}

int YssGroupOf(const Position& position, Move move, Move last, bool at_root) {
  return YssGroups(position, last, at_root).Of(move);
}

bool YssGroupBelongs(const Position& position, int group, int distance, int plies_left) {
  if (group <= 6) return true;
  if (group <= 12) return plies_left >= 2;
  if (group <= 15) return plies_left >= 3;
  if (group <= 25) return distance <= 2;
  if (distance == 1) return true;
  return group <= 28 && distance == 2 && StageOf(position) == 0;
}

int TacosCategoryOf(const Position& position, Move move, Move last) {
  if (position.InCheck()) return 1;
  if (ParriesMate(position, move)) return 2;
  const Looked looked(position, move);
  const PieceType prize = TypeOf(position.piece(move.to()));
  const bool holds = SeeAtLeast(position, move, 0);
  if (prize != kNoPieceType) {
    if (last && last.to() == move.to()) return 3;
    if (kPieceValue[prize] == DearestTarget(position)) return 4;
    if (SeeAtLeast(position, move, 1)) return 5;
  }
  if (move.promotes()) return 6;
  if (holds && position.GivesCheck(move)) return 7;
  if (!move.is_drop() && move.from() == DearestThreatened(position)) return 8;
  bool guards = false;
  ForEach(looked.attacks & position.occupied(looked.us), [&](Square s) {
    guards = guards || (s != position.king(looked.us) && position.IsAttacked(~looked.us, s) &&
                        !position.IsAttacked(looked.us, s));
  });
  if (guards) return 10;
  if (looked.Blocks(/*major_only=*/false, /*beside_king=*/true)) return 11;
  if (looked.Blocks(/*major_only=*/false, /*beside_king=*/false)) return 12;
  if (prize != kNoPieceType && holds) return 13;
  if (MoreBeside(looked, position.king(looked.us)) > 0) return 16;
  if (FirstMoveGain(position, move) > 0) return 17;
  if (looked.Threatens()) return 18;
  return MoreBeside(looked, position.king(~looked.us)) > 0 ? 19 : 21;
}

}  // namespace joseki::shogi
