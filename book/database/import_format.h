#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/book_file.h"
#include "book/records/record.h"

namespace joseki::book {

// Kind of a file to import: a book or game records; if neither is set, detect it by content.
struct ImportFormat {
  std::optional<BookFormat> book = {};
  RecordFormat records = RecordFormat::kUnknown;

  bool by_content() const { return !book && records == RecordFormat::kUnknown; }
  bool operator==(const ImportFormat&) const = default;
};

// Names of the formats, "auto" (detect by content) first.
std::vector<std::string> ImportFormatNames();
// Nullopt for an unknown name.
std::optional<ImportFormat> ImportFormatOf(std::string_view name);

// The format of a file, from its first `bytes`; by_content() if it is neither book nor record.
ImportFormat FormatOfContent(std::string_view bytes);

// Finds where a text of this format that begins with `bytes` can be cut, so that both parts read
// like the whole. Returns the length of the longest possible first part, 0 if there is none.
// Records are cut by their own rule, a YANEURAOU-DB2016 book before a position; other formats
// cannot be cut.
size_t CutOf(std::string_view bytes, const ImportFormat& format);

}  // namespace joseki::book
