#include "book/formats/position.h"

#include <algorithm>
#include <utility>

#include "engine/shogi/sfen.h"

namespace joseki::book {

uint64_t SumOfCounts(uint64_t a, uint64_t b) {
  return std::min(a, kMostDbCount) + std::min(b, kMostDbCount - std::min(a, kMostDbCount));
}

void AddMove(std::vector<DbMove>& moves, const DbMove& move) {
  const auto same = std::find_if(moves.begin(), moves.end(),
                                 [&](const DbMove& m) { return m.move == move.move; });
  if (same == moves.end()) {
    moves.push_back(move);
    return;
  }
  const uint64_t count = SumOfCounts(same->count, move.count);
  *same = move;
  same->count = count;
}

void AddPosition(DbPosition& position, const DbPosition& more) {
  position.ply = std::min(position.ply, more.ply);
  position.known.games = SumOfCounts(position.known.games, more.known.games);
  position.known.nodes = std::max(position.known.nodes, more.known.nodes);
  for (const DbMove& move : more.moves) AddMove(position.moves, move);
}

bool GoesBefore(const DbMove& a, const DbMove& b) {
  if (a.value != b.value) return a.value > b.value;
  if (a.depth != b.depth) return a.depth > b.depth;
  if (a.count != b.count) return a.count > b.count;
  return shogi::ToUsi(a.move) < shogi::ToUsi(b.move);
}

void SortMoves(std::vector<DbMove>& moves) { std::sort(moves.begin(), moves.end(), GoesBefore); }

void Canonicalise(std::vector<DbPosition>& positions) {
  std::erase_if(positions, [](const DbPosition& position) { return position.moves.empty(); });
  std::stable_sort(positions.begin(), positions.end(),
                   [](const DbPosition& a, const DbPosition& b) { return a.packed < b.packed; });
  size_t kept = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (kept > 0 && positions[kept - 1].packed == positions[i].packed) {
      AddPosition(positions[kept - 1], positions[i]);
    } else {
      if (kept != i) positions[kept] = std::move(positions[i]);
      ++kept;
    }
  }
  positions.resize(kept);
  for (DbPosition& position : positions) SortMoves(position.moves);
}

}  // namespace joseki::book
