#pragma once

#include "engine/shogi/attacks.h"
#include "engine/shogi/position.h"

// Parts of Position shared by position.cc and movegen.cc, inlined because a call would cost more
// than the work.
namespace joseki::shogi {

inline Bitboard Position::Snipers(Color c, Square s) const {
  const Bitboard lance_ray = kAttacks.ray[c == kBlack ? kSouth : kNorth][s];
  return ((kAttacks.bishop_rays[s] & (by_type_[kBishop] | by_type_[kHorse])) |
          (kAttacks.rook_rays[s] & (by_type_[kRook] | by_type_[kDragon])) |
          (lance_ray & by_type_[kLance])) &
         occupied_[Index(c)];
}

}  // namespace joseki::shogi
