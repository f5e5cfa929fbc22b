#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "engine/search/search_impl.h"

// Moves that a technique of the papers would try early: J. Hashimoto's killers, further regret
// moves of YSS, a partial-position book and the start of an edge attack (TACOS), internal
// deepening.
namespace joseki {

// Finds a move to begin with by searches that are less deep.
template <Game G>
template <bool kPv>
void Search<G>::Papers::FindTableMove(Node& node, Value alpha, Value beta) {
  if (options().iid == 0 || node.plies() < options().iid || node.ply == 0) return;
  if (!kPv && options().iid_form == 2) return;
  search_.Fire(Technique::kInternalDeepening);
  const bool by_plies = options().iid_form == 1;
  const int last = node.depth - (by_plies ? 1 : 2) * kPly;
  for (int depth = by_plies ? kPly : last; depth <= last && !search_.stopped_; depth += kPly) {
    search_.template SearchNode<kPv>(node.ply, depth, alpha, beta);
  }
  Frame& frame = search_.FrameAt(node.ply);
  frame.depends = search_internal::kIndependent;
  search_.pv_length_[node.ply] = node.ply;
  if (search_.stopped_) return;
  node.known.move = search_.KnownMove(node.ply, MainKey(frame.key));
}

// What is played in positions that are alike, the most frequent first; a part of `room`.
template <Game G>
std::span<const Move> Search<G>::Papers::AlikeHere(std::span<Move, MoveHints::kMaxLate> room) {
  const auto most = static_cast<size_t>(options().partial_book_moves);
  const size_t count = alike_->At(search_.pos_, room.first(most));
  if (count > 0) search_.Fire(Technique::kPartialBook);
  return room.first(count);
}

// Moves that are played in positions that are alike go before the root's other quiet moves.
template <Game G>
void Search<G>::Papers::OrderRoot() {
  if (alike_ == nullptr) return;
  Move room[MoveHints::kMaxLate];
  const std::span<const Move> moves = AlikeHere(room);
  const auto place = [&](const auto& root) {
    if (MovePicker<G>::IsTactical(search_.pos_, root.move)) return std::ptrdiff_t{0};
    return 1 + (std::find(moves.begin(), moves.end(), root.move) - moves.begin());
  };
  std::stable_sort(search_.root_moves_.begin(), search_.root_moves_.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

// RegretMoves 2: the line after the pass one move of each side further. The position is the one
// after the pass; the reply to it is legal.
template <Game G>
void Search<G>::Papers::FindFurtherRegrets(int ply) {
  PaperFrame& further = FrameAt(ply);
  std::fill(std::begin(further.regret), std::end(further.regret), Move());
  const auto [reply, answer] = search_.FrameAt(ply).regret;
  if (options().regret_moves < 2 || !answer) return;
  Position& pos = search_.pos_;
  Undo undo;
  G::Do(pos, reply, undo);
  if (G::IsLegal(pos, answer)) {
    Undo answer_undo;
    G::Do(pos, answer, answer_undo);
    further.regret[0] = search_.KnownMove(ply + 3, G::KeyOf(pos));
    if (further.regret[0] && G::IsLegal(pos, further.regret[0])) {
      further.regret[1] = search_.KnownMove(ply + 4, G::KeyAfter(pos, further.regret[0]));
    }
    G::TakeBack(pos, answer, answer_undo);
  }
  G::TakeBack(pos, reply, undo);
}

template <Game G>
bool Search<G>::Papers::UsesKillers() const {
  const SearchOptions& o = options();
  return o.killer_brother + o.killer_pass + o.killer_premove + o.killer_context > 0;
}

template <Game G>
ContextKillers::Path Search<G>::Papers::PathTo(int ply) const {
  ContextKillers::Path path;
  const int known = std::min(ContextKillers::kMostMoves, ply + kBefore);
  for (int back = 0; back < known; ++back) {
    path.code[back] = search_.FrameAt(ply - 1 - back).code;
  }
  path.passed = ply > 0 && !search_.FrameAt(ply - 1).move;
  return path;
}

// Adds killers to the hints of the main search, before its regret moves.
template <Game G>
void Search<G>::Papers::AddKillers(int ply, MoveHints& hints) {
  if (options().killer_main != 0) AddAllKillers(ply, hints);
}

template <Game G>
void Search<G>::Papers::AddAllKillers(int ply, MoveHints& hints) {
  const SearchOptions& o = options();
  hints.table_waits = o.killer_first == 2;
  const ContextKillers::Path path = PathTo(ply);
  auto add = [&](Move move) {
    if (!move) return;
    search_.Fire(Technique::kKiller);
    if (o.killer_first != 0) {
      hints.AddEarly(move);
    } else {
      hints.AddLate(move);
    }
  };
  if (o.killer_context != 0) {
    add(killers_.Find(ContextKillers::kContext, ply, path, form()));
  }
  for (int brother = 0; brother < o.killer_brother; ++brother) {
    add(killers_.Find(ContextKillers::kBrother, ply, path, form(), brother));
  }
  if (o.killer_premove != 0) add(killers_.Find(ContextKillers::kPremove, ply, path, form()));
  if (o.killer_pass != 0) add(killers_.Find(ContextKillers::kPass, ply, path, form()));
}

// Adds everything else, after the regret moves.
template <Game G>
void Search<G>::Papers::AddHints(const Node& node, MoveHints& hints) {
  const int ply = node.ply;
  if (hints.threat) {
    hints.next_threat = FrameAt(ply).regret[0];
    hints.AddLate(FrameAt(ply).regret[1]);
  }
  if (options().order_groups != 0) {
    search_.Fire(Technique::kOrderGroup);
    hints.last = search_.FrameAt(ply - 1).move;
  }
  if (edge_attack_ && G::SideToMove(search_.pos_) == search_.root_side_) {
    hints.AddLate(G::EdgeAttackStart(search_.pos_));
  }
  if (alike_ == nullptr) return;
  Move room[MoveHints::kMaxLate];
  for (const Move move : AlikeHere(room)) hints.AddLate(move);
}

template <Game G>
void Search<G>::Papers::AddQuiescenceHints(int ply, int qply, MoveHints& hints) {
  if (qply >= options().killer_quiescence) return;
  AddAllKillers(ply, hints);
  for (int i = 0; i < hints.late_count; ++i) hints.AddEarly(hints.late[i]);
}

template <Game G>
void Search<G>::Papers::BeforeMoves(const Node& node) {
  if (rates_ != nullptr) FrameAt(node.ply).killers = LegalKillers(node.ply);
}

// Takes the lesson of a node of the main search: its best move, and whether that one cut.
template <Game G>
void Search<G>::Papers::OnNodeDone(const Node& node, Move best, bool cut) {
  if (rates_ != nullptr) RateKillers(node, best, cut);
  if (best) TeachKillers(node.ply, best);
}

template <Game G>
void Search<G>::Papers::OnQuiescenceDone(int ply, Move best) {
  if (options().killer_learn_quiescence != 0) TeachKillers(ply, best);
}

template <Game G>
void Search<G>::Papers::TeachKillers(int ply, Move best) {
  if (!UsesKillers()) return;
  if (killers_.OnNodeDone(ply, PathTo(ply), form(), best) > 0) {
    search_.Fire(Technique::kKillerKept);
  }
}

template <Game G>
bool Search<G>::Papers::IsKiller(int ply, Move move) const {
  const SearchOptions& o = options();
  const ContextKillers::Path path = PathTo(ply);
  const auto is = [&](ContextKillers::Kind kind) {
    return killers_.Find(kind, ply, path, form()) == move;
  };
  return (o.killer_context != 0 && is(ContextKillers::kContext)) ||
         (o.killer_brother != 0 && is(ContextKillers::kBrother)) ||
         (o.killer_premove != 0 && is(ContextKillers::kPremove)) ||
         (o.killer_pass != 0 && is(ContextKillers::kPass));
}

// The move of each kind for this node, where it is legal and its option is on.
template <Game G>
typename Search<G>::Papers::KillerMoves Search<G>::Papers::LegalKillers(int ply) const {
  const SearchOptions& o = options();
  const bool on[] = {o.killer_brother != 0, o.killer_pass != 0, o.killer_premove != 0,
                     o.killer_context != 0};
  const ContextKillers::Path path = PathTo(ply);
  KillerMoves moves{};
  for (size_t kind = 0; kind < moves.size(); ++kind) {
    if (!on[kind]) continue;
    const Move move = killers_.Find(static_cast<ContextKillers::Kind>(kind), ply, path, form());
    if (move && G::IsLegal(search_.pos_, move)) moves[kind] = move;
  }
  return moves;
}

// Counts the killers that BeforeMoves has found as right or wrong.
template <Game G>
void Search<G>::Papers::RateKillers(const Node& node, Move best, bool cut) {
  const KillerMoves& killers = FrameAt(node.ply).killers;
  const Position& pos = search_.pos_;
  const auto depth = static_cast<size_t>(std::min(node.plies(), KillerRates::kDepths - 1));
  const auto stage = static_cast<size_t>(G::StageOf(pos));
  for (size_t kind = 0; kind < killers.size(); ++kind) {
    if (!killers[kind]) continue;
    if (kind == ContextKillers::kContext && killers_.IsFalseHit(PathTo(node.ply), form())) {
      ++rates_->false_contexts;
    }
    const bool effective = killers[kind] == best;
    for (KillerRates::Rate* rate :
         {&rates_->by_depth[kind][depth], &rates_->by_stage[kind][stage]}) {
      ++rate->legal;
      if (effective) ++(cut ? rate->cut : rate->best);
    }
    if (effective) {
      const Move last = search_.FrameAt(node.ply - 1).move;
      ++rates_->by_category[kind][static_cast<size_t>(G::CategoryOf(pos, best, last))];
      ++rates_->by_purpose[kind][static_cast<size_t>(G::PurposeOf(pos, best, last))];
    }
  }
}

}  // namespace joseki
