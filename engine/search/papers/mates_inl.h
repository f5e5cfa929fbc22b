#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/search/papers/mates.h"
#include "engine/search/tree.h"

namespace joseki {
namespace search_internal {

// Most plies left at which mate searches run, except with MateNodesByDepth.
inline constexpr int kMateDepth = 2;

}  // namespace search_internal

template <Game G>
void Search<G>::Papers::Mates::SetOptions() {
  verdicts_ = tree_.options_.mate_nodes > 0 ? std::make_unique<MateVerdicts>() : nullptr;
}

template <Game G>
void Search<G>::Papers::Mates::Forget() {
  if (verdicts_ != nullptr) verdicts_->Clear();
}

template <Game G>
void Search<G>::Papers::Mates::Begin() {
  const SearchOptions& o = tree_.options_;
  if (o.mate_nodes > 0) {
    tree_.MakeMateFinder().Use(o.mate_plies, static_cast<unsigned>(o.mate_cuts));
  }
}

template <Game G>
bool Search<G>::Papers::Mates::InUse() const {
  return tree_.options_.mate_in_one != 0 || tree_.options_.mate_nodes > 0;
}

template <Game G>
bool Search<G>::Papers::Mates::Finds(const Node& node, Value& value) {
  const SearchOptions& o = tree_.options_;
  const bool by_depth = o.mate_nodes_by_depth != 0;
  if (o.mate_nodes == 0 || node.ply == 0 ||
      (!by_depth && node.plies() > search_internal::kMateDepth)) {
    return false;
  }
  const int ply = node.ply;
  const Key& key = tree_.stack_[ply].key;
  const auto nodes =
      static_cast<uint64_t>(o.mate_nodes * (by_depth ? std::max(node.plies(), 1) : 1));
  tree_.Fire(Technique::kMateSearch);
  MateProbe probe;
  if (verdicts_->Find(key, nodes, probe)) {
    tree_.Fire(Technique::kMateVerdict);
  } else {
    const uint64_t most = tree_.budget_.Allowed(nodes);
    probe = tree_.SearchMate(most, [&](uint64_t allowed) {
      return tree_.mates_->Find(tree_.pos_, allowed, tree_.budget_.stop_flag());
    });
    if (!tree_.budget_.over() || probe.move) verdicts_->Keep(key, most, probe);
  }
  if (!probe.move || ply + probe.plies >= kMaxPly) return false;
  tree_.Fire(Technique::kMateFound);
  value = MateIn(ply + probe.plies);
  tree_.stack_.RecordLastMove(ply, probe.move);
  tree_.tt_.Store(key, {.move = probe.move,
                        .value = ToTable(value, ply),
                        .eval = node.raw_eval,
                        .depth = node.plies(),
                        .bound = Bound::kLower});
  return true;
}

template <Game G>
bool Search<G>::Papers::Mates::InOne(const Node& node, Value& value) {
  return tree_.options_.mate_in_one == 2 && !tree_.budget_.over() && !node.hit && node.ply > 0 &&
         MatesInOne(node.ply, value);
}

template <Game G>
bool Search<G>::Papers::Mates::AtLeaf(int ply, int qply, Value& value) {
  const int form = tree_.options_.mate_in_one;
  return (form == 2 || (form == 1 && qply == 0)) && MatesInOne(ply, value);
}

template <Game G>
bool Search<G>::Papers::Mates::MatesInOne(int ply, Value& value) {
  const Move move = G::MateInOne(tree_.pos_);
  if (!move) return false;
  tree_.Fire(Technique::kMateInOne);
  value = MateIn(ply + 1);
  tree_.stack_.RecordLastMove(ply, move);
  // Stored at the greatest depth: a deeper search could not find more.
  tree_.tt_.Store(
      tree_.stack_[ply].key,
      {.move = move, .value = ToTable(value, ply), .depth = kMaxPly - 1, .bound = Bound::kExact});
  return true;
}

}  // namespace joseki
