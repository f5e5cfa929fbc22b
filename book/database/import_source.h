#pragma once

#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/import_events.h"
#include "book/database/spill.h"

namespace joseki::book {

// Files as pieces of work that threads may do in any order. A long text that can be cut (CutOf) is
// never in memory whole: where it is cut depends on its bytes alone. Others are, one at a time for
// each thread. What can be read only once (a pipe, "-" for the standard input) is copied to the
// disk first: its hash must be known before its games. One thread at a time, but for the pieces,
// which the source must outlive.
class ImportSource {
 public:
  // In the place of a file's name.
  static constexpr char kStandardInput[] = "-";

  // Reads something and gives its events. The first piece of a file that is cut takes the hash of
  // the whole, while other threads read on.
  using Work = std::function<void(const EventSink&)>;

  // `part`: how long a piece of a file is, about; for tests.
  ImportSource(const std::vector<std::string>& files, const ReadOptions& options,
               size_t part = size_t{4} << 20)
      : files_(files), options_(options), part_(part) {}

  // The next piece; nullopt at the end, or after a file that cannot be read.
  std::optional<Work> Next();
  // The problem of the file that could not be read.
  absl::Status status() const;

 private:
  // Path of the file's bytes, which are copied if need be.
  absl::StatusOr<std::string> PathOf(const std::string& name);
  // Goes on in the file at hand; nullopt where it is at its end.
  std::optional<Work> NextPart();
  // Fills carry_ until it has part_ bytes, or more where it cannot be cut before.
  size_t FillToCut();
  std::optional<Work> Fail(const std::string& path, int error);
  std::optional<Work> Fail(const absl::Status& status);

  const std::vector<std::string>& files_;
  const ReadOptions options_;
  const size_t part_;
  size_t next_ = 0;
  mutable std::mutex mutex_;
  absl::Status status_;  // under mutex_

  // State of the file that is being cut.
  std::string name_;
  std::string path_;
  std::shared_ptr<const SpillFile> copy_;  // null: it lies there under its name
  std::ifstream in_;
  std::string carry_;  // read, and not yet given out
  ImportFormat format_;
  int line_ = 1;
};

}  // namespace joseki::book
