#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/search/papers/null_quiescence_schedule.h"
#include "engine/search/search_impl.h"

// A search as the papers' techniques see it: its options, its beginning, its iterations.
namespace joseki {

template <Game G>
void Search<G>::Papers::SetOptions() {
  verdicts_ = options().mate_nodes > 0 ? std::make_unique<MateVerdicts>() : nullptr;
  alone_ = options().singular_memory != 0 ? std::make_unique<SingularMemory>() : nullptr;
  butterflies_ = options().order_butterflies != 0
                     ? std::make_unique<Butterflies>(History<G>::kCodes)
                     : nullptr;
  killers_.UseStrength(options().killer_replacement != 0);
}

template <Game G>
void Search<G>::Papers::Forget() {
  killers_.Clear();
  guessed_.reset();
  if (verdicts_ != nullptr) verdicts_->Clear();
  if (alone_ != nullptr) alone_->Clear();
  if (butterflies_ != nullptr) butterflies_->Clear();
}

template <Game G>
void Search<G>::Papers::CountKillers(bool counts) {
  rates_ = counts ? std::make_unique<KillerRates>() : nullptr;
  killers_.KeepContexts(counts);
}

template <Game G>
void Search<G>::Papers::ShareBooksOf(const Papers& other) {
  favours_ = other.favours_;
  alike_ = other.alike_;
}

// Finds the hooks that the options of this search, and what its root is like, hang something on.
template <Game G>
PaperHooks Search<G>::Papers::Begin() {
  const SearchOptions& o = options();
  std::fill(std::begin(frames_), std::end(frames_), PaperFrame());
  by_material_ = false;
  passed_depth_ = 0;
  edge_attack_ = o.edge_attack == 2 || (o.edge_attack == 1 && G::IsRipeForEdgeAttack(search_.pos_));
  if (o.mate_nodes > 0) {
    search_.MakeMateFinder().Use(o.mate_plies, static_cast<unsigned>(o.mate_cuts));
  }
  return {
      .order = UsesKillers() || o.order_groups != 0 || edge_attack_ || alike_ != nullptr ||
               o.regret_moves > 1 || o.iid > 0 || rates_ != nullptr || butterflies_ != nullptr,
      .cut = o.razoring > 0 || o.probcut > 0 || PassesOtherwise() || o.null_recursion > 0 ||
             o.hand_repetition != 0 || o.mate_in_one != 0 || o.mate_nodes > 0 ||
             o.history_pruning > 0 || o.futility > 1 || o.no_deep_sacrifice != 0 ||
             o.order_groups == 2 || o.null_quiescence > 0,
      .extend = o.check_extension == 2 || o.singular_memory != 0 || o.singular_classic != 0 ||
                o.recapture > 0 || o.king_threat > 0 || o.piece_escape > 0 || o.forced_move > 0 ||
                o.half_ply > 0 || o.half_ply_perfect != 0 || o.horizon_sacrifice != 0 ||
                o.realization != 0 || edge_attack_ || o.killer_unreduced != 0 ||
                o.quiescence_checks > 0 || o.null_recursion > 0,
      .value = favours_ != nullptr,
      .table = o.two_tables != 0 || o.null_quiescence > 0 ||
               o.table_replacement == static_cast<int>(Replacement::kBigAll),
  };
}

template <Game G>
int Search<G>::Papers::BeginIteration(int iteration) {
  const SearchOptions& o = options();
  if (alone_ != nullptr) alone_->BeginIteration();
  const auto [plies, null_plies] = PhaseOf(o.null_quiescence_schedule, iteration, o.null_quiescence,
                                           o.null_quiescence_full_width);
  null_plies_ = null_plies;
  phase_before_ = std::exchange(
      phase_, search_internal::kPhaseKey * static_cast<uint64_t>(o.null_quiescence - null_plies));
  return plies;
}

}  // namespace joseki
