#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "book/tuning/repertoire_node.h"
#include "book/tuning/witnesses.h"
#include "engine/core/types.h"

namespace joseki::book {

// Decides whether a candidate may be an answer. Once two workers are trusted, none may rest on the
// unverified scores of one. It needs scores of two workers, or of one that others vouch for
// (Witnesses). Or a second worker must have found one of its scores again. Sources and workers have
// the numbers of LineFinding. Not thread-safe.
class CandidateSupport {
 public:
  // `trusting`: every candidate is supported.
  explicit CandidateSupport(bool trusting) : trusting_(trusting) {}

  // Notes that the worker has reported something as `source`.
  void Add(uint32_t source, uint32_t worker) { witnesses_.Add(source, worker); }
  // Notes that the worker found a report of `source` again, as `again`.
  void Confirm(uint32_t source, uint32_t again, uint32_t worker);
  // Notes that this report had a score of the move at the position.
  void ConfirmMove(const Key& position, Move move, uint32_t source, uint32_t again);
  // Ignores these sources; replaces the set of the previous call.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  // Whether the candidate of the node may be the answer there.
  bool IsSupported(const RepertoireNode& node, const RepertoireNode::Candidate& candidate) const;

 private:
  // A score of the move, and who found it again.
  struct Confirmation {
    Move move;
    uint32_t source = 0;
    uint32_t again = 0;
  };

  bool trusting_;
  Witnesses witnesses_;
  // Few searches are made again, so few positions have any.
  absl::flat_hash_map<Key, std::vector<Confirmation>, std::hash<Key>> confirmations_;
};

}  // namespace joseki::book
