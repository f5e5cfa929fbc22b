#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/import_format.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

struct ConvertOptions {
  book::ImportFormat from;
  std::optional<book::BookFormat> to;  // nullopt: only read
  bool fold = false;                   // turn every position so that Black moves
  std::optional<Color> side;           // keep only positions where this side moves
  int threads = 0;                     // 0: number of processors
  std::string out = {};                // the file to write, if `to` is set
  // Memory for .db, .ybb, JSON and probe files, in bytes; the rest goes to unnamed files in
  // `spill_folder`. The result does not depend on it.
  size_t memory = size_t{1} << 28;
  std::string spill_folder = {};  // empty: that of `out`
  std::function<void(const absl::Status&)> on_reject;
};

struct ConvertReport {
  int64_t positions = 0;  // read
  int64_t moves = 0;
  int64_t written = 0;    // positions, equal ones counted once
  int64_t unreached = 0;  // records of Apery's and Gikou's books whose position no walk reaches
  bool kept_unreached = false;  // whether they are in the written book, unchanged
  std::map<std::string, int64_t> rejects_by_reason;
  std::vector<std::string> losses;  // data that the written format cannot hold, in words
  uint64_t bytes = 0;               // of the file
  std::string sha256;               // of the file, in hex; empty if none was written
};

// Reads a book of another program, checks every move by the rules, and writes it in a format, all
// or nothing. From Apery's format to itself nothing is lost.
// Apery's, Gikou's and ShogiGUI's books are read by walking from position to position; ShogiGUI's,
// Apery's and lines are written from the whole book. For these the book is in memory.
absl::StatusOr<ConvertReport> ConvertBook(const std::string& path, const ConvertOptions& options);

}  // namespace joseki::coordinator
