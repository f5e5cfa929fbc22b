#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/book_file.h"
#include "book/records/record.h"

namespace joseki::book {

// Kind of a file to import: a book, records of games, or, if neither is set, by its content.
struct ImportFormat {
  std::optional<BookFormat> book = {};
  RecordFormat records = RecordFormat::kUnknown;

  bool by_content() const { return !book && records == RecordFormat::kUnknown; }
  bool operator==(const ImportFormat&) const = default;
};

// The names of the formats, "auto" (by content) first.
std::vector<std::string> ImportFormatNames();
// Nullopt for a word that is none of them.
std::optional<ImportFormat> ImportFormatOf(std::string_view name);

// The format of `bytes`, or of the beginning of a file; by_content() if it is no book or record.
ImportFormat FormatOfContent(std::string_view bytes);

// A place to cut a text of this format that begins with `bytes`, so that both parts together read
// like the whole: the length of the longest such part, 0 if there is none. Records are cut as their
// row says, a YANEURAOU-DB2016 book before a position; others cannot be cut.
size_t CutOf(std::string_view bytes, const ImportFormat& format);

}  // namespace joseki::book
