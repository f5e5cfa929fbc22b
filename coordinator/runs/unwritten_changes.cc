#include "coordinator/runs/unwritten_changes.h"

#include <utility>

namespace joseki::coordinator {

void UnwrittenChanges::Begin(uint64_t seq, uint64_t written_seq,
                             std::span<const book::EdgeId> edges, std::span<const uint64_t> seen) {
  seq_ = seq;
  taken_seq_ = written_seq;
  Mark(edges);
  seen_.assign(seen.begin(), seen.end());
}

void UnwrittenChanges::Mark(std::span<const book::EdgeId> edges) {
  for (const book::EdgeId edge : edges) Mark(edge);
}

void UnwrittenChanges::Mark(book::EdgeId edge) {
  if (std::exchange(marks_[edge], take_) != take_) edges_.push_back(edge);
}

UnwrittenChanges::Taken UnwrittenChanges::Take(const RunCounters& counters) {
  taken_seq_ = seq_;
  ++take_;
  return {std::exchange(edges_, {}), {seq_, counters, std::exchange(seen_, {})}};
}

void UnwrittenChanges::Return(Taken taken) {
  taken_seq_ = 0;
  for (const book::EdgeId edge : taken.edges) Mark(edge);
  std::deque<uint64_t>& seen = taken.checkpoint.seen;
  seen.insert(seen.end(), seen_.begin(), seen_.end());  // in order of commit
  seen_ = std::move(seen);
}

}  // namespace joseki::coordinator
