#pragma once

#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "book/database/import_events.h"
#include "book/database/spill.h"

namespace joseki::book {

// Splits input files into pieces of work that threads may do in any order. A long text that can be
// cut (CutOf) is never held in memory whole; the places of the cuts depend on its bytes alone. Any
// other file is read whole by one thread. Input that can be read only once (a pipe, "-" for
// standard input) is copied to disk first: its hash is needed before its games. Next may be called
// by one thread at a time; pieces may run on any, and the source must outlive them.
class ImportSource {
 public:
  // Name that stands for standard input.
  static constexpr char kStandardInput[] = "-";

  // Reads one piece and emits its events. The first piece of a file that is cut also computes the
  // hash of the whole file, while other threads read on.
  using Work = std::function<void(const EventSink&)>;

  // `part`: approximate size of a piece, bytes; a parameter for tests.
  ImportSource(const std::vector<std::string>& files, const ReadOptions& options,
               size_t part = size_t{4} << 20)
      : files_(files), options_(options), part_(part) {}

  // The next piece; nullopt at the end or after a file that cannot be read.
  std::optional<Work> Next();
  // The problem of the file that could not be read.
  absl::Status status() const;

 private:
  // Path of the file's bytes; of a copy if the file can be read only once.
  absl::StatusOr<std::string> PathOf(const std::string& name);
  // The next part of the current file; nullopt at its end.
  std::optional<Work> NextPart();
  // Fills carry_ to part_ bytes, or further until it can be cut. Returns the place of the cut.
  size_t FillToCut();
  std::optional<Work> Fail(const std::string& path, int error);
  std::optional<Work> Fail(const absl::Status& status);

  const std::vector<std::string>& files_;
  const ReadOptions options_;
  const size_t part_;
  size_t next_ = 0;
  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);

  // State of the file that is being cut.
  std::string name_;
  std::string path_;
  std::shared_ptr<const SpillFile> copy_;  // null: the file is read under its own name
  std::ifstream in_;
  std::string carry_;  // bytes read and not yet handed out
  ImportFormat format_;
  int line_ = 1;
};

}  // namespace joseki::book
