#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"
#include "coordinator/runs/unwritten_changes.h"

namespace joseki::coordinator {

// A checkpoint on its way to the database, slice by slice.
struct Sweep {
  RunId run = 0;
  uint64_t trust_change = 0;  // the trust of the evidence when the sweep began
  UnwrittenChanges::Taken changes;
  size_t written = 0;  // of changes.edges, which are in order: neighbours share pages

  // Number of edges written after the next slice of at most so many.
  size_t EndOfSlice(size_t most) const;
  bool IsLastSlice(size_t most) const { return EndOfSlice(most) == changes.edges.size(); }
};
using Sweeps = std::vector<std::shared_ptr<Sweep>>;

// Largest lag of a checkpoint behind its running run.
struct SweepLag {
  absl::Duration time = absl::Minutes(1);
  uint64_t games = 20'000;
};

// Begins the checkpoints that are due, or those of all changed runs. Skipped are runs whose
// checkpoint is being written or still to be dropped.
Sweeps BeginDueSweeps(Tables& tables, const SweepLag& lag);
Sweeps BeginAllSweeps(Tables& tables);

// Reads the rows of the next slice of at most so many; false if the sweep is void, as the evidence
// was recomputed.
bool ReadSlice(const Tables& tables, const Sweep& sweep, size_t most,
               std::vector<EvidenceRow>& rows);
// Notes that the slice was `written`, or could not be. Returns the sweep if it has more, or the one
// that follows at the coordinator's end.
Sweeps EndSlice(Tables& tables, const std::shared_ptr<Sweep>& sweep, size_t most, bool written);

}  // namespace joseki::coordinator
