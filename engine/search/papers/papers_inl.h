#pragma once

#include "engine/search/papers/bonuses_inl.h"
#include "engine/search/papers/cuts_inl.h"
#include "engine/search/papers/edge_attack_inl.h"
#include "engine/search/papers/extensions_inl.h"
#include "engine/search/papers/killers_inl.h"
#include "engine/search/papers/mates_inl.h"
#include "engine/search/papers/null_quiescence_inl.h"
#include "engine/search/papers/order_inl.h"
#include "engine/search/papers/passes_inl.h"
#include "engine/search/papers/regrets_inl.h"
#include "engine/search/papers/singular_inl.h"
#include "engine/search/papers/tables_inl.h"
#include "engine/search/tree.h"

// Events of a search that several techniques follow: options, beginnings, iterations, moves.
namespace joseki {

template <Game G>
Search<G>::Papers::Papers(Tree& tree)
    : killers(tree),
      regrets(tree),
      order(tree),
      mates(tree),
      passes(tree),
      cuts(tree),
      singular(tree),
      edge_attack(tree),
      extensions(tree),
      bonuses(tree),
      tables(tree),
      null_quiescence(tree) {}

template <Game G>
void Search<G>::Papers::SetOptions() {
  killers.SetOptions();
  order.SetOptions();
  mates.SetOptions();
  singular.SetOptions();
}

template <Game G>
void Search<G>::Papers::Forget() {
  killers.Forget();
  order.Forget();
  mates.Forget();
  singular.Forget();
  tables.Forget();
}

template <Game G>
void Search<G>::Papers::ShareBooksOf(const Papers& other) {
  bonuses.SetFavours(other.bonuses.favours());
  order.SetAlike(other.order.alike());
}

template <Game G>
PaperHooks Search<G>::Papers::Begin() {
  regrets.Begin();
  edge_attack.Begin();
  mates.Begin();
  return {
      .order = killers.InUse() || regrets.InUse() || order.InUse() || edge_attack.InUse(),
      .cut = mates.InUse() || passes.InUse() || cuts.InUse() || null_quiescence.InUse(),
      .extend =
          singular.InUse() || edge_attack.InUse() || extensions.InUse() || passes.AreCounted(),
      .value = bonuses.InUse(),
      .table = tables.InUse() || null_quiescence.InUse(),
  };
}

template <Game G>
int Search<G>::Papers::BeginIteration(int iteration) {
  singular.BeginIteration();
  return null_quiescence.BeginIteration(iteration);
}

template <Game G>
void Search<G>::Papers::OnPlay(int ply, Move move) {
  extensions.OnPlay(ply, move);
  edge_attack.OnPlay(ply, move);
  passes.OnPlay(ply);
}

template <Game G>
void Search<G>::Papers::OnPass(int ply) {
  extensions.OnPass(ply);
  edge_attack.OnPass(ply);
  passes.OnPass(ply);
}

}  // namespace joseki
