#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// A prior for each edge; empty: none.
using Priors = std::vector<Prior>;

// The values of a book's moves and positions under one estimator, backed up over its graph.
// Positions that transpose share their knowledge, and nothing is counted twice (the idempotent
// backup of KataGo's GraphSearch.md).
//
// A move to a book position has that position's value, seen from the other side. In a cycle the
// move that closes it has the value of its own games, so that no value feeds itself. The graph
// alone determines that move. Values are a pure function of arms and priors: a series of Updates
// gives what Rebuild gives, bit for bit. A change is passed up only as far as it changes anything.
//
// The owner keeps the arms, one for each edge, and passes them in with every call.
class Values {
 public:
  // `graph` and `estimator` must outlive this. REQUIRES: priors.empty() or one an edge.
  Values(const Graph& graph, const Estimator& estimator, std::span<const Arm> arms,
         std::shared_ptr<const Priors> priors);

  // Sets other priors, one for each edge or none, and recomputes everything.
  void SetPriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors);
  // Recomputes everything; linear in the book.
  void Rebuild(std::span<const Arm> arms);
  // Call after the evidence of these edges has changed.
  void Update(std::span<const Arm> arms, std::span<const EdgeId> edges);
  // The positions whose moves changed in value in the last Update.
  std::span<const NodeId> touched() const { return touched_; }

  // The moves of a position with all that is known of them.
  Choices At(std::span<const Arm> arms, NodeId node) const;
  // Value of the position for its side to move.
  const Value& position(NodeId node) const { return positions_[node]; }

 private:
  bool Cut(EdgeId edge) const { return cut_[edge] != 0; }
  void Order();
  void TakePriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors);
  Tally TallyOf(std::span<const Arm> arms, NodeId node) const;
  // Recomputes a position; returns true if its value changed.
  bool Compute(std::span<const Arm> arms, NodeId node);
  void Push(NodeId node);

  const Graph* graph_;
  const Estimator* estimator_;
  std::shared_ptr<const Priors> priors_;
  std::vector<Value> moves_;      // by edge
  std::vector<Value> positions_;  // by node
  std::vector<float> shares_;     // by edge
  std::vector<float> log_shares_;
  // The edges into node i are in_[in_first_[i]] to in_[in_first_[i + 1] - 1].
  std::vector<uint32_t> in_first_;
  std::vector<EdgeId> in_;
  std::vector<uint8_t> cut_;  // by edge: whether it closes a cycle
  // By node: larger than that of every position that its moves lead to.
  std::vector<uint32_t> rank_;
  std::vector<NodeId> by_rank_;
  // Update's work queue: a heap of ranks, smallest first.
  std::vector<uint32_t> queue_;
  std::vector<uint8_t> queued_;  // by node
  std::vector<NodeId> touched_;
};

}  // namespace joseki::book
