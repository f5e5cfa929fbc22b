#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <vector>

#include "engine/search/history.h"
#include "engine/search/move_picker.h"
#include "engine/search/reductions.h"
#include "engine/search/search.h"
#include "engine/search/tt.h"

// The body of Search<G>. Included by the one file per game that instantiates it.
//
// Below Run nothing allocates, locks, throws or calls through a pointer; what each node needs lies
// in frames_ or on the stack. A node is one Do.
namespace joseki {
namespace search_internal {

// A perpetual check is won or lost only when the game gets there: near a mate, but not one.
inline constexpr Value kValueRepetitionWin = kValueMateInMaxPly - 1;

// Pieces gained for nothing, which can be done again: above every evaluation, below what is forced.
inline constexpr Value kValueHandGain = 25000;

// Frame::depends of a value that holds whatever led to its position.
inline constexpr int kIndependent = kMaxPly + 1;

// Chosen by play at 300 to 2,000 nodes a move.
inline constexpr int kAspirationDepth = 4;  // from here on an iteration trusts the one before
inline constexpr Value kAspirationDelta = 40;
inline constexpr int kNullDepth = 3;
inline constexpr int kMateDepth =
    2;  // mate searches are made up to this many plies from the leaves
inline constexpr int kReductionDepth = 3;
inline constexpr int kReductionIndex = 3;  // moves of a node that are never reduced
inline constexpr Value kDeltaMargin = 150;

inline constexpr Reductions kReductions;

}  // namespace search_internal

template <Game G>
class Search<G>::Impl {
 public:
  using Position = typename G::Position;

  explicit Impl(size_t tt_bytes) : tt_(tt_bytes) { history_.Clear(); }

  void NewGame() {
    tt_.Clear();
    history_.Clear();
  }
  void ResizeTable(size_t tt_bytes) {
    tt_.Resize(tt_bytes);
    history_.Clear();
  }

  SearchResult Run(const Position& position, const SearchLimits& limits,
                   const SearchObserver& observer);

  void Stop() { stop_requested_.store(true, std::memory_order_relaxed); }
  void ClearStop() { stop_requested_.store(false, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  // What a node shares with its parent and children.
  struct Frame {
    Key key;
    Move move;      // being searched here; Move() for a pass
    int piece = 0;  // that makes it
    Move killers[2];
    // The least ply on whose position the value rests because of a repetition; kIndependent if
    // none.
    int depends = 0;
  };
  struct RootMove {
    Move move;
    Value value = -kValueInfinite;
  };

  void CollectRootMoves(std::span<const Move> excluded);
  Value SearchWithAspiration(int depth, Value previous);
  Value SearchRoot(int depth, Value alpha, Value beta);
  template <bool kPv>
  Value SearchNode(int ply, int depth, Value alpha, Value beta);
  template <bool kPv>
  Value SearchMove(Move move, int ply, int depth, int index, bool quiet, Value alpha, Value beta);
  Value Quiesce(int ply, Value alpha, Value beta);

  bool EndsHere(int ply, Value& value);
  Value RepetitionValue(int ply, Repetition repetition);
  bool TryNullMove(int ply, int depth, Value beta, Value eval, Value& value);
  bool FindsMate(int ply, int depth, Value eval, Value& value);
  void RewardQuiet(int ply, int depth, Move best, const Move* tried, int tried_count);
  void RecordPv(int ply, Move move);
  void SortRootMoves();

  bool CountNode();
  void Poll();
  int64_t ElapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
  }
  Frame& FrameAt(int ply) { return frames_[ply + 1]; }  // so that the root has a parent

  TranspositionTable tt_;
  std::unique_ptr<typename G::MateFinder> mates_;  // made when it is first wanted
  History<G> history_;
  std::atomic<bool> stop_requested_{false};

  // Of the present Run.
  Position pos_;
  SearchLimits limits_;
  Clock::time_point start_;
  uint64_t nodes_ = 0;
  bool stopped_ = false;
  int root_depth_ = 0;
  int seldepth_ = 0;
  Value window_alpha_ = -kValueInfinite;  // of the root search that ran last
  std::vector<RootMove> root_moves_;
  Frame frames_[kMaxPly + 2];
  Move pv_[kMaxPly + 1][kMaxPly + 1];
  int pv_length_[kMaxPly + 1] = {};
};

// ---- The root
// --------------------------------------------------------------------------------------

template <Game G>
SearchResult Search<G>::Impl::Run(const Position& position, const SearchLimits& limits,
                                  const SearchObserver& observer) {
  // 1. A clean state: only the table and the histories outlive a search.
  pos_ = position;
  limits_ = limits;
  start_ = Clock::now();
  nodes_ = 0;
  stopped_ = false;
  std::fill(std::begin(frames_), std::end(frames_), Frame());
  tt_.NewSearch();

  // 2. A game that the side to move can end needs no search.
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

  // 3. Iterative deepening. An iteration that is broken off counts for what it has finished.
  const int last_depth = limits.depth > 0 ? std::min(limits.depth, kMaxPly - 1) : kMaxPly - 1;
  std::vector<Move> line;
  for (int depth = 1; depth <= last_depth; ++depth) {
    root_depth_ = depth;
    seldepth_ = 0;
    for (RootMove& root : root_moves_) root.value = -kValueInfinite;
    pv_length_[0] = 0;
    const Value value = SearchWithAspiration(depth, result.value);
    // Broken off while even the first move fell below the window: nothing new is known.
    const bool resolved = pv_length_[0] > 0 && root_moves_[0].value > window_alpha_;
    if (resolved) {
      line.assign(pv_[0], pv_[0] + pv_length_[0]);
      result.best = line[0];
      result.value = root_moves_[0].value;
    }
    if (stopped_) break;
    result.value = value;
    result.depth = depth;
    if (observer) {
      observer({.depth = depth,
                .seldepth = seldepth_,
                .value = value,
                .nodes = nodes_,
                .elapsed_ms = ElapsedMs(),
                .hashfull = tt_.Hashfull(),
                .pv = line});
    }

    // 4. Reasons not to begin another iteration: a mate that this depth has seen to its end; the
    // clock.
    if (IsMate(value) && kValueMate - std::abs(value) <= depth) break;
    if (limits.soft_ms > 0 && (root_moves_.size() == 1 || ElapsedMs() >= limits.soft_ms)) break;
    Poll();
    if (stopped_) break;
  }
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
        root_moves_.push_back({move});
      }
    }
  };
  typename G::MoveList moves;
  G::template Generate<GenType::kSearch>(pos_, moves);
  add(moves);
  if (!root_moves_.empty()) return;
  // Pointless moves are better than none: they count where the others are excluded.
  moves.Clear();
  G::template Generate<GenType::kAll>(pos_, moves);
  add(moves);
}

// One iteration: first with a narrow window around the value of the one before, opened on the side
// where the value falls out.
template <Game G>
Value Search<G>::Impl::SearchWithAspiration(int depth, Value previous) {
  using namespace search_internal;
  Value delta = kAspirationDelta;
  Value alpha = -kValueInfinite;
  Value beta = kValueInfinite;
  if (depth >= kAspirationDepth && std::abs(previous) < kValueRepetitionWin) {
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
  // A move that the table remembers from an earlier search goes first in the first iteration.
  if (depth == 1) {
    TtData data;
    if (tt_.Probe(FrameAt(0).key, data)) {
      const auto known = std::find_if(root_moves_.begin(), root_moves_.end(),
                                      [&](const RootMove& r) { return r.move == data.move; });
      if (known != root_moves_.end()) std::rotate(root_moves_.begin(), known, known + 1);
    }
  }

  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  for (size_t i = 0; i < root_moves_.size(); ++i) {
    RootMove& root = root_moves_[i];
    const bool quiet = !MovePicker<G>::IsTactical(pos_, root.move);
    const Value value =
        SearchMove<true>(root.move, 0, depth, static_cast<int>(i), quiet, alpha, beta);
    if (stopped_) return best;
    // A move that does not raise alpha has only a bound: it keeps its place behind the others.
    root.value = i == 0 || value > alpha ? value : -kValueInfinite;
    if (value <= best) continue;
    best = value;
    if (i == 0 || value > alpha) RecordPv(0, root.move);
    alpha = std::max(alpha, value);
    if (value >= beta) break;
  }
  if (limits_.excluded.empty() && best > old_alpha && FrameAt(0).depends >= 0) {
    tt_.Store(FrameAt(0).key, {.move = pv_[0][0],
                               .value = ToTable(best, 0),
                               .depth = depth,
                               .bound = best >= beta ? Bound::kLower : Bound::kExact});
  }
  return best;
}

// Insertion sort, stable: most values are equal, at minus infinity.
template <Game G>
void Search<G>::Impl::SortRootMoves() {
  for (size_t i = 1; i < root_moves_.size(); ++i) {
    const RootMove root = root_moves_[i];
    size_t j = i;
    for (; j > 0 && root_moves_[j - 1].value < root.value; --j) root_moves_[j] = root_moves_[j - 1];
    root_moves_[j] = root;
  }
}

// ---- Inside the tree
// -------------------------------------------------------------------------------

// The value of the position for the side to move, between alpha and beta exactly, outside as a
// bound.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::SearchNode(int ply, int depth, Value alpha, Value beta) {
  using namespace search_internal;
  assert(alpha < beta && (kPv || alpha + 1 == beta));
  if (depth <= 0) return Quiesce(ply, alpha, beta);

  // 1. Ends of the game, and of the tree.
  Frame& frame = FrameAt(ply);
  frame.key = G::KeyOf(pos_);
  frame.depends = kIndependent;
  pv_length_[ply] = ply;
  seldepth_ = std::max(seldepth_, ply);
  if (Value value; EndsHere(ply, value)) return value;

  // 2. Mate-distance pruning: no line from here is better than one that mates sooner elsewhere.
  alpha = std::max(alpha, MatedIn(ply));
  beta = std::min(beta, MateIn(ply + 1));
  if (alpha >= beta) return alpha;

  // 3. The table. A principal variation is searched all the same, so that it has moves to show.
  TtData known;
  const bool hit = tt_.Probe(frame.key, known);
  if (hit) {
    const Value value = FromTable(known.value, ply);
    const Bound enough = value >= beta ? Bound::kLower : Bound::kUpper;
    if (!kPv && known.depth >= depth &&
        (static_cast<int>(known.bound) & static_cast<int>(enough)) != 0) {
      return value;
    }
  }

  // 4. Static evaluation; in check it would say nothing.
  const bool in_check = G::InCheck(pos_);
  const Value eval = in_check                          ? kValueNone
                     : hit && known.eval != kValueNone ? known.eval
                                                       : G::Evaluate(pos_);

  // Off the plain path: near the horizon, a mate by checks alone.
  if (limits_.mate_nodes > 0 && depth <= kMateDepth && ply > 0) {
    if (Value value; FindsMate(ply, depth, eval, value)) return value;
    if (stopped_) return kValueZero;
  }

  // 5. Null move: a side that stands well even after passing will hardly fall below beta.
  if (Value value; !kPv && !in_check && depth >= kNullDepth && eval >= beta &&
                   TryNullMove(ply, depth, beta, eval, value)) {
    return value;
  }
  if (stopped_) return kValueZero;

  // 6. All moves, best first.
  const Frame& parent = FrameAt(ply - 1);
  QuietHints hints{{frame.killers[0], frame.killers[1]}, Move()};
  if (parent.move) hints.counter = history_.Counter(parent.piece, parent.move);
  FrameAt(ply + 1).killers[0] = FrameAt(ply + 1).killers[1] = Move();
  MovePicker<G> picker(pos_, history_, known.move, hints);
  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  Move best_move;
  Move quiets[32];  // tried without success; more than these are not worth remembering
  int quiet_count = 0;
  int index = 0;
  for (Move move = picker.Next(); move; move = picker.Next(), ++index) {
    const bool quiet = !MovePicker<G>::IsTactical(pos_, move);
    const Value value = SearchMove<kPv>(move, ply, depth, index, quiet, alpha, beta);
    if (stopped_) return kValueZero;
    if (value > best) {
      best = value;
      frame.depends = FrameAt(ply + 1).depends;
      if (value > alpha) {
        best_move = move;
        if (kPv) RecordPv(ply, move);
        if (value >= beta) break;
        alpha = value;
      }
    }
    if (quiet && quiet_count < static_cast<int>(std::size(quiets))) quiets[quiet_count++] = move;
  }

  // 7. No legal move loses: mated, or with nothing that can move.
  if (best == -kValueInfinite) return MatedIn(ply);

  // 8. A quiet move that refutes is a good guess elsewhere.
  if (best >= beta && !MovePicker<G>::IsTactical(pos_, best_move)) {
    RewardQuiet(ply, depth, best_move, quiets, quiet_count);
  }

  // 9. Remember, unless the value rests on a position before this one: it holds for this path
  // alone.
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta              ? Bound::kLower
                        : kPv && best > old_alpha ? Bound::kExact
                                                  : Bound::kUpper;
    tt_.Store(frame.key, {.move = best_move,
                          .value = ToTable(best, ply),
                          .eval = eval,
                          .depth = depth,
                          .bound = bound});
  }
  return best;
}

// Plays `move`, the index-th of its node, and returns its value for the side that plays it.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::SearchMove(Move move, int ply, int depth, int index, bool quiet, Value alpha,
                                  Value beta) {
  using namespace search_internal;
  if (!CountNode()) return kValueZero;
  Frame& frame = FrameAt(ply);
  frame.move = move;
  frame.piece = G::MovedPiece(pos_, move);
  const bool was_in_check = G::InCheck(pos_);
  const int history = quiet ? history_.Quiet(frame.piece, move) : 0;
  typename G::Undo undo;
  G::Do(pos_, move, undo);
  tt_.Prefetch(G::KeyOf(pos_));

  // 1. Check extension, as long as the line has not outgrown its iteration.
  const bool gives_check = G::InCheck(pos_);
  const int child_depth = depth - 1 + (gives_check && ply < 2 * root_depth_ ? 1 : 0);

  // 2. Late move reduction: a quiet move that the ordering puts far behind is first searched less
  // deep, the less so the better its history.
  int reduction = 0;
  if (depth >= kReductionDepth && index >= kReductionIndex && quiet && !gives_check &&
      !was_in_check) {
    reduction = kReductions(depth, index) - (kPv ? 1 : 0) - history / (History<G>::kMax / 2);
    reduction = std::clamp(reduction, 0, child_depth - 1);
  }

  // 3. Principal variation search: all but the first move need only be shown to be no better.
  Value value = kValueZero;
  const bool first = index == 0;
  if (!kPv || !first) {
    value = -SearchNode<false>(ply + 1, child_depth - reduction, -alpha - 1, -alpha);
    if (value > alpha && reduction > 0 && !stopped_) {
      value = -SearchNode<false>(ply + 1, child_depth, -alpha - 1, -alpha);
    }
  }
  if (kPv && (first || value > alpha) && !stopped_) {
    value = -SearchNode<true>(ply + 1, child_depth, -beta, -alpha);
  }
  G::TakeBack(pos_, move, undo);
  if (ply == 0 && (first || value > alpha)) frame.depends = FrameAt(1).depends;
  return value;
}

// Captures and promotions only, until the position is quiet; in check, every evasion.
template <Game G>
Value Search<G>::Impl::Quiesce(int ply, Value alpha, Value beta) {
  using namespace search_internal;

  // 1. Ends of the game, and of the tree.
  Frame& frame = FrameAt(ply);
  frame.key = G::KeyOf(pos_);
  frame.depends = kIndependent;
  pv_length_[ply] = ply;
  seldepth_ = std::max(seldepth_, ply);
  if (Value value; EndsHere(ply, value)) return value;

  // 2. The table: any search is deeper than this one.
  const bool in_pv = alpha + 1 < beta;
  TtData known;
  const bool hit = tt_.Probe(frame.key, known);
  if (hit && !in_pv) {
    const Value value = FromTable(known.value, ply);
    const Bound enough = value >= beta ? Bound::kLower : Bound::kUpper;
    if ((static_cast<int>(known.bound) & static_cast<int>(enough)) != 0) return value;
  }

  // 3. Stand pat: out of check, a side need not capture.
  const bool in_check = G::InCheck(pos_);
  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  Value eval = kValueNone;
  if (!in_check) {
    eval = hit && known.eval != kValueNone ? known.eval : G::Evaluate(pos_);
    best = eval;
    if (best >= beta) {
      if (!hit) {
        tt_.Store(frame.key, {.move = Move(), .value = best, .eval = eval, .bound = Bound::kLower});
      }
      return best;
    }
    alpha = std::max(alpha, best);
  }

  // 4. Captures that could still matter: with their gain the value may reach alpha, and the
  // exchange does not lose material.
  MovePicker<G> picker(pos_, history_, known.move);
  Move best_move;
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (!in_check) {
      const Value reach = eval + G::OrderValue(pos_, move) + kDeltaMargin;
      if (reach <= alpha) {
        best = std::max(best, reach);
        continue;
      }
      if (!G::SeeAtLeast(pos_, move, 0)) continue;
    }
    if (!CountNode()) return kValueZero;
    frame.move = move;
    frame.piece = G::MovedPiece(pos_, move);
    typename G::Undo undo;
    G::Do(pos_, move, undo);
    const Value value = -Quiesce(ply + 1, -beta, -alpha);
    G::TakeBack(pos_, move, undo);
    if (stopped_) return kValueZero;
    if (value <= best) continue;
    best = value;
    frame.depends = FrameAt(ply + 1).depends;
    if (value <= alpha) continue;
    best_move = move;
    if (in_pv) RecordPv(ply, move);
    if (value >= beta) break;
    alpha = value;
  }
  if (best == -kValueInfinite) return MatedIn(ply);  // in check, and no evasion

  // 5. Remember, as in the main search.
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta                ? Bound::kLower
                        : in_pv && best > old_alpha ? Bound::kExact
                                                    : Bound::kUpper;
    tt_.Store(frame.key,
              {.move = best_move, .value = ToTable(best, ply), .eval = eval, .bound = bound});
  }
  return best;
}

// ---- Parts of a node
// -------------------------------------------------------------------------------

// Whether the rules, or the size of the tree, end the line at this node; `value` then is what it is
// worth.
template <Game G>
bool Search<G>::Impl::EndsHere(int ply, Value& value) {
  if (const Repetition r = G::CheckRepetition(pos_, ply); r != Repetition::kNone) {
    value = RepetitionValue(ply, r);
    return true;
  }
  if (limits_.hand_repetition) {
    if (const HandRepetition hands = G::CheckHands(pos_); hands.outcome != Repetition::kNone) {
      const Value gain = search_internal::kValueHandGain - ply;
      value = hands.outcome == Repetition::kWin ? gain : -gain;
      FrameAt(ply).depends = std::max(ply - hands.plies_back, -1);
      return true;
    }
  }
  if (limits_.declaration && G::CanDeclareWin(pos_)) {
    value = MateIn(ply + 1);
    return true;
  }
  if (ply >= kMaxPly - 1) {
    value = G::Evaluate(pos_);
    return true;
  }
  return false;
}

// Sets how far back the value reaches: to the same position on the path, or to before the root.
template <Game G>
Value Search<G>::Impl::RepetitionValue(int ply, Repetition repetition) {
  Frame& frame = FrameAt(ply);
  frame.depends = -1;
  for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
    if (FrameAt(earlier).key == frame.key) {
      frame.depends = earlier;
      break;
    }
  }
  switch (repetition) {
    case Repetition::kWin:
      return search_internal::kValueRepetitionWin - ply;
    case Repetition::kLoss:
      return -search_internal::kValueRepetitionWin + ply;
    default:
      return kValueZero;
  }
}

template <Game G>
bool Search<G>::Impl::TryNullMove(int ply, int depth, Value beta, Value eval, Value& value) {
  Frame& frame = FrameAt(ply);
  // Two passes in a row would only search this position again.
  if (!FrameAt(ply - 1).move || IsMate(beta)) return false;
  const int reduction = 3 + depth / 5 + std::min((eval - beta) / 300, 2);
  frame.move = Move();
  typename G::Undo undo;
  G::DoNull(pos_, undo);
  value = -SearchNode<false>(ply + 1, depth - reduction, -beta, -beta + 1);
  G::TakeBackNull(pos_, undo);
  if (stopped_ || value < beta) return false;
  frame.depends = FrameAt(ply + 1).depends;
  if (IsMate(value)) value = beta;  // a mate that rests on a pass is no mate
  return true;
}

template <Game G>
void Search<G>::Impl::RewardQuiet(int ply, int depth, Move best, const Move* tried,
                                  int tried_count) {
  Frame& frame = FrameAt(ply);
  if (frame.killers[0] != best) {
    frame.killers[1] = frame.killers[0];
    frame.killers[0] = best;
  }
  const Frame& parent = FrameAt(ply - 1);
  if (parent.move) history_.SetCounter(parent.piece, parent.move, best);
  const int bonus = 16 * depth * depth + 32 * depth;
  history_.Update(G::MovedPiece(pos_, best), best, bonus);
  for (int i = 0; i < tried_count; ++i) {
    history_.Update(G::MovedPiece(pos_, tried[i]), tried[i], -bonus);
  }
}

// Whether the mate search proves a mate here; its value then, which is kept.
template <Game G>
bool Search<G>::Impl::FindsMate(int ply, int depth, Value eval, Value& value) {
  if (mates_ == nullptr) mates_ = std::make_unique<typename G::MateFinder>();
  uint64_t most = limits_.mate_nodes;
  if (limits_.nodes != 0) most = std::min(most, limits_.nodes - nodes_);
  if (most == 0) return false;
  const MateProbe probe = mates_->Find(pos_, most);
  nodes_ += probe.nodes;
  Poll();
  // The count may have passed the place where Poll looks at the clock.
  if (limits_.hard_ms > 0 && ElapsedMs() >= limits_.hard_ms) stopped_ = true;
  if (!probe.move || ply + probe.plies >= kMaxPly) return false;
  value = MateIn(ply + probe.plies);
  pv_[ply][ply] = probe.move;
  pv_length_[ply] = ply + 1;
  tt_.Store(FrameAt(ply).key, {.move = probe.move,
                               .value = ToTable(value, ply),
                               .eval = eval,
                               .depth = depth,
                               .bound = Bound::kLower});
  return true;
}

// The line from here is `move` and the line of the child.
template <Game G>
void Search<G>::Impl::RecordPv(int ply, Move move) {
  pv_[ply][ply] = move;
  const int end = std::max(pv_length_[ply + 1], ply + 1);
  std::copy(pv_[ply + 1] + ply + 1, pv_[ply + 1] + end, pv_[ply] + ply + 1);
  pv_length_[ply] = end;
}

// False if the limit forbids one more node; the search then unwinds.
template <Game G>
bool Search<G>::Impl::CountNode() {
  if (stopped_) return false;
  if (limits_.nodes != 0 && nodes_ >= limits_.nodes) {
    stopped_ = true;
    return false;
  }
  if ((++nodes_ & 255) == 0) Poll();
  return true;
}

template <Game G>
void Search<G>::Impl::Poll() {
  if (stop_requested_.load(std::memory_order_relaxed)) stopped_ = true;
  if (limits_.hard_ms > 0 && (nodes_ & 1023) == 0 && ElapsedMs() >= limits_.hard_ms)
    stopped_ = true;
}

// ---- Search
// ----------------------------------------------------------------------------------------

template <Game G>
Search<G>::Search(size_t tt_bytes) : impl_(std::make_unique<Impl>(tt_bytes)) {}
template <Game G>
Search<G>::~Search() = default;
template <Game G>
void Search<G>::NewGame() {
  impl_->NewGame();
}
template <Game G>
void Search<G>::ResizeTable(size_t tt_bytes) {
  impl_->ResizeTable(tt_bytes);
}
template <Game G>
SearchResult Search<G>::Run(const typename G::Position& position, const SearchLimits& limits,
                            const SearchObserver& observer) {
  return impl_->Run(position, limits, observer);
}
template <Game G>
void Search<G>::Stop() {
  impl_->Stop();
}
template <Game G>
void Search<G>::ClearStop() {
  impl_->ClearStop();
}

}  // namespace joseki
