#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "book/graph.h"
#include "coordinator/store/run_counters.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// What the games of a run changed in its evidence and no checkpoint holds yet. No verb takes longer
// for a larger book. Guarded by the owner's mutex.
class UnwrittenChanges {
 public:
  // To be written as the checkpoint of the games up to checkpoint.seq: first the evidence of each
  // edge, as of then or later, afterwards the checkpoint.
  struct Taken {
    std::vector<book::EdgeId> edges;  // each once
    Checkpoint checkpoint;
  };

  explicit UnwrittenChanges(size_t edges) : marks_(edges) {}

  // Where evidence begins that was read from rows: with the games up to `seq`, of which a
  // checkpoint holds those up to `written_seq` (0: there is none) and lacks these edges and moves
  // hashes, in order of commit. Edges may be given twice.
  void Begin(uint64_t seq, uint64_t written_seq, std::span<const book::EdgeId> edges,
             std::vector<uint64_t> seen);

  // A game was committed.
  void Reach(uint64_t commit_seq) { seq_ = std::max(seq_, commit_seq); }
  // It is evidence on these edges.
  void Mark(std::span<const book::EdgeId> edges);
  // It is different from all before it.
  void AddSeen(uint64_t moves_hash) { seen_.push_back(moves_hash); }

  // commit_seq of the last game.
  uint64_t seq() const { return seq_; }
  bool any() const { return seq_ != taken_seq_; }
  // Games committed since the last Take, those of other runs among them.
  uint64_t games() const { return seq_ - taken_seq_; }

  // `counters`: of the games up to now.
  Taken Take(const RunCounters& counters);
  // Gives back what Take gave, because it could not be written.
  void Return(Taken taken);

 private:
  uint64_t seq_ = 0;
  uint64_t taken_seq_ = 0;  // at the last Take
  std::vector<book::EdgeId> edges_;
  std::vector<uint64_t> seen_;
  // By edge: equal to take_ if it is in edges_.
  std::vector<uint32_t> marks_;
  uint32_t take_ = 1;
};

}  // namespace joseki::coordinator
