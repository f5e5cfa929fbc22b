#pragma once

#include <algorithm>

#include "engine/search/search_impl.h"

// Hashimoto's killers in a node, and the two tables of TACOS.
namespace joseki {

template <Game G>
ContextKillers::Path Search<G>::Impl::PathTo(int ply) const {
  ContextKillers::Path path;
  for (int back = 0; back < 3; ++back) {
    path.code[back] = FrameAt(ply - 1 - back).code;
  }
  path.passed = ply > 0 && !FrameAt(ply - 1).move;
  return path;
}

template <Game G>
void Search<G>::Impl::AddKillers(int ply, MoveHints& hints) {
  const auto form = static_cast<ContextKillers::Form>(options_.killer_context);
  const ContextKillers::Path path = PathTo(ply);
  auto add = [&](Move move) {
    if (!move) return;
    Fire(Technique::kKiller);
    if (options_.killer_first != 0) {
      hints.AddEarly(move);
    } else {
      hints.AddLate(move);
    }
  };
  if (options_.killer_context != 0) {
    add(killers_.Find(ContextKillers::kContext, ply, path, form));
  }
  for (int brother = 0; brother < options_.killer_brother; ++brother) {
    add(killers_.Find(ContextKillers::kBrother, ply, path, form, brother));
  }
  if (options_.killer_premove != 0) {
    add(killers_.Find(ContextKillers::kPremove, ply, path, form));
  }
  if (options_.killer_pass != 0) add(killers_.Find(ContextKillers::kPass, ply, path, form));
}

template <Game G>
void Search<G>::Impl::TeachKillers(int ply, Move best) {
  if (options_.killer_brother + options_.killer_pass + options_.killer_premove +
          options_.killer_context ==
      0) {
    return;
  }
  const auto form = static_cast<ContextKillers::Form>(options_.killer_context);
  if (killers_.OnNodeDone(ply, PathTo(ply), form, best) > 0) Fire(Technique::kKillerKept);
}

template <Game G>
bool Search<G>::Impl::IsKiller(int ply, Move move) const {
  const auto form = static_cast<ContextKillers::Form>(options_.killer_context);
  const ContextKillers::Path path = PathTo(ply);
  return (options_.killer_context != 0 &&
          killers_.Find(ContextKillers::kContext, ply, path, form) == move) ||
         (options_.killer_brother != 0 &&
          killers_.Find(ContextKillers::kBrother, ply, path, form) == move) ||
         (options_.killer_premove != 0 &&
          killers_.Find(ContextKillers::kPremove, ply, path, form) == move) ||
         (options_.killer_pass != 0 &&
          killers_.Find(ContextKillers::kPass, ply, path, form) == move);
}

// What each kind has for this node, where it is legal and its option is on.
template <Game G>
typename Search<G>::Impl::KillerMoves Search<G>::Impl::LegalKillers(int ply) const {
  const auto form = static_cast<ContextKillers::Form>(options_.killer_context);
  const bool on[] = {options_.killer_brother != 0, options_.killer_pass != 0,
                     options_.killer_premove != 0, options_.killer_context != 0};
  const ContextKillers::Path path = PathTo(ply);
  KillerMoves moves{};
  for (size_t kind = 0; kind < moves.size(); ++kind) {
    if (!on[kind]) continue;
    const Move move = killers_.Find(static_cast<ContextKillers::Kind>(kind), ply, path, form);
    if (move && G::IsLegal(pos_, move)) moves[kind] = move;
  }
  return moves;
}

template <Game G>
void Search<G>::Impl::RateKillers(const Node& node, const KillerMoves& killers, Move best,
                                  bool cut) {
  const auto depth = static_cast<size_t>(std::min(node.plies(), KillerRates::kDepths - 1));
  const auto stage = static_cast<size_t>(G::StageOf(pos_));
  for (size_t kind = 0; kind < killers.size(); ++kind) {
    if (!killers[kind]) continue;
    if (kind == ContextKillers::kContext &&
        killers_.IsFalseHit(PathTo(node.ply),
                            static_cast<ContextKillers::Form>(options_.killer_context))) {
      ++rates_->false_contexts;
    }
    const bool effective = killers[kind] == best;
    for (KillerRates::Rate* rate :
         {&rates_->by_depth[kind][depth], &rates_->by_stage[kind][stage]}) {
      ++rate->legal;
      if (effective) ++(cut ? rate->cut : rate->best);
    }
    if (effective) {
      const Move last = FrameAt(node.ply - 1).move;
      ++rates_->by_category[kind][static_cast<size_t>(G::CategoryOf(pos_, best, last))];
      ++rates_->by_purpose[kind][static_cast<size_t>(G::PurposeOf(pos_, best, last))];
    }
  }
}

// The table of this search, then that of the one before where there are two.
template <Game G>
bool Search<G>::Impl::Probe(int ply, const Key& key, TtData& data) {
  if (tt_.Probe(key, data)) return true;
  if (!AsksOlder(ply) || !tt_.ProbeOlder(key, data)) return false;
  Fire(Technique::kOlderTable);
  return true;
}

// The move that either table has for the position: that of this search, else of the one before.
template <Game G>
Move Search<G>::Impl::KnownMove(int ply, const Key& key) {
  TtData data;
  if (tt_.Probe(key, data) && data.move) return data.move;
  if (!AsksOlder(ply) || !tt_.ProbeOlder(key, data)) return Move();
  Fire(Technique::kOlderTable);
  return data.move;
}

}  // namespace joseki
