#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "coordinator/model/messages.h"
#include "coordinator/offline/export_style.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A book to write to one file.
struct ExportRequest {
  RunId run = 0;  // 0: the book itself
  book::BookFormat format = book::BookFormat::kJson;
  std::optional<ExportStyle> style = std::nullopt;  // one that may be written in `format`
  std::optional<Color> side = std::nullopt;         // keeps only positions where it moves
};

// The file, and lines for its user.
struct ExportedFile {
  std::string bytes;  // equal books give equal bytes
  uint64_t positions = 0;
  uint64_t moves = 0;
  std::vector<std::string> options;   // to set in the file's reader: those of the style,
  std::vector<std::string> warnings;  // and those whose defaults refuse some of its positions
  std::vector<std::string> notes;     // on differences between the file and the games
};

// The file of a book in memory. REQUIRES: the format is of its game (CheckFormat).
ExportedFile FileOf(const ExportBook& book, const Rules& rules, book::BookFormat format,
                    std::optional<ExportStyle> style = std::nullopt);

// The file of a stored book or run, reading a consistent state; a coordinator may be writing.
// InvalidArgument "other_game" if the format is another game's, NotFound "unknown_run".
absl::StatusOr<ExportedFile> ExportFile(book::Store& store, const Rules& rules,
                                        const ExportRequest& request);

}  // namespace joseki::coordinator
