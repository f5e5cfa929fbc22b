#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "book/play_book.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A book to play from, and what it is.
struct LoadedBook {
  std::shared_ptr<const book::PlayBook> book;
  std::string sha256;  // of structure, weights and answers, hex
  // Its answers are to be drawn by the weights (PlayRules::Choice::kShare): of a book of another
  // program whose reader draws one of several moves.
  bool draws = false;
};

// What the weights of a book of another program are.
enum class FileWeights {
  kCounts,  // the counts that stand in it
  kReader,  // how often the program that it was made for plays each move
};

// The book that `name` means:
//   FILE            a Joseki database: its base weights, or where none was ever set the number of
//                   games; or a book of another program (book/formats/book_file.h): what that
//                   plays by its default options, those that limit plies, depths and values left
//                   out (ChoiceBy of book/formats/reader.h)
//   FILE#frequency  the database's moves by the number of games and imported counts
//   FILE#R          the tuned book of run R: the policy's weights and answers
//   FILE#R/K        the same as it was when its first K stages were over
//   FILE#R:input    the book that run R began with: base weights
//   FILE#R:frequency  that book, by the number of games
//   FILE#R:opponent   what run R was tuned against
// NotFound where there is no such file or run; a book without moves is an error ("empty_book").
absl::StatusOr<LoadedBook> LoadBook(const Rules& rules, const std::string& name,
                                    FileWeights weights = FileWeights::kCounts);

// Whether the file is a SQLite database; false where it cannot be read.
bool IsDatabase(const std::string& path);

// The file that `name` means, without what stands behind #.
std::string BookFileOf(std::string_view name);

}  // namespace joseki::cli
