#include "coordinator/offline/export_file.h"

#include <utility>

#include "base/status_macros.h"
#include "coordinator/offline/export_json.h"
#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {
namespace {

template <typename Position>
void Count(const std::vector<Position>& positions, ExportedFile& file) {
  file.positions = positions.size();
  for (const Position& position : positions) file.moves += position.moves.size();
}

}  // namespace

ExportedFile FileOf(const ExportBook& book, const Rules& rules, book::BookFormat format,
                    std::optional<ExportStyle> style) {
  ExportedFile file;
  // The project's own form has every fact as it is.
  if (!style && format == book::BookFormat::kJson) {
    Count(book.positions, file);
    file.bytes = ExportJson(book, rules);
    return file;
  }
  std::vector<book::DbPosition> positions =
      style ? PositionsFor(book, *style) : PositionsOf(book, format);
  if (style) {
    file.options = OptionsFor(*style);
  } else {
    file.notes = NotesOn(book, positions, format);
  }
  file.warnings = WarningsFor(positions, format);
  Count(positions, file);
  file.bytes = book::WriteBook(format, std::move(positions), CommentsOf(book));
  return file;
}

absl::StatusOr<ExportedFile> ExportFile(book::Store& store, const Rules& rules,
                                        const ExportRequest& request) {
  RETURN_IF_ERROR(CheckFormat(request.format, rules));
  ASSIGN_OR_RETURN(ExportBook book, LoadExport(store, rules, request.run));
  if (request.side) KeepSide(book, *request.side);
  return FileOf(book, rules, request.format, request.style);
}

}  // namespace joseki::coordinator
