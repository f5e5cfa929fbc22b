#pragma once

#include <algorithm>

#include "engine/search/search_impl.h"

// Mates that nodes look for besides their search (YSS): in one move, or by few nodes of a mate
// search.
namespace joseki {
namespace search_internal {

// Mate searches are made up to so many plies from the leaves, but for MateNodesByDepth.
inline constexpr int kMateDepth = 2;

}  // namespace search_internal

// Whether the side to move, which is not in check, mates at once. Keeps the value.
template <Game G>
bool Search<G>::Papers::MatesInOne(int ply, Value& value) {
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

template <Game G>
bool Search<G>::Papers::MatesAtLeaf(int ply, int qply, Value& value) {
  const int form = options().mate_in_one;
  return (form == 2 || (form == 1 && qply == 0)) && MatesInOne(ply, value);
}

// Whether the mate search proves a mate, near the horizon or, with nodes by the plies left (as YSS
// has them), anywhere. Keeps the value. A visit to a position
// whose verdict is known costs nothing.
template <Game G>
bool Search<G>::Papers::FindsMate(const Node& node, Value& value) {
  const bool by_depth = options().mate_nodes_by_depth != 0;
  if (node.ply == 0 || (!by_depth && node.plies() > search_internal::kMateDepth)) return false;
  const int ply = node.ply;
  const Key& key = search_.FrameAt(ply).key;
  const auto nodes =
      static_cast<uint64_t>(options().mate_nodes * (by_depth ? std::max(node.plies(), 1) : 1));
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

}  // namespace joseki
