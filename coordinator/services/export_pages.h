#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/spill.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/services/permits.h"
#include "engine/core/rules.h"
#include "joseki/v1/reader.pb.h"

namespace joseki::coordinator {

// The limit on simultaneous exports over the network: each holds its book and its whole run in
// memory. "too_many_exports".
std::shared_ptr<Permits> ExportPermits();

// Cuts one exported book into chunks. The first page makes the book and puts it into an unnamed
// file beside the database. The others are read from there, so a slow reader costs no memory.
class ExportPages {
 public:
  ExportPages(std::string db_path, const Rules& rules, RunId run, book::BookFormat format,
              Permits::Permit permit)
      : db_path_(std::move(db_path)),
        rules_(rules),
        run_(run),
        format_(format),
        permit_(std::move(permit)) {}

  absl::StatusOr<std::vector<v1::ExportBookChunk>> Next();

 private:
  absl::Status Make();

  const std::string db_path_;
  const Rules& rules_;
  const RunId run_;
  const book::BookFormat format_;
  const Permits::Permit permit_;
  ExportedFile file_;  // for the first chunk, without its bytes
  std::optional<book::SpillFile> book_;
  size_t left_ = 0;  // bytes still to be read from it
};

}  // namespace joseki::coordinator
