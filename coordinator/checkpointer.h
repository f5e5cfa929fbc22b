#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "coordinator/core/sweeps.h"
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
    SweepLag lag;
    size_t rows = 250;  // written, and copied under the mutex, per slice
  };

  // `gate` and `writer` must outlive this object.
  Checkpointer(Options options, Gate& gate, Writer& writer)
      : options_(options), gate_(gate), writer_(writer) {}

  // Begins the checkpoints that are due, or those of all changed runs (sweeps.h).
  void WriteDue();
  void WriteAll();

 private:
  void Write(Sweeps sweeps);
  void PushSlice(std::shared_ptr<Sweep> sweep);
  absl::Status WriteSlice(const Sweep& sweep, RunStore& rows);
  void SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status);

  const Options options_;
  Gate& gate_;
  Writer& writer_;
};

}  // namespace joseki::coordinator
