#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/book_file.h"

namespace joseki::book {

// What a file to import holds.
enum class ImportFormat {
  kByContent,
  kCsa,
  kKif,
  kKi2,
  kJkf,
  kUsi,
  kYaneuraouDb,
  kYbb,
  kApery,
  kGikou,
  kSbk,
  kProbe,
  kJson
};

// The names of the formats, "auto" (by content) first.
std::vector<std::string> ImportFormatNames();
// nullopt for a word that is none of them.
std::optional<ImportFormat> ImportFormatOf(std::string_view name);

// What `bytes`, or the beginning of a file, are; kByContent for what is no book or record.
ImportFormat FormatOfContent(std::string_view bytes);

// Nullopt for what is no book.
std::optional<book::BookFormat> BookFormatOf(ImportFormat format);

// Where a text of this format that begins with `bytes` can be cut, so that both parts are read as
// the whole is: the length of the longest such part, 0 if there is none. A list of games can be cut
// between two lines, CSA behind a '/', KIF and KI2 before what opens the next game (kif_games.h), a
// YANEURAOU-DB2016 book before a position; others cannot.
size_t CutOf(std::string_view bytes, ImportFormat format);

}  // namespace joseki::book
