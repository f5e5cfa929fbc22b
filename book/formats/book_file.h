#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "book/formats/yaneuraou_db.h"

namespace joseki::book {

// The book files of shogi and xiangqi programs, in all formats. A format consists of a reader and a
// writer (or one of them), a value of this enum and a row of the table (book_file.cc).

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

// Facts besides positions and moves that a format can store.
struct BookHolds {
  bool replies = false;
  bool counts = false;
  bool values = false;
  bool depths = false;
};

struct BookFormatRow {
  BookFormat format = BookFormat::kYaneuraouDb;
  std::string_view name;
  std::string_view other_name;  // alternative name; empty: none
  // True if a file has this format, by its content; null: content does not tell.
  bool (*is)(std::string_view bytes) = nullptr;
  // Streams the positions of a file, as the format's reader says; null: the format is write-only.
  absl::Status (*read)(std::string_view bytes, std::string_view file, const DbSink& sink) = nullptr;
  // The bytes of a whole book; null: the format is read-only. Formats without comments ignore
  // `comment`.
  std::string (*write)(std::vector<DbPosition> positions, const DbComment& comment) = nullptr;
  BookHolds holds = {};
  std::string_view game = "shogi";  // game of these books; empty: `game_of` tells
  // The game that a book names; null unless the format serves every game.
  std::string (*game_of)(std::string_view bytes) = nullptr;
};

const BookFormatRow& RowOf(BookFormat format);

std::string_view Name(BookFormat format);
// All names of the formats for which `wanted` is true.
std::vector<std::string> NamesOf(bool (*wanted)(const BookFormatRow& row));
inline bool IsWritten(const BookFormatRow& row) { return row.write != nullptr; }
inline bool IsRead(const BookFormatRow& row) { return row.read != nullptr; }
// The format with this name or alternative name; nullopt for another word.
std::optional<BookFormat> BookFormatNamed(std::string_view name);

// The format of `bytes`; nullopt if it is no book. A YANEURAOU-DB2016 book has its magic, or a
// first line "sfen ..." without the "moves" that a game record would have. An Apery book has no
// magic, but contains zero bytes, as no text does.
std::optional<BookFormat> BookFormatOf(std::string_view bytes);

// The game that this book names; not necessarily a known one.
std::string GameOfBook(BookFormat format, std::string_view bytes);
// InvalidArgument "other_game" if the book belongs to another game than `game`.
absl::Status CheckGame(BookFormat format, std::string_view bytes, std::string_view file,
                       std::string_view game);
// True if a book of `game` can be written in the format.
inline bool IsOfGame(const BookFormatRow& row, std::string_view game) {
  return row.game.empty() || row.game == game;
}

// Streams the positions of a book, as the reader of its format says (yaneuraou_db.h, ybb.h,
// apery.h, gikou.h, sbk.h, probe_file.h, json_book.h, eleeye.h, obk.h). Also rejects each record of
// an Apery book whose position is not reached ("unreached_position"). REQUIRES: the format can be
// read.
absl::Status ReadBook(BookFormat format, std::string_view bytes, std::string_view file,
                      const DbSink& sink);

// The bytes of a book of these positions. `comment` is null for none; formats without comments
// ignore it. REQUIRES: the format can be written.
std::string WriteBook(BookFormat format, std::vector<DbPosition> positions,
                      const DbComment& comment = nullptr);

}  // namespace joseki::book
