#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/search/papers/mates.h"
#include "engine/search/search_impl.h"

namespace joseki {
namespace search_internal {

// Mate searches are made up to so many plies from the leaves, but for MateNodesByDepth.
inline constexpr int kMateDepth = 2;

}  // namespace search_internal

template <Game G>
void Search<G>::Papers::Mates::SetOptions() {
  verdicts_ = search_.options_.mate_nodes > 0 ? std::make_unique<MateVerdicts>() : nullptr;
}

template <Game G>
void Search<G>::Papers::Mates::Forget() {
  if (verdicts_ != nullptr) verdicts_->Clear();
}

template <Game G>
void Search<G>::Papers::Mates::Begin() {
  const SearchOptions& o = search_.options_;
  if (o.mate_nodes > 0) {
    search_.MakeMateFinder().Use(o.mate_plies, static_cast<unsigned>(o.mate_cuts));
  }
}

template <Game G>
bool Search<G>::Papers::Mates::InUse() const {
  return search_.options_.mate_in_one != 0 || search_.options_.mate_nodes > 0;
}

template <Game G>
bool Search<G>::Papers::Mates::Finds(const Node& node, Value& value) {
  const SearchOptions& o = search_.options_;
  const bool by_depth = o.mate_nodes_by_depth != 0;
  if (o.mate_nodes == 0 || node.ply == 0 ||
      (!by_depth && node.plies() > search_internal::kMateDepth)) {
    return false;
  }
  const int ply = node.ply;
  const Key& key = search_.FrameAt(ply).key;
  const auto nodes =
      static_cast<uint64_t>(o.mate_nodes * (by_depth ? std::max(node.plies(), 1) : 1));
  search_.Fire(Technique::kMateSearch);
  MateProbe probe;
  if (verdicts_->Find(key, nodes, probe)) {
    search_.Fire(Technique::kMateVerdict);
  } else {
    const uint64_t limit = search_.limits_.nodes;
    const uint64_t most =
        limit == 0 ? nodes : std::min(nodes, limit - std::min(limit, search_.nodes_));
    probe = search_.SearchMate(most, [&](uint64_t allowed) {
      return search_.mates_->Find(search_.pos_, allowed, &search_.stop_requested_);
    });
    if (!search_.stopped_ || probe.move) verdicts_->Keep(key, most, probe);
  }
  if (!probe.move || ply + probe.plies >= kMaxPly) return false;
  search_.Fire(Technique::kMateFound);
  value = MateIn(ply + probe.plies);
  search_.pv_[ply][ply] = probe.move;
  search_.pv_length_[ply] = ply + 1;
  search_.tt_.Store(key, {.move = probe.move,
                          .value = ToTable(value, ply),
                          .eval = node.raw_eval,
                          .depth = node.plies(),
                          .bound = Bound::kLower});
  return true;
}

template <Game G>
bool Search<G>::Papers::Mates::InOne(const Node& node, Value& value) {
  return search_.options_.mate_in_one == 2 && !search_.stopped_ && !node.hit && node.ply > 0 &&
         MatesInOne(node.ply, value);
}

template <Game G>
bool Search<G>::Papers::Mates::AtLeaf(int ply, int qply, Value& value) {
  const int form = search_.options_.mate_in_one;
  return (form == 2 || (form == 1 && qply == 0)) && MatesInOne(ply, value);
}

template <Game G>
bool Search<G>::Papers::Mates::MatesInOne(int ply, Value& value) {
  const Move move = G::MateInOne(search_.pos_);
  if (!move) return false;
  search_.Fire(Technique::kMateInOne);
  value = MateIn(ply + 1);
  search_.pv_[ply][ply] = move;
  search_.pv_length_[ply] = ply + 1;
  // Depth has no limit: there is no more to find.
  search_.tt_.Store(
      search_.FrameAt(ply).key,
      {.move = move, .value = ToTable(value, ply), .depth = kMaxPly - 1, .bound = Bound::kExact});
  return true;
}

}  // namespace joseki
