#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "book/graph.h"
#include "coordinator/store/evidence_rows.h"
#include "coordinator/store/run_counters.h"

namespace joseki::coordinator {

// Changes of a run's evidence that no checkpoint contains yet. No function takes longer for a
// larger book, or for more changes: lists are deques, which do not move their elements to grow.
// Guarded by the owner's mutex.
class UnwrittenChanges {
 public:
  // Changes to write as the checkpoint of the games up to checkpoint.seq. Write the evidence of
  // each edge first, as of then or later, and the checkpoint afterwards.
  struct Taken {
    std::deque<book::EdgeId> edges;  // each once
    Checkpoint checkpoint;
  };

  explicit UnwrittenChanges(size_t edges) : marks_(edges) {}

  // Starts from evidence read from rows: the games up to `seq`. Its checkpoint contains those up to
  // `written_seq` (0: none), without these edges and moves hashes, in order of commit. Edges may
  // repeat.
  void Begin(uint64_t seq, uint64_t written_seq, std::span<const book::EdgeId> edges,
             std::span<const uint64_t> seen);

  // Notes that a game was committed.
  void Reach(uint64_t commit_seq) { seq_ = std::max(seq_, commit_seq); }
  // Marks the edges that the game changed.
  void Mark(std::span<const book::EdgeId> edges);
  // Records the hash of a game that repeats no earlier one.
  void AddSeen(uint64_t moves_hash) { seen_.push_back(moves_hash); }

  // commit_seq of the last game.
  uint64_t seq() const { return seq_; }
  bool any() const { return seq_ != taken_seq_; }
  // Games committed since the last Take, those of other runs included.
  uint64_t games() const { return seq_ - taken_seq_; }

  // `counters`: sums over the games up to now.
  Taken Take(const RunCounters& counters);
  // Returns changes to this object because they could not be written.
  void Return(Taken taken);

 private:
  void Mark(book::EdgeId edge);

  uint64_t seq_ = 0;
  uint64_t taken_seq_ = 0;  // at the last Take
  std::deque<book::EdgeId> edges_;
  std::deque<uint64_t> seen_;
  // By edge: equal to take_ if the edge is in edges_.
  std::vector<uint32_t> marks_;
  uint32_t take_ = 1;
};

}  // namespace joseki::coordinator
