#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/core/tables.h"
#include "coordinator/gate.h"
#include "coordinator/store/writer.h"

namespace joseki::coordinator {

// Writes the evidence of runs to the database as checkpoints, slice by slice, so that games are not
// delayed. A row holds the games that were credited when its slice was written.
//
// Thread-safe; slices are written on the writer's thread.
class Checkpointer {
 public:
  struct Options {
    // Largest lag of a checkpoint behind its running run.
    absl::Duration every = absl::Minutes(1);
    uint64_t games = 20'000;
    size_t rows = 250;  // written, and copied under the mutex, per slice
  };
  // A checkpoint being written.
  struct Sweep;
  using Sweeps = std::vector<std::shared_ptr<Sweep>>;

  // `gate` and `writer` must outlive this object.
  Checkpointer(Options options, Gate& gate, Writer& writer)
      : options_(options), gate_(gate), writer_(writer) {}

  // Begins the checkpoints that are due (BeginDue), or those of all changed runs (BeginAll). Push
  // them after the event. Skipped are runs whose checkpoint is being written or still to be
  // dropped.
  Sweeps BeginDue(Tables& tables) const;
  static Sweeps BeginAll(Tables& tables);
  void Push(Sweeps sweeps);

 private:
  static void Begin(Tables& tables, ActiveRun& run, Sweeps& sweeps);
  void PushSlice(std::shared_ptr<Sweep> sweep);
  absl::Status WriteSlice(Sweep& sweep, RunStore& rows);
  void SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status);

  const Options options_;
  Gate& gate_;
  Writer& writer_;
};

}  // namespace joseki::coordinator
