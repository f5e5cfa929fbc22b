#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/root.h"
#include "engine/search/root_mates.h"

// The root: iterations, and the moves of one. Steps state their worth as in
// engine/search/node_inl.h.
namespace joseki {
namespace search_internal {

// From this depth on an iteration uses the previous value.
inline constexpr int kAspirationDepth = 4;

}  // namespace search_internal

template <Game G>
SearchResult Search<G>::Root::Run(const Position& position, const SearchLimits& limits,
                                  const SearchObserver& observer) {
  Budget& budget = tree_.budget_;
  search_internal::RootMoves& moves = tree_.root_moves_;

  // 1. Reset the state: only the table, the histories and the corrections outlive a search. Worth
  // of the table's: node_inl.h, step 3.
  tree_.Begin(position, limits);
  mates_.Begin();
  line_.clear();
  reported_ = 0;

  // 2. No search if the side to move can end the game. No figure.
  SearchResult result;
  if (limits.declaration && G::CanDeclareWin(tree_.pos_)) {
    result.declare = true;
    result.value = MateIn(1);
    return result;
  }
  CollectMoves(limits.excluded);
  if (moves.all().empty()) {
    result.value = limits.excluded.empty() ? MatedIn(0) : kValueZero;
    return result;
  }
  result.best = moves.all()[0].move;

  // 3. Iterative deepening. An interrupted iteration counts as far as it has finished. No figure.
  const int last_depth = limits.depth > 0 ? std::min(limits.depth, kMaxPly - 1) : kMaxPly - 1;
  thinking_.emplace(tree_.options_, budget.limits());
  for (int depth = first_depth_; depth <= last_depth; ++depth) {
    if (mates_.BeginIteration(depth, observer, result)) {
      line_.assign(1, result.best);
      reported_ = result.nodes;
      return result;
    }
    const Value value = Iterate(depth, observer, result);
    if (budget.over()) break;

    // 4. Stop before another iteration: if this depth has seen a mate to its end, or by the clock.
    // No figure.
    if (IsMate(value) && kValueMate - std::abs(value) <= tree_.root_.depth) break;
    thinking_->Finished(result.best, value);
    if (limits.soft_ms > 0 &&
        (moves.all().size() == 1 || budget.ElapsedMs() >= thinking_->SoftMs())) {
      break;
    }
    tree_.Poll();
    if (budget.over()) break;
  }
  mates_.LeaveIfRefuted(result);
  result.nodes = budget.nodes();
  if (line_.size() > 1 && line_[0] == result.best) result.ponder = line_[1];
  return result;
}

template <Game G>
void Search<G>::Root::CollectMoves(std::span<const Move> excluded) {
  tree_.root_moves_.Clear();
  const auto add = [&](const typename G::MoveList& moves) {
    for (const Move move : moves) {
      if (std::find(excluded.begin(), excluded.end(), move) != excluded.end()) continue;
      const Value bonus = G::FirstMoveBonus(tree_.evaluator_, tree_.pos_, move);
      tree_.root_moves_.Add(move, bonus);
      tree_.hooks_.value = tree_.hooks_.value || bonus != 0;
    }
  };
  typename G::MoveList moves;
  G::template Generate<GenType::kSearch>(tree_.pos_, moves);
  add(moves);
  if (!tree_.root_moves_.all().empty()) return;
  // Pointless moves count only where all others are excluded.
  moves.Clear();
  G::template Generate<GenType::kAll>(tree_.pos_, moves);
  add(moves);
}

// Runs an iteration: the best lines, each without the first moves of those before. Returns the
// value of the first.
template <Game G>
Value Search<G>::Root::Iterate(int depth, const SearchObserver& observer, SearchResult& result) {
  Budget& budget = tree_.budget_;
  search_internal::RootMoves& moves = tree_.root_moves_;
  tree_.root_.depth = tree_.papers_.BeginIteration(depth);
  tree_.stack_.ResetSeldepth();
  moves.BeginIteration();
  const uint64_t nodes_before = budget.nodes();
  const size_t lines =
      std::min(static_cast<size_t>(std::max(budget.limits().lines, 1)), moves.all().size());
  Value value = result.value;
  for (size_t i = 0; i < lines && !budget.over(); ++i) {
    moves.SetFound(i);
    tree_.stack_.ClearLine(0);
    const Value found =
        SearchWithAspiration(tree_.root_.depth, i == 0 ? result.value : moves.all()[i - 1].value);
    const std::span<const Move> line = tree_.stack_.Line(0);
    const search_internal::RootMove& best = moves.all()[i];
    if (i == 0) {
      value = found;
      // Interrupted while even the first move was below the window: nothing new is known, unless it
      // is refuted.
      if (!line.empty() && best.value > window_alpha_) {
        line_.assign(line.begin(), line.end());
        result.best = line_[0];
        result.value = best.value;
      }
    }
    if (budget.over()) break;
    if (i == 0) {
      result.value = value;
      result.depth = depth;
      if (budget.nodes() > nodes_before) {
        result.best_share =
            static_cast<double>(best.nodes) / static_cast<double>(budget.nodes() - nodes_before);
      }
    }
    if (!observer) continue;
    Report(observer, {.depth = depth,
                      .lines = static_cast<int>(lines),
                      .value = found,
                      .nodes = budget.nodes()});
  }
  moves.SetFound(0);
  return value;
}

template <Game G>
void Search<G>::Root::ReportResult(const SearchObserver& observer, const SearchResult& result) {
  search_internal::RootMoves& moves = tree_.root_moves_;
  if (!observer || !result.best) return;
  const bool answers = !line_.empty() && line_.front() == result.best;
  if (answers && result.nodes == reported_) return;
  if (!answers) line_.assign(1, result.best);
  moves.SetFound(0);
  Report(observer, {.depth = std::max(result.depth, 1),
                    .finished = false,
                    .lines = std::min(std::max(tree_.budget_.limits().lines, 1),
                                      static_cast<int>(moves.all().size())),
                    .value = result.value,
                    .nodes = result.nodes});
}

template <Game G>
void Search<G>::Root::Report(const SearchObserver& observer, SearchInfo info) {
  const search_internal::RootMoves& moves = tree_.root_moves_;
  shares_.clear();
  for (const auto& root : moves.all()) shares_.push_back({root.move, root.nodes});
  info.line = static_cast<int>(moves.found()) + 1;
  info.seldepth = tree_.stack_.seldepth();
  info.elapsed_ms = tree_.budget_.ElapsedMs();
  info.hashfull = tree_.tt_.Hashfull();
  info.pv = moves.found() == 0 ? std::span<const Move>(line_) : tree_.stack_.Line(0);
  info.shares = shares_;
  observer(info);
  reported_ = info.nodes;
}

// A narrow window around the previous value, opened on the side on which it fails (Aspiration).
// No figure.
template <Game G>
Value Search<G>::Root::SearchWithAspiration(int depth, Value previous) {
  using namespace search_internal;
  Value delta = std::max(tree_.options_.aspiration, 1);
  Value alpha = -kValueInfinite;
  Value beta = kValueInfinite;
  if (tree_.options_.aspiration > 0 && depth >= kAspirationDepth &&
      std::abs(previous) < kValueRepetitionWin) {
    alpha = std::max(previous - delta, -kValueInfinite);
    beta = std::min(previous + delta, kValueInfinite);
  }
  while (true) {
    window_alpha_ = alpha;
    const Value value = SearchMoves(depth, alpha, beta);
    tree_.root_moves_.SortLeft();
    if (tree_.budget_.over()) return value;
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
Value Search<G>::Root::SearchMoves(int depth, Value alpha, Value beta) {
  using namespace search_internal;
  const SearchOptions& options = tree_.options_;
  const PaperHooks& hooks = tree_.hooks_;
  Papers& papers = tree_.papers_;
  Budget& budget = tree_.budget_;
  RootMoves& moves = tree_.root_moves_;
  Frame& frame = tree_.stack_[0];
  const bool first_line = moves.found() == 0;

  // 1. Order. In the first iteration the table's move of an earlier search comes first, then moves
  // played in similar positions, then the other quiet moves. No figure.
  frame.key = G::KeyOf(tree_.pos_);
  frame.depends = kIndependent;
  if (hooks.order && first_line) papers.regrets.OrderRoot(depth);
  if (depth == 1 && first_line) {
    if (hooks.order) papers.order.OrderRoot();
    moves.MoveToFront(tree_.KnownMove(0, frame.key));
  }

  // 2. Each move; mates that answer it are looked for before it is believed. Worth: 55.8 % +- 6.5
  // at 30,000 nodes (RootMateNodes).
  Node node{.ply = 0, .depth = depth * kPly, .pv = true};
  node.in_check = G::InCheck(tree_.pos_);
  frame.eval = node.eval =
      node.in_check ? kValueNone : tree_.lessons_.Corrected(tree_.evaluator_.Evaluate(tree_.pos_));
  if (hooks.value) papers.bonuses.Ask(0);
  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  Value best_bonus = 0;
  bool any_bonus = false;
  bool others_known = false;  // a test showed the other moves to be below alpha
  int index = 0;
  for (RootMove& root : moves.left()) {
    const bool first = index == 0;
    if (options.score_drop_moves > 0 && !first && first_line &&
        thinking_->EndsAfterMove(budget.ElapsedMs(), best)) {
      budget.End();
      return best;
    }
    Candidate candidate{.move = root.move, .index = index++};
    candidate.quiet = !MovePicker<G>::IsTactical(tree_.pos_, root.move);
    if (candidate.quiet) candidate.history = tree_.lessons_.HistoryOf(0, root.move);
    if (hooks.extend && candidate.index < options.half_ply_moves && depth > 1) {
      candidate.extension = options.half_ply;
    }
    any_bonus = any_bonus || root.bonus != 0;
    const uint64_t nodes_before = budget.nodes();
    const int depends = frame.depends;
    Value value = kValueZero;
    if (root.mated_in == 0) {
      value = hooks.value ? papers.bonuses.template SearchMove<true>(node, candidate, alpha, beta,
                                                                     root.bonus)
                          : tree_.template SearchMove<true>(node, candidate, alpha, beta);
      if ((first || value > alpha) && !IsMate(value)) mates_.LookForRefutation(root);
    }
    if (root.mated_in > 0) {
      value = MatedIn(root.mated_in);
      tree_.stack_.ClearLine(1);
      frame.depends = depends;
    } else if (hooks.extend && value > alpha && !budget.over()) {
      value = papers.extensions.SearchRootAgain(node, candidate, value, alpha, beta, root.bonus,
                                                others_known);
    }
    root.nodes += budget.nodes() - nodes_before;
    if (budget.over()) return best;
    // A move that does not raise alpha has only a bound, so it keeps its place behind the others.
    root.value = first || value > alpha ? value : -kValueInfinite;
    if (value <= best) continue;
    best = value;
    best_bonus = std::abs(value) >= kValueRepetitionWin ? 0 : root.bonus;
    if (first || value > alpha) tree_.stack_.RecordLine(0, root.move);
    alpha = std::max(alpha, value);
    if (value >= beta || others_known) break;
  }

  // 3. Store the result. Without the bonuses of first moves another move may be better; the table
  // stores the position's own value. No figure.
  if (budget.limits().excluded.empty() && first_line && best > old_alpha && frame.depends >= 0) {
    tree_.tt_.Store(frame.key,
                    {.move = tree_.stack_.Line(0)[0],
                     .value = ToTable(best - best_bonus, 0),
                     .depth = depth,
                     .bound = best >= beta || any_bonus ? Bound::kLower : Bound::kExact});
  }
  return best;
}

}  // namespace joseki
