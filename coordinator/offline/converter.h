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
  book::ImportFormat from = book::ImportFormat::kByContent;
  std::optional<ExportFormat> to;  // nullopt: only read
  bool fold = false;               // every position turned so that Black moves
  std::optional<Color> side;       // only positions where this side moves
  int threads = 0;                 // 0: as many as there are processors
  std::string out = {};            // the file to write, where `to` is set
  // Of .db, .ybb, JSON and probe files so much is in memory, whatever their size; the rest goes to
  // files without a name in `spill_folder`. The file is the same.
  size_t memory = size_t{1} << 28;
  std::string spill_folder = {};  // empty: that of `out`
  std::function<void(const absl::Status&)> on_reject;
};

struct ConvertReport {
  int64_t positions = 0;  // read
  int64_t moves = 0;
  int64_t written = 0;    // positions, those that became equal once
  int64_t unreached = 0;  // records of Apery's and Gikou's books whose position no walk comes to
  bool kept_unreached = false;  // they stand in what was written, as they were
  std::map<std::string, int64_t> rejects_by_reason;
  std::vector<std::string> losses;  // what the written format has no place for, in words
  uint64_t bytes = 0;               // of the file
  std::string sha256;               // the same in hex; empty if none was written
};

// Reads a book of another program, every move checked by the rules, and writes it in a format, all
// or nothing. From Apery's to Apery's nothing is lost. Apery's, Gikou's and ShogiGUI's books are
// read by walking from position to position, and written are ShogiGUI's, Apery's and lines from the
// whole book: for those it is in memory.
absl::StatusOr<ConvertReport> ConvertBook(const std::string& path, const ConvertOptions& options);

}  // namespace joseki::coordinator
