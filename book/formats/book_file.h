#pragma once

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// The book files of shogi programs, whichever format they have.

enum class BookFormat { kYaneuraouDb, kYbb, kApery, kGikou, kSbk, kProbe, kJson };

// What kind of book `bytes` are; nullopt for none. A YANEURAOU-DB2016 book has its magic, or a
// first line "sfen ..." that no game record starts with (those go on with "moves"). An Apery book
// has no magic, but no text has its zero bytes.
std::optional<BookFormat> BookFormatOf(std::string_view bytes);

// Streams the positions of a book; as the reader of its format says (yaneuraou_db.h, ybb.h,
// apery.h, gikou.h, sbk.h, probe_file.h, json_book.h). Rejected too is each record of an Apery book
// whose position is not reached ("unreached_position").
absl::Status ReadBook(BookFormat format, std::string_view bytes, std::string_view file,
                      const DbSink& sink);

}  // namespace joseki::book
