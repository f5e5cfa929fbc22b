#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "engine/search/papers/killers.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
void Search<G>::Papers::Killers::SetOptions() {
  table_.UseStrength(tree_.options_.killer_replacement != 0);
}

template <Game G>
void Search<G>::Papers::Killers::Count(bool counts) {
  rates_ = counts ? std::make_unique<KillerRates>() : nullptr;
  table_.KeepContexts(counts);
}

template <Game G>
bool Search<G>::Papers::Killers::UsesAny() const {
  const SearchOptions& o = tree_.options_;
  return o.killer_brother + o.killer_pass + o.killer_premove + o.killer_context > 0;
}

// The code of a frame's move: by piece and square, and by KillerPromotion with whether it promotes.
template <Game G>
uint32_t Search<G>::Papers::Killers::CodeOf(const Frame& frame) const {
  constexpr uint32_t kPromotions = History<G>::kCodes;
  static_assert(kPromotions + G::kPieceCount * G::kSquareCount <= ContextKillers::kCodes);
  if (tree_.options_.killer_promotion == 0 || !frame.move.promotes()) return frame.code;
  return kPromotions + static_cast<uint32_t>(frame.piece * G::kSquareCount + frame.move.to());
}

template <Game G>
ContextKillers::Path Search<G>::Papers::Killers::PathTo(int ply) const {
  ContextKillers::Path path;
  const int known = std::min(ContextKillers::kMostMoves, ply + search_internal::Stack::kBefore);
  for (int back = 0; back < known; ++back) {
    path.code[back] = CodeOf(tree_.stack_[ply - 1 - back]);
  }
  path.passed = ply > 0 && !tree_.stack_[ply - 1].move;
  return path;
}

template <Game G>
void Search<G>::Papers::Killers::AddHints(int ply, MoveHints& hints) {
  if (tree_.options_.killer_main != 0) AddAll(ply, hints);
}

template <Game G>
void Search<G>::Papers::Killers::AddQuiescenceHints(int ply, int qply, MoveHints& hints) {
  if (qply >= tree_.options_.killer_quiescence) return;
  AddAll(ply, hints);
  for (int i = 0; i < hints.late_count; ++i) hints.AddEarly(hints.late[i]);
}

template <Game G>
void Search<G>::Papers::Killers::AddAll(int ply, MoveHints& hints) {
  const SearchOptions& o = tree_.options_;
  hints.table_waits = o.killer_first == 2;
  const ContextKillers::Path path = PathTo(ply);
  const auto add = [&](Move move) {
    if (!move) return;
    tree_.Fire(Technique::kKiller);
    if (o.killer_first != 0) {
      hints.AddEarly(move);
    } else {
      hints.AddLate(move);
    }
  };
  if (o.killer_context != 0) {
    add(table_.Find(ContextKillers::kContext, ply, path, form()));
  }
  for (int brother = 0; brother < o.killer_brother; ++brother) {
    add(table_.Find(ContextKillers::kBrother, ply, path, form(), brother));
  }
  if (o.killer_premove != 0) add(table_.Find(ContextKillers::kPremove, ply, path, form()));
  if (o.killer_pass != 0) add(table_.Find(ContextKillers::kPass, ply, path, form()));
}

template <Game G>
void Search<G>::Papers::Killers::BeforeMoves(const Node& node) {
  if (rates_ != nullptr) legal_[node.ply] = Legal(node.ply);
}

template <Game G>
void Search<G>::Papers::Killers::OnNodeDone(const Node& node, Move best, bool cut) {
  if (rates_ != nullptr) Rate(node, best, cut);
  if (best) Teach(node.ply, best);
}

template <Game G>
void Search<G>::Papers::Killers::OnQuiescenceDone(int ply, Move best) {
  if (tree_.options_.killer_learn_quiescence != 0) Teach(ply, best);
}

template <Game G>
void Search<G>::Papers::Killers::Teach(int ply, Move best) {
  if (!UsesAny()) return;
  if (table_.OnNodeDone(ply, PathTo(ply), form(), best) > 0) {
    tree_.Fire(Technique::kKillerKept);
  }
}

template <Game G>
bool Search<G>::Papers::Killers::Has(int ply, Move move) const {
  const SearchOptions& o = tree_.options_;
  const ContextKillers::Path path = PathTo(ply);
  const auto is = [&](ContextKillers::Kind kind) {
    return table_.Find(kind, ply, path, form()) == move;
  };
  return (o.killer_context != 0 && is(ContextKillers::kContext)) ||
         (o.killer_brother != 0 && is(ContextKillers::kBrother)) ||
         (o.killer_premove != 0 && is(ContextKillers::kPremove)) ||
         (o.killer_pass != 0 && is(ContextKillers::kPass));
}

// The move of each kind for this node, where it is legal and its option is on.
template <Game G>
typename Search<G>::Papers::Killers::Moves Search<G>::Papers::Killers::Legal(int ply) const {
  const SearchOptions& o = tree_.options_;
  const bool on[] = {o.killer_brother != 0, o.killer_pass != 0, o.killer_premove != 0,
                     o.killer_context != 0};
  const ContextKillers::Path path = PathTo(ply);
  Moves moves{};
  for (size_t kind = 0; kind < moves.size(); ++kind) {
    if (!on[kind]) continue;
    const Move move = table_.Find(static_cast<ContextKillers::Kind>(kind), ply, path, form());
    if (move && G::IsLegal(tree_.pos_, move)) moves[kind] = move;
  }
  return moves;
}

// Counts the killers that BeforeMoves has found as right or wrong.
template <Game G>
void Search<G>::Papers::Killers::Rate(const Node& node, Move best, bool cut) {
  const Moves& legal = legal_[node.ply];
  const Position& pos = tree_.pos_;
  const auto depth = static_cast<size_t>(std::min(node.plies(), KillerRates::kDepths - 1));
  const auto stage = static_cast<size_t>(G::StageOf(pos));
  for (size_t kind = 0; kind < legal.size(); ++kind) {
    if (!legal[kind]) continue;
    if (kind == ContextKillers::kContext && table_.IsFalseHit(PathTo(node.ply), form())) {
      ++rates_->false_contexts;
    }
    const bool effective = legal[kind] == best;
    for (KillerRates::Rate* rate :
         {&rates_->by_depth[kind][depth], &rates_->by_stage[kind][stage]}) {
      ++rate->legal;
      if (effective) ++(cut ? rate->cut : rate->best);
    }
    if (effective) {
      const Move last = tree_.stack_[node.ply - 1].move;
      ++rates_->by_category[kind][static_cast<size_t>(G::CategoryOf(pos, best, last))];
      ++rates_->by_purpose[kind][static_cast<size_t>(G::PurposeOf(pos, best, last))];
    }
  }
}

}  // namespace joseki
