#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "book/play_book.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A book to play from, with its identity.
struct LoadedBook {
  std::shared_ptr<const book::PlayBook> book;
  std::string sha256;  // of structure, weights and answers, hex
  // Whether moves are drawn by weight (PlayRules::Choice::kShare): the book is of another program
  // whose reader draws one of several moves.
  bool draws = false;
};

// The source of the weights of another program's book.
enum class FileWeights {
  kCounts,  // the counts in the file
  kReader,  // how often the book's own program plays each move
};

// Loads the book that `name` means:
//   FILE              a Joseki database: its base weights, or the number of games where none was
//                     ever set. Or a book of another program (book/formats/book_file.h): the moves
//                     that it plays by its default options, without those that limit plies, depths
//                     and values (ChoiceBy of book/formats/reader.h)
//   FILE#frequency    the database's moves by the number of games and imported counts
//   FILE#R            the tuned book of run R: the policy's weights and answers
//   FILE#R/K          the tuned book after the first K stages of run R
//   FILE#R:input      the book that run R began with: base weights
//   FILE#R:frequency  that book, by the number of games
//   FILE#R:opponent   the book that run R was tuned against
// NotFound where there is no such file or run; "empty_book" for a book without moves.
absl::StatusOr<LoadedBook> LoadBook(const Rules& rules, const std::string& name,
                                    FileWeights weights = FileWeights::kCounts);

// The file that `name` means, without the part behind #.
std::string BookFileOf(std::string_view name);

}  // namespace joseki::cli
