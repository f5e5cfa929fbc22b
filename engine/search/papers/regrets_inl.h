#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "engine/search/papers/regrets.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
bool Search<G>::Papers::Regrets::InUse() const {
  return tree_.options_.regret_moves > 1;
}

template <Game G>
void Search<G>::Papers::Regrets::FindLine(int ply) {
  Line& line = lines_[ply];
  line.fill(Move());
  if (!InUse()) return;
  Position& pos = tree_.pos_;
  std::array<Undo, kPlies> undos;
  size_t count = 0;
  Move move = tree_.stack_[ply].regret[0];
  while (count < kPlies && move && G::IsLegal(pos, move)) {
    line[count] = move;
    G::Do(pos, move, undos[count++]);
    move = tree_.KnownMove(ply + 1 + static_cast<int>(count), G::KeyOf(pos));
  }
  while (count > 0) {
    --count;
    G::TakeBack(pos, line[count], undos[count]);
  }
}

template <Game G>
void Search<G>::Papers::Regrets::AddHints(int ply, MoveHints& hints) {
  if (!hints.threat) return;
  const Line& line = lines_[ply];
  hints.all_defences = InUse();
  hints.next_threat = line[2];
  for (size_t own = 3; own < line.size(); own += 2) hints.AddLate(line[own]);
}

template <Game G>
void Search<G>::Papers::Regrets::OrderRoot(int depth) {
  Position& pos = tree_.pos_;
  if (!InUse() || depth < search_internal::kNullDepth || depth == passed_depth_ ||
      G::InCheck(pos) || !G::MayPass(pos)) {
    return;
  }
  passed_depth_ = depth;
  tree_.null_move_.template SearchPass<true>(0, (depth - 2) * kPly, -kValueInfinite,
                                             kValueInfinite);
  if (tree_.budget_.over()) return;
  const std::span<const Move> line = tree_.stack_.Line(1);
  tree_.root_moves_.SortByPlace(1, [&](Move move) {
    for (size_t own = 1; own < line.size(); own += 2) {
      if (line[own] == move) return static_cast<int>(own);
    }
    if (MovePicker<G>::IsTactical(pos, move)) return kMaxPly + 1;
    for (size_t theirs = 0; theirs < line.size(); theirs += 2) {
      if (G::Defends(pos, move, line[theirs])) return kMaxPly;
    }
    return kMaxPly + 1;
  });
  tree_.Fire(Technique::kRegretMove);
}

}  // namespace joseki
