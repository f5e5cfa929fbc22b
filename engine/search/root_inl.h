#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/root_mates_inl.h"
#include "engine/search/search_impl.h"

// The root: iterative deepening, the aspiration window, the root moves.
namespace joseki {
namespace search_internal {

// From this depth on an iteration uses the previous value.
inline constexpr int kAspirationDepth = 4;

}  // namespace search_internal

template <Game G>
SearchResult Search<G>::Impl::Run(const Position& position, const SearchLimits& limits,
                                  const SearchObserver& observer) {
  // 1. Reset the state: only the table, the histories and the corrections outlive a search.
  pos_ = position;
  limits_ = limits;
  start_ = Clock::now();
  nodes_ = 0;
  stopped_ = false;
  std::fill(std::begin(frames_), std::end(frames_), Frame());
  // Not with helpers, which would be using the table already.
  if (options_.table_forgets != 0 && helpers_.empty()) tt_.Clear();
  if (options_.two_tables_ponder == 0 || !papers_.tables.BeginBeside()) tt_.NewSearch();
  root_material_ = G::Material(pos_);
  root_side_ = G::SideToMove(pos_);
  credited_ = 0;
  hooks_ = papers_.Begin();
  AllotMateNodes();

  // 2. No search if the side to move can end the game.
  SearchResult result;
  if (limits.declaration && G::CanDeclareWin(pos_)) {
    result.declare = true;
    result.value = MateIn(1);
    return result;
  }
  CollectRootMoves(limits.excluded);
  if (root_moves_.empty()) {
    result.value = limits.excluded.empty() ? MatedIn(0) : kValueZero;
    return result;
  }
  result.best = root_moves_[0].move;

  // 3. Iterative deepening. An interrupted iteration counts as far as it has finished.
  const int last_depth = limits.depth > 0 ? std::min(limits.depth, kMaxPly - 1) : kMaxPly - 1;
  std::vector<Move> line;
  thinking_.emplace(options_, limits_);
  for (int depth = first_depth_; depth <= last_depth; ++depth) {
    // At this depth the search itself has found short mates, shortest first.
    if (depth == search_internal::kDoubtDepth && MatesAtRoot(result, observer)) return result;
    doubting_ = depth >= search_internal::kDoubtDepth;
    root_depth_ = papers_.BeginIteration(depth);
    seldepth_ = 0;
    for (RootMove& root : root_moves_) {
      root.value = -kValueInfinite;
      root.nodes = 0;
    }
    const uint64_t nodes_before = nodes_;
    const size_t lines =
        std::clamp<size_t>(static_cast<size_t>(std::max(limits.lines, 1)), 1, root_moves_.size());
    Value value = result.value;
    const Value previous = result.value;
    for (root_first_ = 0; root_first_ < lines && !stopped_; ++root_first_) {
      pv_length_[0] = 0;
      const Value found = SearchWithAspiration(
          root_depth_, root_first_ == 0 ? previous : root_moves_[root_first_ - 1].value);
      // Interrupted while even the first move was below the window: nothing new is known, unless it
      // is refuted.
      const bool resolved = pv_length_[0] > 0 && root_moves_[root_first_].value > window_alpha_;
      if (root_first_ == 0) {
        value = found;
        if (resolved) {
          line.assign(pv_[0], pv_[0] + pv_length_[0]);
          result.best = line[0];
          result.value = root_moves_[0].value;
        }
      }
      if (stopped_) break;
      if (root_first_ == 0) {
        result.value = value;
        result.depth = depth;
        if (nodes_ > nodes_before) {
          result.best_share = static_cast<double>(root_moves_[0].nodes) /
                              static_cast<double>(nodes_ - nodes_before);
        }
      }
      if (observer) {
        root_shares_.clear();
        for (const RootMove& root : root_moves_) root_shares_.push_back({root.move, root.nodes});
        observer({.depth = depth,
                  .line = static_cast<int>(root_first_) + 1,
                  .lines = static_cast<int>(lines),
                  .seldepth = seldepth_,
                  .value = found,
                  .nodes = nodes_,
                  .elapsed_ms = ElapsedMs(),
                  .hashfull = tt_.Hashfull(),
                  .pv = root_first_ == 0
                            ? std::span<const Move>(line)
                            : std::span<const Move>(pv_[0], static_cast<size_t>(pv_length_[0])),
                  .shares = root_shares_});
      }
    }
    root_first_ = 0;
    if (stopped_) break;

    // 4. Stop before another iteration: if this depth has seen a mate to its end, or by the clock.
    if (IsMate(value) && kValueMate - std::abs(value) <= root_depth_) break;
    thinking_->Finished(result.best, value);
    if (limits.soft_ms > 0 && (root_moves_.size() == 1 || ElapsedMs() >= thinking_->SoftMs())) {
      break;
    }
    Poll();
    if (stopped_) break;
  }
  LeaveIfRefuted(result);
  result.nodes = nodes_;
  if (line.size() > 1 && line[0] == result.best) result.ponder = line[1];
  return result;
}

template <Game G>
void Search<G>::Impl::CollectRootMoves(std::span<const Move> excluded) {
  root_moves_.clear();
  auto add = [&](const typename G::MoveList& moves) {
    for (const Move move : moves) {
      if (std::find(excluded.begin(), excluded.end(), move) == excluded.end()) {
        root_moves_.push_back({.move = move, .bonus = G::FirstMoveBonus(evaluator_, pos_, move)});
        hooks_.value = hooks_.value || root_moves_.back().bonus != 0;
      }
    }
  };
  typename G::MoveList moves;
  G::template Generate<GenType::kSearch>(pos_, moves);
  add(moves);
  if (!root_moves_.empty()) return;
  // Pointless moves count only where all others are excluded.
  moves.Clear();
  G::template Generate<GenType::kAll>(pos_, moves);
  add(moves);
}

// One iteration: a narrow window around the previous value, opened on the side on which it fails.
template <Game G>
Value Search<G>::Impl::SearchWithAspiration(int depth, Value previous) {
  using namespace search_internal;
  Value delta = std::max(options_.aspiration, 1);
  Value alpha = -kValueInfinite;
  Value beta = kValueInfinite;
  if (options_.aspiration > 0 && depth >= kAspirationDepth &&
      std::abs(previous) < kValueRepetitionWin) {
    alpha = std::max(previous - delta, -kValueInfinite);
    beta = std::min(previous + delta, kValueInfinite);
  }
  while (true) {
    window_alpha_ = alpha;
    const Value value = SearchRoot(depth, alpha, beta);
    SortRootMoves();
    if (stopped_) return value;
    if (value <= alpha && alpha > -kValueInfinite) {
      beta = (alpha + beta) / 2;
      alpha = std::max(value - delta, -kValueInfinite);
    } else if (value >= beta && beta < kValueInfinite) {
      beta = std::min(value + delta, kValueInfinite);
    } else {
      return value;
    }
    delta *= 2;
    if (delta > 1000) {
      alpha = -kValueInfinite;
      beta = kValueInfinite;
    }
  }
}

template <Game G>
Value Search<G>::Impl::SearchRoot(int depth, Value alpha, Value beta) {
  FrameAt(0).key = G::KeyOf(pos_);
  FrameAt(0).depends = search_internal::kIndependent;
  if (hooks_.order && root_first_ == 0) papers_.regrets.OrderRoot(depth);
  // Order of the first iteration: the table's move of an earlier search, then moves played in
  // similar positions, then the other quiet moves.
  if (depth == 1 && root_first_ == 0) {
    if (hooks_.order) papers_.order.OrderRoot();
    const Move remembered = KnownMove(0, FrameAt(0).key);
    const auto known = std::find_if(root_moves_.begin(), root_moves_.end(),
                                    [&](const RootMove& r) { return r.move == remembered; });
    if (known != root_moves_.end()) std::rotate(root_moves_.begin(), known, known + 1);
  }

  Node node{.ply = 0, .depth = depth * kPly, .pv = true};
  node.in_check = G::InCheck(pos_);
  FrameAt(0).eval = node.eval = node.in_check ? kValueNone : Corrected(evaluator_.Evaluate(pos_));
  if (hooks_.value) papers_.bonuses.Ask(0);
  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  Value best_bonus = 0;
  bool any_bonus = false;
  bool others_known = false;  // a test showed the other moves to be below alpha
  for (size_t i = 0; root_first_ + i < root_moves_.size(); ++i) {
    if (options_.score_drop_moves > 0 && i > 0 && root_first_ == 0 &&
        thinking_->EndsAfterMove(ElapsedMs(), best)) {
      stopped_ = true;
      return best;
    }
    RootMove& root = root_moves_[root_first_ + i];
    Candidate candidate{.move = root.move, .index = static_cast<int>(i)};
    candidate.quiet = !MovePicker<G>::IsTactical(pos_, root.move);
    if (candidate.quiet) candidate.history = HistoryOf(0, root.move);
    if (hooks_.extend && candidate.index < options_.half_ply_moves && depth > 1) {
      candidate.extension = options_.half_ply;
    }
    any_bonus = any_bonus || root.bonus != 0;
    const uint64_t nodes_before = nodes_;
    const int depends = FrameAt(0).depends;
    Value value = kValueZero;
    if (root.mated_in == 0) {
      value = hooks_.value ? papers_.bonuses.template SearchMove<true>(node, candidate, alpha, beta,
                                                                       root.bonus)
                           : SearchMove<true>(node, candidate, alpha, beta);
      // Look for a long mate by the other side before the move is believed.
      if ((i == 0 || value > alpha) && !IsMate(value)) LookForRefutation(root);
    }
    if (root.mated_in > 0) {
      value = MatedIn(root.mated_in);
      pv_length_[1] = 1;
      FrameAt(0).depends = depends;
    } else if (hooks_.extend && value > alpha && !stopped_) {
      value = papers_.extensions.SearchRootAgain(node, candidate, value, alpha, beta, root.bonus,
                                                 others_known);
    }
    root.nodes += nodes_ - nodes_before;
    if (stopped_) return best;
    // A move that does not raise alpha has only a bound, so it keeps its place behind the others.
    root.value = i == 0 || value > alpha ? value : -kValueInfinite;
    if (value <= best) continue;
    best = value;
    best_bonus = std::abs(value) >= search_internal::kValueRepetitionWin ? 0 : root.bonus;
    if (i == 0 || value > alpha) RecordPv(0, root.move);
    alpha = std::max(alpha, value);
    if (value >= beta || others_known) break;
  }
  if (limits_.excluded.empty() && root_first_ == 0 && best > old_alpha && FrameAt(0).depends >= 0) {
    // Without the bonuses of first moves another move may be better; the table stores the
    // position's own value.
    tt_.Store(FrameAt(0).key, {.move = pv_[0][0],
                               .value = ToTable(best - best_bonus, 0),
                               .depth = depth,
                               .bound = best >= beta || any_bonus ? Bound::kLower : Bound::kExact});
  }
  return best;
}

// Stable insertion sort, as most values are equal (minus infinity).
template <Game G>
void Search<G>::Impl::SortRootMoves() {
  for (size_t i = root_first_ + 1; i < root_moves_.size(); ++i) {
    const RootMove root = root_moves_[i];
    size_t j = i;
    for (; j > root_first_ && root_moves_[j - 1].value < root.value; --j)
      root_moves_[j] = root_moves_[j - 1];
    root_moves_[j] = root;
  }
}

}  // namespace joseki
