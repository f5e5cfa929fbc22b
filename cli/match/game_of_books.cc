#include "cli/match/game_of_books.h"

#include "cli/match/book.h"
#include "cli/open_book.h"

namespace joseki::cli {

absl::Status UseGameOfBooks(Context& context, std::span<const std::string> names) {
  if (!context.game().empty()) return absl::OkStatus();
  for (const std::string& name : names) {
    for (const std::string& book : {name, name.substr(0, name.rfind('@'))}) {
      const std::string file = BookFileOf(book);
      if (IsDatabase(file)) return OpenBook(context, file, book::OpenMode::kReadOnly).status();
    }
  }
  return absl::OkStatus();
}

}  // namespace joseki::cli
