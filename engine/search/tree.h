#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/search/budget.h"
#include "engine/search/counts.h"
#include "engine/search/depth.h"
#include "engine/search/move_picker.h"
#include "engine/search/node.h"
#include "engine/search/options.h"
#include "engine/search/papers/papers.h"
#include "engine/search/reductions.h"
#include "engine/search/root_moves.h"
#include "engine/search/search.h"
#include "engine/search/stack.h"
#include "engine/search/tt.h"

namespace joseki {

// A thread's search of nodes, and the data that they share. Files *_inl.h define the steps of a
// node; search_inl.h includes them all.
//
// Below Root::Run nothing allocates, locks, throws or calls through a pointer. A node's data lies
// on the search's stack or on the program's. A node is one Do that is searched.
template <Game G>
class Search<G>::Tree {
 public:
  using Position = typename G::Position;
  using Undo = typename G::Undo;

  explicit Tree(size_t tt_bytes) : tt_(tt_bytes) { Forget(); }

  void SetOptions(const SearchOptions& options);
  // Clears all that outlives a search, but for the table.
  void Forget();
  // Prepares a search: only the table, the histories and the corrections outlive the last one.
  void Begin(const Position& position, const SearchLimits& limits);

  TranspositionTable& table() { return tt_; }
  typename G::Evaluator& evaluator() { return evaluator_; }
  Counts& counts() { return counts_; }
  Budget& budget() { return budget_; }
  Papers& papers() { return papers_; }

 private:
  friend Papers;
  friend Root;

  using Frame = search_internal::Frame;
  using Node = search_internal::Node;
  using Candidate = search_internal::Candidate;

  class Lessons;   // killers, histories, corrections
  class NullMove;  // the null move and YSS's regret moves

  // Steps of a node and its moves: node_inl.h.
  template <bool kPv>
  Value SearchNode(int ply, int depth, Value alpha, Value beta);
  template <bool kPv>
  Value SearchMove(const Node& node, const Candidate& candidate, Value alpha, Value beta);
  bool MayExtend(int ply) const;
  int CheckExtension(const Node& node, bool gives_check);
  int LateReduction(const Node& node, const Candidate& candidate) const;
  int ReductionOf(const Node& node, const Candidate& candidate, int child_depth,
                  bool gives_check) const;
  void Play(int ply, Move move, Undo& undo);
  void Pass(int ply, Undo& undo);

  // The table's move that stands alone: singular_inl.h.
  int SingularExtension(const Node& node, const Candidate& candidate, Value beta, Value& cut);

  // Leaves: quiesce_inl.h.
  Value Leaf(int ply, Value alpha, Value beta);
  Value Quiesce(int ply, int qply, Value alpha, Value beta);

  // Ends of lines: ends_inl.h.
  bool EndsHere(int ply, Value& value);

  // Cuts of nodes and moves: cuts_inl.h.
  bool CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value);
  bool IsTooLate(const Node& node, const Candidate& candidate);
  bool Skips(const Node& node, const Candidate& candidate, Value alpha, Value& best);

  // The table, the budget, mate searches: tree_inl.h.
  bool Probe(int ply, const Key& key, TtData& data);
  Move KnownMove(int ply, const Key& key);
  bool CountNode();
  void Poll();
  typename G::MateFinder& MakeMateFinder();
  template <typename Find>
  MateProbe SearchMate(uint64_t most, Find&& find);
  void Fire(Technique technique, uint64_t times = 1) { counts_.Fire(technique, times); }

  SearchOptions options_;
  TranspositionTable tt_;
  typename G::Evaluator evaluator_;
  std::unique_ptr<typename G::MateFinder> mates_;  // created on first use
  Counts counts_;
  Budget budget_;

  // State of the present search.
  Position pos_;
  PaperHooks hooks_;
  search_internal::RootFacts root_;
  search_internal::RootMoves root_moves_;
  uint64_t credited_ = 0;  // nodes behind table hits, if these are counted
  search_internal::Stack stack_;

  Lessons lessons_{*this};
  NullMove null_move_{*this};
  Papers papers_{*this};
};

}  // namespace joseki
