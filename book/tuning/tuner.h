#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "book/evidence.h"
#include "book/folding.h"
#include "book/graph.h"
#include "book/tuning/folded_arms.h"
#include "book/tuning/frozen_arms.h"
#include "book/tuning/policy.h"
#include "book/tuning/seen_games.h"
#include "book/tuning/values.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// Outcome of a game for `side`. REQUIRES: ending.result != kNone.
Score ScoreFor(Color side, const Ending& ending);

// A finished game as evidence: the edges of its line, and its ending by the derived result.
struct TunedGame {
  std::span<const EdgeId> edges;  // a repeated edge is credited once
  Ending ending;
  int stage = 0;            // the stage of its slot, not that at its arrival
  uint64_t moves_hash = 0;  // hash of all moves from the run's start; distinguishes games
};

// The knowledge of a run about its book: an arm for each edge of the graph. Games with identical
// moves are one piece of evidence: the first is credited, the others count as repeats.
//
// The state is a pure function of the games applied since construction, in their order
// (commit_seq). The order matters only between identical games of different stages. Threading: one
// writer; no reader of the spans may run beside it.
//
// A staged policy selects by weights frozen at the start of a stage:
//     Tuner tuner(graph, policy);                 // stage 0 is frozen: nothing is known
//     ... ChooseLine(tuner, ...), AddInFlight, Apply ...
//     tuner.Freeze();                             // the stage has closed; the next one begins
// For other policies selection() is arms() and Freeze does nothing. Freezing takes constant time
// for any size of book (frozen_arms.h).
//
// After a restart, either apply every game row of the run in order, calling Freeze() where it was
// called before. Or load a checkpoint (Load, LoadSeen; after the last Freeze, LoadFrozen) and apply
// the games that it lacks.
//
// With orbits, images are folded. Each move of an orbit has its own arm, which is stored. The
// policy chooses, answers and values by the sum over the orbit (pooled()).
//
// A policy with an estimator also chooses by values, which follow from the arms. Until the first
// ComputeValues games are cheap to apply; afterwards every Apply keeps the values up to date.
class Tuner {
 public:
  // `priors`: evaluations, one for each edge; null or empty: none. Only a policy with an estimator
  // uses them. `orbits`: of the graph, to fold by; null: no folding. REQUIRES: with orbits, a
  // policy that can be folded (MakePolicy).
  Tuner(std::shared_ptr<const Graph> graph, std::shared_ptr<const Policy> policy,
        std::shared_ptr<const Priors> priors = nullptr,
        std::shared_ptr<const Orbits> orbits = nullptr);

  const Graph& graph() const { return *graph_; }
  const Policy& policy() const { return *policy_; }

  // The present arms, by EdgeId: for readers, exports and checkpoints.
  std::span<const Arm> arms() const { return arms_.own(); }
  std::span<const Arm> arms(NodeId node) const;
  // The policy's view: arms(), summed over the orbit if images are folded.
  std::span<const Arm> pooled() const { return arms_.pooled(); }
  const std::shared_ptr<const Orbits>& orbits() const { return arms_.orbits(); }
  // The present view, which determines the policy's answer and the weights. Valid until the next
  // call of a non-const function. REQUIRES: values_ready().
  Choices choices(NodeId node) const;
  // The view for choosing lines: frozen evidence for a staged policy, but always the present
  // in_flight. Computes the values first. Valid until the next call of a non-const function.
  Choices selection(NodeId node);
  const Arm& frozen(EdgeId edge) const;  // one of arms() as selection() sees it

  // Credits every edge of the game once. Returns whether the game counts for its stage
  // (book::Counts); a repeat counts, because it was played. Faults and games without a result
  // change nothing. REQUIRES: all edges are in the graph.
  bool Apply(const TunedGame& game);

  // Count an open slot on these edges, and remove it. REQUIRES: Remove follows an Add of the same
  // edges.
  void AddInFlight(std::span<const EdgeId> edges);
  void RemoveInFlight(std::span<const EdgeId> edges);
  // Counts so many open slots on one edge.
  void AddInFlight(EdgeId edge, uint32_t slots) { ChangeInFlight(edge, slots); }

  // Computes the values if the policy has an estimator.
  void ComputeValues();
  bool values_ready() const { return values_ready_; }
  // The positions whose choices changed in the last Apply. REQUIRES: values_ready().
  std::span<const NodeId> touched() const { return touched_; }
  // The moves whose pooled() arms changed their games in the last Apply; may contain duplicates.
  std::span<const EdgeId> credited() const { return credited_; }

  const std::shared_ptr<const Priors>& priors() const { return priors_; }
  // Replaces the priors: one for each edge, empty or null for none. Only a policy with an estimator
  // uses them. Takes time linear in the book if the values are ready.
  void SetPriors(std::shared_ptr<const Priors> priors);

  // SetPriors in steps, for callers that may not block. Compute ValuesOf from a copy of arms()
  // without this object; Update them with the edges of the games since; then swap them in.
  // REQUIRES: values_ready(), and `values` match the present arms() under these priors.
  void SwapValues(Values& values, std::shared_ptr<const Priors> priors);

  // Freezes arms() as the weights of the next stage.
  void Freeze() {
    if (frozen_) frozen_->Freeze();
  }

  // Loads a row of a checkpoint, and the hashes of the games that it includes. For a new tuner
  // only.
  void Load(EdgeId edge, int64_t sum, const Evidence& evidence);
  void LoadSeen(std::span<const uint64_t> moves_hashes) { seen_.Insert(moves_hashes); }
  void LoadSeen(uint64_t moves_hash) { seen_.Insert(moves_hash); }
  // Loads the arm as of the last Freeze, if it differed. Call after every Load.
  void LoadFrozen(EdgeId edge, int64_t sum, const Evidence& evidence);
  // True if a game with these moves was applied or loaded.
  bool Seen(uint64_t moves_hash) const { return seen_.Contains(moves_hash); }

  // Number of distinct games applied so far.
  size_t distinct_games() const { return seen_.size(); }

 private:
  void ChangeInFlight(EdgeId edge, uint32_t by);

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Policy> policy_;
  FoldedArms arms_;
  std::optional<FrozenArms> frozen_;  // selection of a staged policy; nullopt for any other
  // A game's moves determine its edges, so one set for the run tells for all edges whether the game
  // is new.
  SeenGames seen_;
  std::shared_ptr<const Priors> priors_;
  std::optional<Values> values_;  // set for a policy with an estimator, once computed
  bool values_ready_;
  std::vector<NodeId> touched_;
  std::vector<EdgeId> credited_;
};

// The values of a book under a policy; nullopt if it has no estimator. Takes time linear in the
// book. `graph` and `policy` must outlive the result.
std::optional<Values> ValuesOf(const Graph& graph, const Policy& policy, std::span<const Arm> arms,
                               std::shared_ptr<const Priors> priors);

}  // namespace joseki::book
