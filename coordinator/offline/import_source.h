#pragma once

#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/offline/import_events.h"

namespace joseki::coordinator {

// Files as pieces of work that threads may do in any order. A long text that can be cut (CutOf) is
// never in memory whole: where it is cut depends on its bytes alone. Others are, one at a time for
// each thread. One thread at a time.
class ImportSource {
 public:
  // Reads something and gives its events.
  using Work = std::function<void(const EventSink&)>;

  // `part`: how long a piece of a file is, about; for tests.
  ImportSource(const std::vector<std::string>& files, const ReadOptions& options,
               size_t part = size_t{4} << 20)
      : files_(files), options_(options), part_(part) {}

  // The next piece; nullopt at the end, or after a file that cannot be read.
  std::optional<Work> Next();
  // Of the file that could not be read.
  const absl::Status& status() const { return status_; }

 private:
  // Goes on in the file at hand; nullopt where it is at its end.
  std::optional<Work> NextPart();
  // Fills carry_ until it has part_ bytes, or more where it cannot be cut before.
  size_t FillToCut();
  std::optional<Work> Fail(const std::string& path, int error);

  const std::vector<std::string>& files_;
  const ReadOptions options_;
  const size_t part_;
  size_t next_ = 0;
  absl::Status status_;

  // Of the file that is being cut.
  std::string name_;
  std::ifstream in_;
  std::string carry_;  // read, and not yet given out
  ImportFormat format_ = ImportFormat::kByContent;
  Sha256 content_{};
  int line_ = 1;
};

}  // namespace joseki::coordinator
