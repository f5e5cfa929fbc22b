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

// Input of an import beyond its memory: sorted chunks on disk, merged when the book is written. The
// result does not depend on where the chunks were cut.

// An unnamed file, deleted on close: written once, then read once from its begin.
class SpillFile {
 public:
  // Creates the file in `folder`; errors name the folder.
  static absl::StatusOr<SpillFile> Create(const std::string& folder);

  // Copies all bytes of a pipe, which can be read only once; "-" is standard input. "file_error" of
  // the pipe or the folder.
  static absl::StatusOr<SpillFile> CopyOf(const std::string& pipe, const std::string& folder);

  // A name under which this process may open the file from its begin, as long as the object lives.
  std::string path() const;

  absl::Status Write(const void* bytes, size_t size);
  absl::Status Rewind();
  // Returns false at the end. An error if the file ends within `size` bytes.
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

// Positions of books, spilled to disk. Equal packed forms keep the order in which they were added.
class BookSpill {
 public:
  explicit BookSpill(std::string folder) : folder_(std::move(folder)) {}

  bool empty() const { return chunks_.empty(); }
  uint64_t positions() const { return positions_; }
  absl::Status Add(std::vector<book::DbPosition> positions);
  // Visits positions ascending by packed form. Call at most once.
  absl::Status ForEach(const std::function<absl::Status(const book::DbPosition&)>& visit);

 private:
  std::string folder_;
  std::vector<SpillFile> chunks_;
  uint64_t positions_ = 0;
};

}  // namespace joseki::book
