#pragma once

#include <algorithm>

#include "engine/core/bitboard.h"
#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/eval/features.h"
#include "engine/xiangqi/position.h"

// Passes a position's features to a sink by `sink.Add(side, feature, times)`. The evaluation sums
// weights; the learner records the features.
namespace joseki::xiangqi {

// Material and placement: features that a move changes only through its two squares.
template <typename Sink>
void CollectPlaces(const Position& position, Sink& sink) {
  ForEach(position.occupied(), [&](Square s) {
    const Piece p = position.piece(s);
    const Color c = ColorOf(p);
    sink.Add(c, kMaterial + TypeOf(p), 1);
    sink.Add(c, kPlace + TypeOf(p) * kHalfSquares + HalfSquare(c, s), 1);
  });
}

namespace internal {

inline constexpr Bitboard kPalace[2] = {
    Bitboard((uint64_t{7} << 3) | (uint64_t{7} << 12) | (uint64_t{7} << 21), 0),
    Bitboard(0, (uint64_t{7} << 3) | (uint64_t{7} << 12) | (uint64_t{7} << 21))};

// Attacked squares of a side.
struct Sway {
  Bitboard all;
  Bitboard cheap;  // by pawns, advisers and elephants
  Bitboard minor;  // the same plus knights and cannons
  int besiegers = 0;
};

template <typename Sink>
class Terms {
 public:
  Terms(const Position& position, Sink& sink) : position_(position), sink_(sink) {}

  void Collect() {
    for (const Color c : {kRed, kBlack}) {
      AddPieces(c);
      AddMaterial(c);
    }
    for (const Color c : {kRed, kBlack}) AddThreats(c);
    const Bitboard between = Between(position_.king(kRed), position_.king(kBlack));
    if (between) {
      const Bitboard held = between & occupied_;
      if (!held.HasMany() && held)
        sink_.Add(ColorOf(position_.piece(First(held))), kHeldByKings, 1);
    }
    sink_.Add(position_.side_to_move(), kTempo, 1);
  }

 private:
  int Count(Color c, PieceType t) const { return position_.pieces(c, t).Count(); }

  // Adds the feature for a slider on a line with the other king, by the number of pieces between
  // (0-2).
  void AddLine(Color c, Square s, int on_file, int on_rank) {
    const Square king = position_.king(~c);
    const uint8_t d = kAttacks.direction[static_cast<size_t>(s)][static_cast<size_t>(king)];
    if (d == kNoDirection) return;
    const int between = (Between(s, king) & occupied_).Count();
    if (between <= 2) sink_.Add(c, (d < kEast ? on_file : on_rank) + between, 1);
  }

  void Besiege(Color c, int kind, Bitboard attacked) {
    const int squares = (attacked & kPalace[Index(~c)]).Count();
    if (squares == 0) return;
    ++sway_[Index(c)].besiegers;
    sink_.Add(c, kPalaceSquares + kind, squares);
  }

  void AddPieces(Color c) {
    const Bitboard own = position_.occupied(c);
    Sway& sway = sway_[Index(c)];
    ForEach(position_.pieces(c, kRook), [&](Square s) {
      const Bitboard attacked = RookAttacks(s, occupied_);
      sink_.Add(c, kRookReach + (attacked - own).Count(), 1);
      sway.all |= attacked;
      Besiege(c, 0, attacked);
      AddLine(c, s, kRookOnFile, kRookOnRank);
    });
    ForEach(position_.pieces(c, kCannon), [&](Square s) {
      const Slides slides = SlidesFrom(s, occupied_);
      sink_.Add(c, kCannonReach + (slides.rook - occupied_).Count(), 1);
      if (const Bitboard aims = slides.jump & position_.occupied(~c)) {
        sink_.Add(c, kCannonAims, aims.Count());
      }
      sway.minor |= slides.jump;
      Besiege(c, 1, slides.jump);
      AddLine(c, s, kCannonOnFile, kCannonOnRank);
    });
    ForEach(position_.pieces(c, kKnight), [&](Square s) {
      const Bitboard attacked = KnightAttacks(s, occupied_);
      sink_.Add(c, kKnightReach + (attacked - own).Count(), 1);
      sway.minor |= attacked;
      Besiege(c, 2, attacked);
    });
    int crossed = 0;
    int linked = 0;
    ForEach(position_.pieces(c, kPawn), [&](Square s) {
      const Bitboard attacked = kAttacks.pawn[Index(c)][static_cast<size_t>(s)];
      sway.cheap |= attacked;
      if (!HasCrossedRiver(c, s)) return;
      ++crossed;
      Besiege(c, 3, attacked);
      linked += FileOf(s) > 0 && position_.piece(s - 1) == MakePiece(c, kPawn);
    });
    sink_.Add(c, kCrossedPawns + crossed, 1);
    if (linked > 0) sink_.Add(c, kLinkedPawns, linked);
    ForEach(position_.pieces(c, kAdviser),
            [&](Square s) { sway.cheap |= kAttacks.adviser[Index(c)][static_cast<size_t>(s)]; });
    ForEach(position_.pieces(c, kElephant),
            [&](Square s) { sway.cheap |= ElephantAttacks(s, occupied_); });
    sway.minor |= sway.cheap;
    sway.all |= sway.minor | kAttacks.king[Index(c)][static_cast<size_t>(position_.king(c))];
    sink_.Add(c, kSiege + std::min(sway.besiegers, 5) * 3 + Count(~c, kAdviser), 1);
  }

  void AddMaterial(Color c) {
    const int rooks = Count(c, kRook);
    const int cannons = Count(c, kCannon);
    const int knights = Count(c, kKnight);
    const int advisers = Count(~c, kAdviser);
    const int elephants = Count(~c, kElephant);
    sink_.Add(c, kRooksAdvisers + rooks * 3 + advisers, 1);
    sink_.Add(c, kRooksElephants + rooks * 3 + elephants, 1);
    sink_.Add(c, kCannonsAdvisers + cannons * 3 + advisers, 1);
    sink_.Add(c, kCannonsElephants + cannons * 3 + elephants, 1);
    sink_.Add(c, kKnightsAdvisers + knights * 3 + advisers, 1);
    sink_.Add(c, kCannonsScreens + cannons * 5 + Count(c, kAdviser) + Count(c, kElephant), 1);
    sink_.Add(c, kCannonsKnights + cannons * 3 + knights, 1);
  }

  void AddThreats(Color c) {
    const Sway& theirs = sway_[Index(~c)];
    const Bitboard guarded = sway_[Index(c)].all;
    const Bitboard own = position_.occupied(c) - Bit(position_.king(c));
    const int moving = position_.side_to_move() == c ? 0 : kPieceTypeCount;
    ForEach((own & theirs.all) - guarded,
            [&](Square s) { sink_.Add(c, kLoose + moving + TypeOf(position_.piece(s)), 1); });
    const Bitboard dear =
        (position_.pieces(c, kRook) & theirs.minor) |
        ((position_.pieces(c, kKnight) | position_.pieces(c, kCannon)) & theirs.cheap);
    ForEach(dear & guarded,
            [&](Square s) { sink_.Add(c, kUnderCheap + moving + TypeOf(position_.piece(s)), 1); });
    for (const PieceType t : {kAdviser, kElephant, kKnight, kRook, kCannon, kPawn}) {
      const int count = (position_.pieces(c, t) & guarded).Count();
      if (count > 0) sink_.Add(c, kGuarded + t, count);
    }
  }

  const Position& position_;
  const Bitboard occupied_ = position_.occupied();
  Sink& sink_;
  Sway sway_[2];
};

}  // namespace internal

// All other features.
template <typename Sink>
void CollectRest(const Position& position, Sink& sink) {
  internal::Terms<Sink>(position, sink).Collect();
}

}  // namespace joseki::xiangqi
