#include "book/database/import_format.h"

#include <utility>

#include "base/database_file.h"

namespace joseki::book {
namespace {

constexpr std::string_view kByContentName = "auto";

}  // namespace

std::vector<std::string> ImportFormatNames() {
  std::vector<std::string> names = {std::string(kByContentName)};
  for (const RecordFormatRow& row : RecordFormats()) names.emplace_back(row.name);
  for (std::string& name : NamesOf(IsRead)) names.push_back(std::move(name));
  return names;
}

std::optional<ImportFormat> ImportFormatOf(std::string_view name) {
  if (name == kByContentName) return ImportFormat();
  for (const RecordFormatRow& row : RecordFormats()) {
    if (name == row.name) return ImportFormat{.records = row.format};
  }
  const std::optional<BookFormat> book = BookFormatNamed(name);
  if (!book || RowOf(*book).read == nullptr) return std::nullopt;
  return ImportFormat{.book = book};
}

ImportFormat FormatOfContent(std::string_view bytes) {
  if (const std::optional<BookFormat> book = BookFormatOf(bytes)) return {.book = book};
  if (IsSqlite(bytes)) return {};
  return {.records = DetectRecordFormat(bytes)};
}

size_t CutOf(std::string_view bytes, const ImportFormat& format) {
  if (format.book == BookFormat::kYaneuraouDb) {
    const size_t at = bytes.rfind("\nsfen ");
    return at == std::string_view::npos ? 0 : at + 1;
  }
  const RecordFormatRow* const row = RowOf(format.records);
  return row != nullptr && row->cut != nullptr ? row->cut(bytes) : 0;
}

}  // namespace joseki::book
