#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "book/formats/yaneuraou_db.h"

namespace joseki::book {

// The book files of programs of shogi and xiangqi, whichever format they have. A format is a reader
// or a writer of its own, a value here and a row of the table (book_file.cc).

enum class BookFormat {
  kYaneuraouDb,
  kYbb,
  kProbe,
  kSbk,
  kGikou,
  kJson,
  kApery,
  kUsiLines,
  kEleeye,
  kObk,
  kUcciLines
};

// Facts that a format has a place for, beside positions and moves.
struct BookHolds {
  bool replies = false;
  bool counts = false;
  bool values = false;
  bool depths = false;
};

struct BookFormatRow {
  BookFormat format = BookFormat::kYaneuraouDb;
  std::string_view name;
  std::string_view other_name;  // taken as well; empty: none
  // True if a file is one, by its content; null: content does not tell.
  bool (*is)(std::string_view bytes) = nullptr;
  // Streams the positions of a file, as the reader of the format says; null: it is only written.
  absl::Status (*read)(std::string_view bytes, std::string_view file, const DbSink& sink) = nullptr;
  // The bytes of a whole book; null: it is only read. A format without comments ignores them.
  std::string (*write)(std::vector<DbPosition> positions, const DbComment& comment) = nullptr;
  BookHolds holds = {};
  std::string_view game = "shogi";  // whose books these are; empty: `game_of` tells
  // The game that a book says it is of, by its word; null unless there are books of any game.
  std::string (*game_of)(std::string_view bytes) = nullptr;
};

const BookFormatRow& RowOf(BookFormat format);

std::string_view Name(BookFormat format);
// Every name of the formats that `wanted` is true of.
std::vector<std::string> NamesOf(bool (*wanted)(const BookFormatRow& row));
inline bool IsWritten(const BookFormatRow& row) { return row.write != nullptr; }
inline bool IsRead(const BookFormatRow& row) { return row.read != nullptr; }
// By either name; nullopt for another word.
std::optional<BookFormat> BookFormatNamed(std::string_view name);

// The kind of book that `bytes` are; nullopt for none. A YANEURAOU-DB2016 book has its magic, or a
// first line "sfen ..." that no game record starts with (those go on with "moves"). An Apery book
// has no magic, but no text has its zero bytes.
std::optional<BookFormat> BookFormatOf(std::string_view bytes);

// The game of this book, as the book names it; it may be the name of no game.
std::string GameOfBook(BookFormat format, std::string_view bytes);
// InvalidArgument "other_game" where it is another game's than `game`.
absl::Status CheckGame(BookFormat format, std::string_view bytes, std::string_view file,
                       std::string_view game);
// True if a book of that game can be written so.
inline bool IsOfGame(const BookFormatRow& row, std::string_view game) {
  return row.game.empty() || row.game == game;
}

// Streams the positions of a book; as the reader of its format says (yaneuraou_db.h, ybb.h,
// apery.h, gikou.h, sbk.h, probe_file.h, json_book.h, eleeye.h, obk.h). Rejected too is each record
// of an Apery book whose position is not reached ("unreached_position"). REQUIRES: the format can
// be read.
absl::Status ReadBook(BookFormat format, std::string_view bytes, std::string_view file,
                      const DbSink& sink);

}  // namespace joseki::book
