#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/import_format.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

struct ConvertOptions {
  ImportFormat from = ImportFormat::kByContent;
  std::optional<ExportFormat> to;  // nullopt: only read
  bool fold = false;               // every position turned so that Black moves
  std::optional<Color> side;       // only positions where this side moves
  int threads = 0;                 // 0: as many as there are processors
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
  std::string bytes;                // the file
};

// Reads a book of another program, every move checked by the rules, and writes it in a format. From
// Apery's to Apery's nothing is lost.
absl::StatusOr<ConvertReport> ConvertBook(const std::string& path, const ConvertOptions& options);

}  // namespace joseki::coordinator
