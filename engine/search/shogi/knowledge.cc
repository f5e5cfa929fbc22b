#include "engine/search/shogi/knowledge.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/search/depth.h"
#include "engine/search/reductions.h"
#include "engine/search/shogi/transitions.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/eval/see.h"

namespace joseki::shogi {
namespace {

constexpr bool IsMajor(PieceType t) {
  return t == kBishop || t == kRook || t == kHorse || t == kDragon;
}

enum Purpose {
  kEvasion,
  kTakeBack,  // captures the piece that moved last
  kTake,
  kTakeAtLoss,
  kPromote,
  kPromoteAtLoss,
  kCheck,
  kCheckAtLoss,
  kFlight,
  kDropNearKing,
  kDrop,
  kGiveAway,
  kNearKing,
  kOther,
};

int ClassOf(PieceType t) {
  if (t == kPawn) return 0;
  if (t == kLance || t == kKnight) return 1;
  if (t == kKing) return 4;
  return IsMajor(t) ? 3 : 2;
}

bool IsNear(Square a, Square b) {
  return b != kNoSquare && std::abs(FileOf(a) - FileOf(b)) <= 2 &&
         std::abs(RankOf(a) - RankOf(b)) <= 2;
}

Purpose PurposeOf(const Position& position, Move move, Move last) {
  if (position.InCheck()) return kEvasion;
  const Color us = position.side_to_move();
  const bool holds = SeeAtLeast(position, move, 0);
  if (position.piece(move.to()) != kNoPiece) {
    if (!holds) return kTakeAtLoss;
    return last && last.to() == move.to() ? kTakeBack : kTake;
  }
  if (move.promotes()) return holds ? kPromote : kPromoteAtLoss;
  if (position.GivesCheck(move)) return holds ? kCheck : kCheckAtLoss;
  if (!holds) return kGiveAway;
  const bool near = IsNear(move.to(), position.king(~us));
  if (move.is_drop()) return near ? kDropNearKing : kDrop;
  if (position.IsAttacked(~us, move.from())) return kFlight;
  return near ? kNearKing : kOther;
}

// TACOS's Tp = Np / Ne, as -log2 in fractions of a ply: a probability of about one in six costs a
// ply.
constexpr int kPartsABit = 12;

constexpr std::array<std::array<int16_t, kMoveCategories>, kStages> MakeCosts() {
  std::array<std::array<int16_t, kMoveCategories>, kStages> costs{};
  for (size_t stage = 0; stage < kStages; ++stage) {
    for (size_t category = 0; category < kMoveCategories; ++category) {
      const TransitionCount& count = kTransitions[stage][category];
      // Counts begin at one move in sixteen chances, so that small ones have little weight.
      const int bits16 = Log2x16(count.possible + 16) - Log2x16(count.played + 1);
      costs[stage][category] =
          static_cast<int16_t>(std::clamp(bits16 * kPartsABit / 16, kPly / 4, 4 * kPly));
    }
  }
  return costs;
}
constexpr auto kCosts = MakeCosts();

// Bonanza's Vmax for king moves and for others. 99 % of moves change the learned evaluation by less
// (tests/engine/search/shogi/knowledge_test.cc measures it).
constexpr Value kVmaxKing = 540;
constexpr Value kVmaxOther = 308;

}  // namespace

int CategoryOf(const Position& position, Move move, Move last) {
  const PieceType t =
      move.is_drop() ? static_cast<PieceType>(move.dropped()) : TypeOf(position.piece(move.from()));
  return PurposeOf(position, move, last) * kPieceClasses + ClassOf(t);
}

std::array<uint32_t, 4> PartsOf(const Position& position) {
  auto mix = [](uint64_t a, uint64_t b) {
    const uint64_t sum = (a ^ b * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    return static_cast<uint32_t>((sum ^ sum >> 32) * 0xD6E8FEB86659FD93u >> 32);
  };
  auto squares = [&](Bitboard b) { return mix(b.lo(), b.hi()); };
  auto castle = [&](Color c) {
    const Bitboard guards = (position.golds() | position.pieces(kSilver)) & position.occupied(c);
    return squares(guards) ^ mix(static_cast<uint64_t>(position.king(c)), 1);
  };
  const uint32_t pawns =
      mix(squares(position.pieces(kBlack, kPawn)), squares(position.pieces(kWhite, kPawn)));
  return {mix(position.hand(kBlack).bits(), position.hand(kWhite).bits()), pawns, castle(kBlack),
          castle(kWhite)};
}

int Progress(const Position& position) {
  int progress = 0;
  for (const Color c : {kBlack, kWhite}) {
    for (int t = kPawn; t <= kGold; ++t) {
      progress += 3 * position.hand(c).Count(static_cast<PieceType>(t));
    }
    ForEach(position.occupied(c), [&](Square s) {
      const PieceType t = TypeOf(position.piece(s));
      const int rank = c == kBlack ? RankOf(s) : 10 - RankOf(s);
      if (t > kKing) progress += 2;
      if (rank <= 3) progress += 2;
    });
  }
  return progress;
}

int StageOf(const Position& position) {
  const int progress = Progress(position);
  return progress < 6 ? 0 : progress < 18 ? 1 : progress < 36 ? 2 : 3;
}

int TransitionCost(int stage, int category) {
  return kCosts[static_cast<size_t>(stage)][static_cast<size_t>(category)];
}

int KingPressure(const Position& position, Color by) {
  const Square king = position.king(~by);
  if (king == kNoSquare) return 0;
  int count = 0;
  ForEach(StepAttacks(by, kKing, king), [&](Square s) { count += position.IsAttacked(by, s); });
  return count;
}

Value SwingAtMost(const Position& position, Move move) {
  if (!move.is_drop() && TypeOf(position.piece(move.from())) == kKing) return kVmaxKing;
  return kVmaxOther + KingPieceGain(position, move);
}

bool EscapesAttack(const Position& position, Move move, Move last) {
  if (move.is_drop() || !IsMajor(TypeOf(position.piece(move.from())))) return false;
  const Color us = position.side_to_move();
  const Bitboard attackers = position.Attackers(~us, move.from(), position.occupied());
  if (!attackers || (last && !(attackers & Bit(last.to())))) return false;
  const Bitboard without = position.occupied() - Bit(move.from());
  if (!(position.Attackers(~us, move.to(), without) & without)) return true;
  return static_cast<bool>(position.Attackers(us, move.to(), without) & without);
}

namespace {

// Whether `s` lies between two squares of one line.
bool IsBetween(Square s, Square a, Square b) {
  const uint8_t direction = kAttacks.direction[static_cast<size_t>(a)][static_cast<size_t>(b)];
  return direction != kNoDirection &&
         kAttacks.direction[static_cast<size_t>(a)][static_cast<size_t>(s)] == direction &&
         kAttacks.direction[static_cast<size_t>(s)][static_cast<size_t>(b)] == direction;
}

bool HasLine(PieceType t) { return t == kLance || IsMajor(t); }

// Whether a slider would attack one of our pieces through `to` after `threat` by the other side,
// but does not now. The slider may be the piece that moves, or stand behind it.
bool Forestalls(const Position& position, Square to, Move threat) {
  const Color us = position.side_to_move();
  const Bitboard before = position.occupied();
  const Bitboard after =
      (threat.is_drop() ? before : before - Bit(threat.from())) | Bit(threat.to());
  bool found = false;
  const auto look = [&](PieceType t, Square from, Bitboard known) {
    const Bitboard opened = Attacks(~us, t, from, Occupancy(after)) - known;
    ForEach(opened & position.occupied(us),
            [&](Square target) { found = found || IsBetween(to, from, target); });
  };
  PieceType arrived = threat.is_drop() ? static_cast<PieceType>(threat.dropped())
                                       : TypeOf(position.piece(threat.from()));
  if (threat.promotes()) arrived = Promoted(arrived);
  if (HasLine(arrived)) look(arrived, threat.to(), Bitboard());
  if (threat.is_drop()) return found;
  ForEach(position.Attackers(~us, threat.from(), before) & before, [&](Square s) {
    const PieceType t = TypeOf(position.piece(s));
    if (HasLine(t)) look(t, s, Attacks(~us, t, s, Occupancy(before)));
  });
  return found;
}

}  // namespace

Defence DefenceOf(const Position& position, Move move, Move threat) {
  if (!threat.is_drop() && move.to() == threat.from()) return Defence::kTakes;
  if (!move.is_drop() && move.from() == threat.to()) return Defence::kFlees;
  if (move.to() == threat.to()) return Defence::kOccupies;
  if (!threat.is_drop() && IsBetween(move.to(), threat.from(), threat.to())) {
    return Defence::kBlocks;
  }
  if (Meets(position, move, threat)) return Defence::kGuards;
  return Forestalls(position, move.to(), threat) ? Defence::kForestalls : Defence::kNone;
}

bool Meets(const Position& position, Move move, Move threat) {
  const Color us = position.side_to_move();
  if (!move.is_drop() && move.from() == threat.to()) return true;  // moves away
  if (move.to() == threat.to()) return true;                       // occupies the square
  const PieceType arrived =
      move.is_drop() ? static_cast<PieceType>(move.dropped()) : TypeOf(position.piece(move.from()));
  const Bitboard occupied = position.occupied();
  if (Attacks(us, arrived, move.to(), Occupancy(occupied)) & Bit(threat.to())) return true;
  if (threat.is_drop()) return false;
  // Blocking: only sliders have squares in between.
  const auto from = static_cast<size_t>(threat.from());
  const uint8_t direction = kAttacks.direction[from][static_cast<size_t>(threat.to())];
  return direction != kNoDirection &&
         kAttacks.direction[from][static_cast<size_t>(move.to())] == direction &&
         kAttacks.direction[static_cast<size_t>(move.to())][static_cast<size_t>(threat.to())] ==
             direction;
}

}  // namespace joseki::shogi
