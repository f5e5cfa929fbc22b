#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "book/evidence.h"
#include "book/folding.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/seen_games.h"
#include "book/tuning/values.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// A game's outcome for `side`. REQUIRES: ending.result != kNone.
Score ScoreFor(Color side, const Ending& ending);

// One finished game as evidence: the line's edges and how it ended, by the derived result.
struct TunedGame {
  std::span<const EdgeId> edges;  // a repeated edge is credited once
  Ending ending;
  int stage = 0;            // the stage of its slot, not of its arrival
  uint64_t moves_hash = 0;  // of the whole game from the run's start: tells different games
};

// One run's knowledge of its book: an arm for each edge of the graph. Games with the same moves are
// one piece of evidence: the first one is credited, the others count as repeats.
//
// A pure function of the games applied since construction, in their order (commit_seq); the order
// matters only between identical games of different stages. Thread rule: one writer; readers of the
// spans must not run beside it.
//
// A staged policy selects by weights frozen at the start of a stage:
//     Tuner tuner(graph, policy);                 // stage 0 is frozen: nothing is known
//     ... ChooseLine(tuner, ...), AddInFlight, Apply ...
//     tuner.Freeze();                             // the stage has closed; the next one begins
// For other policies selection() is arms() and Freeze does nothing.
//
// Freezing costs nothing at once, for any size of book: the arms of a node are copied when they are
// first read or changed after it.
//
// After a restart, either apply every game row of the run in order, with Freeze() where it was
// called; or load a checkpoint (Load, LoadSeen; after the last Freeze, LoadFrozen) and apply the
// games that it lacks.
//
// With orbits images are folded: each move of an orbit has an arm of its own, by which it is
// stored, and the policy chooses, answers and values each by the sum of all (pooled()).
//
// A policy with an estimator chooses by values as well. They follow from the arms: until
// ComputeValues is called for the first time games are cheap to apply, after it every Apply keeps
// the values up to date.
class Tuner {
 public:
  // `priors`: what evaluations say, one an edge; null or empty for none. Only a policy with an
  // estimator uses them. `orbits`: of the graph, to fold by; null: images are apart. REQUIRES: a
  // policy that may be folded (MakePolicy), if there are orbits.
  Tuner(std::shared_ptr<const Graph> graph, std::shared_ptr<const Policy> policy,
        std::shared_ptr<const Priors> priors = nullptr,
        std::shared_ptr<const Orbits> orbits = nullptr);

  const Graph& graph() const { return *graph_; }
  const Policy& policy() const { return *policy_; }

  // The arms as of now, by EdgeId: for readers, exports and checkpoints.
  std::span<const Arm> arms() const { return arms_; }
  std::span<const Arm> arms(NodeId node) const;
  // The policy's view: arms(), with those of their images where these are folded.
  std::span<const Arm> pooled() const { return orbits_ != nullptr ? pooled_ : arms_; }
  const std::shared_ptr<const Orbits>& orbits() const { return orbits_; }
  // The present view that the policy's answer at the position, and the weights of its moves, follow
  // from. Valid until the next call of a verb that is not const. REQUIRES: values_ready().
  Choices choices(NodeId node) const;
  // The view that lines are chosen by: frozen evidence for a staged policy, in_flight always of
  // now. Computes the values first. Valid until the next call of a verb that is not const.
  Choices selection(NodeId node);
  const Arm& frozen(EdgeId edge) const;  // arms()'s of one edge, as selection sees it

  // Credits every edge of the game once. Returns whether the game counts for its stage
  // (book::Counts; a repeat does, it was played). Faults and games without result change nothing.
  // REQUIRES: every edge is one of the graph.
  bool Apply(const TunedGame& game);

  // A slot on these edges is open, or no longer. REQUIRES: Remove follows an Add of the same edges.
  void AddInFlight(std::span<const EdgeId> edges);
  void RemoveInFlight(std::span<const EdgeId> edges);

  // Computes the values of a policy with an estimator; nothing otherwise.
  void ComputeValues();
  bool values_ready() const { return values_ready_; }
  // The positions whose choices the last Apply changed. REQUIRES: values_ready().
  std::span<const NodeId> touched() const { return touched_; }
  // The moves whose pooled() arms have other games than before the last Apply; some perhaps twice.
  std::span<const EdgeId> credited() const { return credited_; }

  const std::shared_ptr<const Priors>& priors() const { return priors_; }
  // Other priors, one an edge, empty or null for none; only a policy with an estimator uses them.
  // In proportion to the book where the values are ready.
  void SetPriors(std::shared_ptr<const Priors> priors);

  // SetPriors in parts, for callers that may not block for long: ValuesOf, from a copy of arms()
  // and without this object, then Update them with the edges of the games since, then swap them in.
  // REQUIRES: values_ready(), and the values are those of arms() as of now under these priors.
  void SwapValues(Values& values, std::shared_ptr<const Priors> priors);

  // Makes arms() the weights that the next stage selects by.
  void Freeze();

  // A checkpoint's row, and the games that are counted in it. To be called on a new tuner only.
  void Load(EdgeId edge, int64_t sum, const Evidence& evidence);
  void LoadSeen(std::span<const uint64_t> moves_hashes);
  void LoadSeen(uint64_t moves_hash) { seen_.Insert(moves_hash); }
  // The arm at the last freeze of the weights, if it was another one. Call after every Load.
  void LoadFrozen(EdgeId edge, int64_t sum, const Evidence& evidence);
  // True if a game with these moves was applied or loaded.
  bool Seen(uint64_t moves_hash) const { return seen_.Contains(moves_hash); }

  // Different games applied so far.
  size_t distinct_games() const { return seen_.size(); }

 private:
  // Makes the frozen arms of the node those of the last Freeze.
  void Sync(NodeId node);
  // Syncs the nodes whose selection an edge's arm is part of.
  void SyncOrbit(EdgeId edge);
  std::span<const EdgeId> OthersOf(EdgeId edge) const {
    return orbits_ != nullptr ? orbits_->others(edge) : std::span<const EdgeId>();
  }
  // The pooled arms of the edge's orbit are to follow from `own` again.
  void Pool(std::span<const Arm> own, EdgeId edge, std::vector<Arm>& pooled) const;
  void ChangeInFlight(EdgeId edge, uint32_t by);

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Policy> policy_;
  const bool staged_;
  std::vector<Arm> arms_;
  // A staged policy's selection, for the nodes that are synced, by Freeze's number. Other nodes
  // have not changed since the last Freeze: their frozen arms are those of arms_.
  std::vector<Arm> frozen_;
  std::vector<uint32_t> synced_;  // by node
  // For folded images alone: arms_ and frozen_, each with the others of its orbit.
  std::shared_ptr<const Orbits> orbits_;
  std::vector<Arm> pooled_;
  std::vector<Arm> frozen_pooled_;
  uint32_t freezes_ = 1;
  // A game's moves determine its edges, so one set for the run tells for every edge whether the
  // game is a new one.
  SeenGames seen_;
  std::shared_ptr<const Priors> priors_;
  std::optional<Values> values_;  // of a policy with an estimator, once computed
  bool values_ready_;
  std::vector<NodeId> touched_;
  std::vector<EdgeId> credited_;
};

// The values of a book under a policy; nullopt for one without an estimator. In proportion to the
// book. `graph` and `policy` must outlive them.
std::optional<Values> ValuesOf(const Graph& graph, const Policy& policy, std::span<const Arm> arms,
                               std::shared_ptr<const Priors> priors);

}  // namespace joseki::book
