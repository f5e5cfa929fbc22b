#include "engine/shogi/influence.h"

#include "engine/shogi/attacks.h"

namespace joseki::shogi {

Influence InfluenceOn(const Position& position, Color c, Square s) {
  Bitboard standing = position.occupied();
  const Bitboard kings = position.pieces(kKing);
  Influence influence{position.Attackers(c, s, standing), {}};
  Bitboard ours = influence.direct;
  while (true) {
    // Those that can take have taken, and what stood behind them comes to bear.
    const Bitboard theirs = position.Attackers(~c, s, standing);
    const Bitboard next = standing - ((ours | theirs) - kings);
    if (next == standing) break;
    standing = next;
    ours |= position.Attackers(c, s, standing);
  }
  influence.battery = ours - influence.direct;
  return influence;
}

std::array<uint8_t, kSquareCount> AttackCounts(const Position& position, Color c) {
  std::array<uint8_t, kSquareCount> counts{};
  const Occupancy occupied(position.occupied());
  ForEach(position.occupied(c), [&](Square from) {
    ForEach(Attacks(c, TypeOf(position.piece(from)), from, occupied),
            [&](Square to) { ++counts[static_cast<size_t>(to)]; });
  });
  return counts;
}

}  // namespace joseki::shogi
