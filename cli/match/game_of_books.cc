#include "cli/match/game_of_books.h"

#include "base/database_file.h"
#include "base/mapped_file.h"
#include "book/database/import_format.h"
#include "book/formats/book_file.h"
#include "book/records/record.h"
#include "cli/match/book.h"
#include "cli/open_book.h"
#include "engine/games.h"

namespace joseki::cli {
namespace {

// The game of another program's book, or of game records; empty if the file is neither.
std::string GameOfFile(const std::string& path) {
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return "";
  const book::ImportFormat format = book::FormatOfContent(file->bytes());
  if (format.book) return book::GameOfBook(*format.book, file->bytes());
  const book::RecordFormatRow* const records = book::RowOf(format.records);
  return records != nullptr ? std::string(records->game) : "";
}

}  // namespace

absl::Status UseGameOfBooks(Context& context, std::span<const std::string> names) {
  if (!context.game().empty()) return absl::OkStatus();
  for (const std::string& name : names) {
    for (const std::string& book : {name, name.substr(0, name.rfind('@'))}) {
      const std::string file = BookFileOf(book);
      if (IsBookDatabaseAt(file))
        return OpenBook(context, file, book::OpenMode::kReadOnly).status();
      // A book of a game without rules is refused by its reader.
      if (const std::string game = GameOfFile(file); RulesOf(game).ok())
        return context.UseGame(game);
    }
  }
  return absl::OkStatus();
}

}  // namespace joseki::cli
