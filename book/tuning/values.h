#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// One prior an edge; empty: none.
using Priors = std::vector<Prior>;

// The values of a book's moves and positions under one estimator, backed up over its graph:
// positions that transpose share what is known of them, and nothing is counted twice (the
// idempotent backup of KataGo's GraphSearch.md).
//
// A move that leads to a book position is worth what the position is worth to the other side.
// Where the book's moves make a cycle, the move that closes it is worth what its own games say, so
// that no value feeds itself; which move that is depends on the graph alone. Values are a pure
// function of arms and priors, however they came about: Update after Update gives what Rebuild
// gives, bit for bit. A change is carried up to the positions above only as far as it changes
// anything.
//
// Arms are those of the owner, one an edge, and handed in with every call.
class Values {
 public:
  // `graph` and `estimator` must outlive this. REQUIRES: priors.empty() or one an edge.
  Values(const Graph& graph, const Estimator& estimator, std::span<const Arm> arms,
         std::shared_ptr<const Priors> priors);

  // Sets other priors, one an edge or none, and recomputes everything.
  void SetPriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors);
  // Recomputes everything: in proportion to the book.
  void Rebuild(std::span<const Arm> arms);
  // The evidence of these edges has changed.
  void Update(std::span<const Arm> arms, std::span<const EdgeId> edges);
  // The positions whose moves changed in value at the last Update.
  std::span<const NodeId> touched() const { return touched_; }

  // The moves of a position with all that is known of them.
  Choices At(std::span<const Arm> arms, NodeId node) const;
  // The value of the position, for its side to move.
  const Value& position(NodeId node) const { return positions_[node]; }

 private:
  bool Cut(EdgeId edge) const { return cut_[edge] != 0; }
  void Order();
  void TakePriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors);
  Tally TallyOf(std::span<const Arm> arms, NodeId node) const;
  // Returns true if the position's value changed.
  bool Compute(std::span<const Arm> arms, NodeId node);
  void Push(NodeId node);

  const Graph* graph_;
  const Estimator* estimator_;
  std::shared_ptr<const Priors> priors_;
  std::vector<Value> moves_;      // by edge
  std::vector<Value> positions_;  // by node
  std::vector<float> shares_;     // by edge
  std::vector<float> log_shares_;
  // The edges into each node: those of node i are in_[in_first_[i]] to in_[in_first_[i + 1]].
  std::vector<uint32_t> in_first_;
  std::vector<EdgeId> in_;
  std::vector<uint8_t> cut_;    // by edge: closes a cycle
  std::vector<uint32_t> rank_;  // by node: higher than that of every position its moves lead to
  std::vector<NodeId> by_rank_;
  // Update's work: a heap of ranks, lowest first.
  std::vector<uint32_t> queue_;
  std::vector<uint8_t> queued_;  // by node
  std::vector<NodeId> touched_;
};

}  // namespace joseki::book
