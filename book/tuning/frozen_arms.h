#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "book/evidence.h"
#include "book/graph.h"
#include "book/tuning/folded_arms.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// The arms of a book as of the last Freeze, with the present number of open games. Freezing takes
// constant time for any size of book: the arms of a position are copied when they are next read, or
// before they change. Those that are not held yet are equal to the present ones. `present` is the
// same book's arms in every call. Not thread-safe.
class FrozenArms {
 public:
  // Frozen from the start. `orbits`: of `present`; may be null.
  FrozenArms(std::shared_ptr<const Graph> graph, std::shared_ptr<const Orbits> orbits);

  // Freezes the present arms, and drops those of the last time.
  void Freeze() { ++freezes_; }
  // Holds all arms that the edge's own arm is part of. To be called before that changes in any
  // other way than by ChangeInFlight.
  void Hold(const FoldedArms& present, EdgeId edge);
  // Loads the own arm of an edge as of the last Freeze, if it differed from the present one.
  void Load(const FoldedArms& present, EdgeId edge, int64_t sum, const Evidence& evidence);
  // Changes the open games as FoldedArms::ChangeInFlight does, where the arms are held.
  void ChangeInFlight(EdgeId edge, uint32_t by);

  // The arms of the node's moves, summed over orbits (FoldedArms::pooled). Holds them first.
  std::span<const Arm> At(const FoldedArms& present, NodeId node);
  // The own arm of the edge.
  const Arm& Own(const FoldedArms& present, EdgeId edge) const;

 private:
  bool holds(EdgeId edge) const { return held_[graph_->edge(edge).from] == freezes_; }
  void HoldNode(const FoldedArms& present, NodeId node);

  std::shared_ptr<const Graph> graph_;
  FoldedArms arms_;             // of use where they are held
  std::vector<uint32_t> held_;  // by node: the number of the Freeze that its arms are of
  uint32_t freezes_ = 1;
};

}  // namespace joseki::book
