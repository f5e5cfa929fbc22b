#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/formats/position.h"

namespace joseki::book {

// Input of an import beyond its memory: sorted chunks on the disk, merged when it is written. The
// result does not depend on where the chunks were cut.

// A file without a name, gone when it is closed: written once, then read once from its begin.
class SpillFile {
 public:
  // In `folder`; errors name it.
  static absl::StatusOr<SpillFile> Create(const std::string& folder);

  // Everything that a pipe gives, for it can be read only once; "-" is the standard input.
  // "file_error" of the pipe or the folder.
  static absl::StatusOr<SpillFile> CopyOf(const std::string& pipe, const std::string& folder);

  // A name by which this process may open it, from its begin, as long as it lives.
  std::string path() const;

  absl::Status Write(const void* bytes, size_t size);
  absl::Status Rewind();
  // False at the end. An error where the file ends within `size` bytes.
  absl::StatusOr<bool> Read(void* bytes, size_t size);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  SpillFile(std::FILE* file, std::string folder) : file_(file), folder_(std::move(folder)) {}
  absl::Status Failed(const char* what) const;

  std::unique_ptr<std::FILE, Close> file_;
  std::string folder_;
};

// Positions of books. Those of one packed form come in the order in which they were added.
class BookSpill {
 public:
  explicit BookSpill(std::string folder) : folder_(std::move(folder)) {}

  bool empty() const { return chunks_.empty(); }
  uint64_t positions() const { return positions_; }
  absl::Status Add(std::vector<book::DbPosition> positions);
  // Ascending by packed form. To be called once.
  absl::Status ForEach(const std::function<absl::Status(const book::DbPosition&)>& visit);

 private:
  std::string folder_;
  std::vector<SpillFile> chunks_;
  uint64_t positions_ = 0;
};

}  // namespace joseki::book
