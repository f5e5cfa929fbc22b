#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/spill.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"
#include "joseki/v1/reader.pb.h"

namespace joseki::coordinator {

// How many books may be exported over the network at once: while one is made it is in memory, with
// all of its run. Thread-safe.
class ExportSeats {
 public:
  static constexpr int kSeats = 2;
  // Given back when the last copy goes.
  using Seat = std::shared_ptr<ExportSeats>;

  // ResourceExhausted "too_many_exports", with the wish to wait, if none is free.
  static absl::StatusOr<Seat> Take(const std::shared_ptr<ExportSeats>& seats);

 private:
  std::atomic<int> taken_ = 0;
};

// Cuts one exported book into chunks. The first page makes it, and puts it into a file without a
// name beside the database, from which the others are read: who reads slowly costs no memory.
class ExportPages {
 public:
  ExportPages(std::string db_path, const Rules& rules, RunId run, ExportFormat format,
              ExportSeats::Seat seat)
      : db_path_(std::move(db_path)),
        rules_(rules),
        run_(run),
        format_(format),
        seat_(std::move(seat)) {}

  absl::StatusOr<std::vector<v1::ExportBookChunk>> Next();

 private:
  absl::Status Make();

  const std::string db_path_;
  const Rules& rules_;
  const RunId run_;
  const ExportFormat format_;
  const ExportSeats::Seat seat_;
  std::optional<book::SpillFile> book_;
  size_t left_ = 0;  // bytes that have not been read from it
};

}  // namespace joseki::coordinator
