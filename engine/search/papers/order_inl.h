#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

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

// The root's moves before the first iteration: by groups, if the order is; and moves that are
// played in positions that are alike before other quiet ones.
template <Game G>
void Search<G>::Papers::OrderRoot() {
  if (options().order_groups != 0) OrderRootByGroups();
  if (alike_ == nullptr) return;
  Move room[MoveHints::kMaxLate];
  const std::span<const Move> moves = AlikeHere(room);
  SortRoot(0, [&](Move move) {
    if (MovePicker<G>::IsTactical(search_.pos_, move)) return 0;
    return 1 + static_cast<int>(std::find(moves.begin(), moves.end(), move) - moves.begin());
  });
}

// Sorts the root's moves from the `first` on by their places, which are asked for once each.
template <Game G>
template <typename Place>
void Search<G>::Papers::SortRoot(size_t first, Place&& place) {
  auto& roots = search_.root_moves_;
  const auto begin = roots.begin() + static_cast<std::ptrdiff_t>(std::min(first, roots.size()));
  std::vector<std::pair<int, search_internal::RootMove>> placed;
  for (auto root = begin; root != roots.end(); ++root)
    placed.emplace_back(place(root->move), *root);
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(placed.begin(), placed.end(), begin, [](const auto& p) { return p.second; });
}

template <Game G>
void Search<G>::Papers::OrderRootByGroups() {
  constexpr int kGroup = 1 << 20;  // above every importance
  typename G::Groups groups(search_.pos_, search_.FrameAt(-1).move, /*at_root=*/true);
  SortRoot(0, [&](Move move) {
    const int group = groups.Of(move, G::Groups::kRounds.back());
    const int importance = options().order_group_limits != 0 ? groups.ImportanceOf(move, group) : 0;
    return group * kGroup - importance;
  });
}

// RegretMoves 2: the line after the pass as far as the table knows it. The position is the one
// after the pass; the reply to it is legal.
template <Game G>
void Search<G>::Papers::FindFurtherRegrets(int ply) {
  RegretLine& line = FrameAt(ply).regret;
  line.moves.fill(Move());
  if (options().regret_moves < 2) return;
  Position& pos = search_.pos_;
  std::array<Undo, kRegretPlies> undos;
  size_t count = 0;
  Move move = search_.FrameAt(ply).regret[0];
  while (count < kRegretPlies && move && G::IsLegal(pos, move)) {
    line.moves[count] = move;
    G::Do(pos, move, undos[count++]);
    move = search_.KnownMove(ply + 1 + static_cast<int>(count), G::KeyOf(pos));
  }
  while (count > 0) {
    --count;
    G::TakeBack(pos, line.moves[count], undos[count]);
  }
}

// RegretMoves 2: before an iteration the root passes too. The whole line behind the pass counts
// there: after the best move come our moves in it, then what meets any of the other side's.
template <Game G>
void Search<G>::Papers::OrderRootByRegrets(int depth) {
  Position& pos = search_.pos_;
  if (options().regret_moves < 2 || depth < search_internal::kNullDepth || depth == passed_depth_ ||
      G::InCheck(pos) || !G::MayPass(pos)) {
    return;
  }
  passed_depth_ = depth;
  search_.template SearchPass<true>(0, (depth - 2) * kPly, -kValueInfinite, kValueInfinite);
  if (search_.stopped_) return;
  const std::span<const Move> line(search_.pv_[1] + 1,
                                   static_cast<size_t>(search_.pv_length_[1] - 1));
  const auto place = [&](Move move) {
    for (size_t own = 1; own < line.size(); own += 2) {
      if (line[own] == move) return static_cast<int>(own);
    }
    if (MovePicker<G>::IsTactical(pos, move)) return kMaxPly + 1;
    for (size_t theirs = 0; theirs < line.size(); theirs += 2) {
      if (G::Defends(pos, move, line[theirs])) return kMaxPly;
    }
    return kMaxPly + 1;
  };
  SortRoot(1, place);
  search_.Fire(Technique::kRegretMove);
}

template <Game G>
bool Search<G>::Papers::UsesKillers() const {
  const SearchOptions& o = options();
  return o.killer_brother + o.killer_pass + o.killer_premove + o.killer_context > 0;
}

// The code of a frame's move for killers: by piece and square, and by KillerPromotion with whether
// it promotes.
template <Game G>
uint32_t Search<G>::Papers::KillerCodeOf(const Frame& frame) const {
  constexpr uint32_t kPromotions = History<G>::kCodes;
  static_assert(kPromotions + G::kPieceCount * G::kSquareCount <= ContextKillers::kCodes);
  if (options().killer_promotion == 0 || !frame.move.promotes()) return frame.code;
  return kPromotions + static_cast<uint32_t>(frame.piece * G::kSquareCount + frame.move.to());
}

template <Game G>
ContextKillers::Path Search<G>::Papers::PathTo(int ply) const {
  ContextKillers::Path path;
  const int known = std::min(ContextKillers::kMostMoves, ply + kBefore);
  for (int back = 0; back < known; ++back) {
    path.code[back] = KillerCodeOf(search_.FrameAt(ply - 1 - back));
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
  hints.butterflies = butterflies_.get();
  if (hints.threat) {
    const RegretLine& line = FrameAt(ply).regret;
    hints.all_defences = options().regret_moves > 1;
    hints.next_threat = line.moves[2];
    for (size_t own = 3; own < line.moves.size(); own += 2) hints.AddLate(line.moves[own]);
  }
  if (options().order_groups != 0) {
    search_.Fire(Technique::kOrderGroup);
    hints.last = search_.FrameAt(ply - 1).move;
    if (options().order_group_limits != 0 && !node.in_check) {
      hints.group_plies = static_cast<uint8_t>(std::max(node.plies(), 1));
    }
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

// Takes the lesson of a node of the main search: its best move, whether that one cut, and the quiet
// moves that did not.
template <Game G>
void Search<G>::Papers::OnNodeDone(const Node& node, Move best, bool cut,
                                   std::span<const Move> quiets) {
  if (rates_ != nullptr) RateKillers(node, best, cut);
  if (butterflies_ != nullptr) CountButterflies(node, best, cut, quiets);
  if (best) TeachKillers(node.ply, best);
}

template <Game G>
void Search<G>::Papers::CountButterflies(const Node& node, Move best, bool cut,
                                         std::span<const Move> quiets) {
  const Position& pos = search_.pos_;
  const int weight = std::max(node.plies() * node.plies(), 1);
  const auto count = [&](Move move, bool refuted) {
    butterflies_->Tried(History<G>::CodeOf(G::MovedPiece(pos, move), move), weight, refuted);
  };
  for (const Move move : quiets) count(move, false);
  if (cut && best && !MovePicker<G>::IsTactical(pos, best)) count(best, true);
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
