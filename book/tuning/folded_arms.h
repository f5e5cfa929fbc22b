#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "book/evidence.h"
#include "book/folding.h"
#include "book/graph.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// An arm for each edge of a book. With orbits, images are folded. Each move of an orbit keeps its
// own arm, and has the sum over the orbit, with its own base weight, beside it. Not thread-safe.
class FoldedArms {
 public:
  // `own`: by EdgeId, with nothing but base weights. `orbits`: of the same edges; null: no folding.
  FoldedArms(std::vector<Arm> own, std::shared_ptr<const Orbits> orbits);

  std::span<const Arm> own() const { return own_; }
  // own(), summed over the orbits if images are folded.
  std::span<const Arm> pooled() const { return orbits_ != nullptr ? pooled_ : own_; }
  const std::shared_ptr<const Orbits>& orbits() const { return orbits_; }
  // The images of the edge; empty without folding.
  std::span<const EdgeId> OthersOf(EdgeId edge) const {
    return orbits_ != nullptr ? orbits_->others(edge) : std::span<const EdgeId>();
  }

  // Calls edit(Arm&) with the edge's own arm, then sums over its orbit again.
  template <typename Edit>
  void Change(EdgeId edge, const Edit& edit) {
    edit(own_[edge]);
    if (orbits_ != nullptr) Pool(edge);
  }
  // Adds `by`, modulo 2^32, to the open games of the edge's own arm and of its orbit's sums. Skips
  // the arms of an edge for which holds(EdgeId) is false.
  template <typename Holds>
  void ChangeInFlight(EdgeId edge, uint32_t by, const Holds& holds) {
    if (holds(edge)) own_[edge].in_flight += by;
    if (orbits_ == nullptr) return;
    if (holds(edge)) pooled_[edge].in_flight += by;
    for (const EdgeId other : orbits_->others(edge)) {
      if (holds(other)) pooled_[other].in_flight += by;
    }
  }
  // Takes over `count` arms from `first` on. REQUIRES: `from` has the same edges and orbits.
  void Copy(const FoldedArms& from, EdgeId first, size_t count);

 private:
  // Sums over the edge's orbit anew, for each of its moves.
  void Pool(EdgeId edge);

  std::vector<Arm> own_;
  std::shared_ptr<const Orbits> orbits_;
  std::vector<Arm> pooled_;  // empty without folding
};

}  // namespace joseki::book
