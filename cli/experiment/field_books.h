#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/book_cost.h"
#include "cli/experiment/lab.h"

// The methods that make tuned books of the folder's input book (Type-2), and their books.
namespace joseki::cli {

struct FieldBook {
  std::string method;  // as given by the user
  std::string label;   // "priors 3", or the file
  std::string word;    // the label as a part of file names
  uint64_t budget = 0;
  int number = 0;                // from 1
  std::optional<uint64_t> seed;  // seed of its making; nullopt: made elsewhere
  // Set once the book is made.
  std::string name;  // as LoadBook takes it; empty: not made yet
  std::optional<BookCost> cost;
};

// One way to make a book.
struct FieldMethod {
  const char* name;
  const char* how;
  double searched;  // largest share of the budget for searches, if it makes any
  // Fills in the run's specification; its games are the budget, unless the method has a reason for
  // others. Null: `make` does all.
  void (*ask)(const FieldBook& book, SpecArguments& spec);
  // Makes book.name.
  absl::Status (*make)(Laboratory& lab, const FieldMethod& method, FieldBook& book);
};

// The methods with names of their own. Every policy is a method as well, by its name, without
// evaluations.
std::span<const FieldMethod> FieldMethods();

// The books of a method, none made yet: `books` of them. For "files:GLOB" these are the existing
// files, at most `books`. InvalidArgument "usage" for an unknown method, NotFound where no file
// matches.
absl::StatusOr<std::vector<FieldBook>> BooksOf(const Laboratory& lab, const std::string& method,
                                               std::optional<int> books, uint64_t budget);

// The book of a database of the folder, by the stem of its name. It is one that BooksOf names, or
// else a book, already made, of a method of that name.
FieldBook BookOfWord(const Laboratory& lab, const std::string& word);

// Makes the book unless it exists, and sets its cost. Errors as Laboratory::TunedBook.
absl::Status MakeBook(Laboratory& lab, FieldBook& book);

// Mean nodes of a game of the input book against itself at the experiment's limit, measured over
// some games. CheckNotVoid's error where they broke off.
absl::StatusOr<double> NodesOfGame(Laboratory& lab);

}  // namespace joseki::cli
