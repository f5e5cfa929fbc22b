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

// Writes behind the games what they add up to, run by run, as a checkpoint: slice by slice, so that
// games are not held up. A row is of the games that its slice sees.
//
// Thread-safe; the slices are written on the writer's thread.
class Checkpointer {
 public:
  struct Options {
    // How far a checkpoint may lag behind while its run goes on.
    absl::Duration every = absl::Minutes(1);
    uint64_t games = 20'000;
    size_t rows = 250;  // written, and copied under the mutex, at once
  };
  // A checkpoint on its way.
  struct Sweep;
  using Sweeps = std::vector<std::shared_ptr<Sweep>>;

  // Both must outlive this.
  Checkpointer(Options options, Gate& gate, Writer& writer)
      : options_(options), gate_(gate), writer_(writer) {}

  // Begins the checkpoints that are due, or of all runs that have changed; to be pushed after the
  // event. A run whose checkpoint is being written, or still to be dropped, has to wait.
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
