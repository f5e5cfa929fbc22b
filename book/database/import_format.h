#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/book_file.h"
#include "book/records/record.h"

namespace joseki::book {

// What a file to import holds: a book, records of games, or, if neither is set, what its content
// says.
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

// What `bytes`, or the beginning of a file, are; by_content() for what is no book or record.
ImportFormat FormatOfContent(std::string_view bytes);

// Where a text of this format that begins with `bytes` can be cut, so that both parts are read as
// the whole is: the length of the longest such part, 0 if there is none. Records as their row says,
// a YANEURAOU-DB2016 book before a position; others cannot.
size_t CutOf(std::string_view bytes, const ImportFormat& format);

}  // namespace joseki::book
