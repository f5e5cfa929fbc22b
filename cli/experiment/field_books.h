#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"

// The methods that make tuned books of the folder's input book (Type-2), and their books.
namespace joseki::cli {

// What a book has cost.
struct BookCost {
  uint64_t games = 0;
  uint64_t game_nodes = 0;
  uint64_t searches = 0;
  uint64_t search_nodes = 0;
  // In games: the searches by the nodes of one of them, which is the mean of the book's own games,
  // or `usual_nodes` where it has few.
  double equivalents(double usual_nodes) const;
};

struct FieldBook {
  std::string method;  // as it was named
  std::string label;   // "priors 3", or the file
  std::string word;    // the same as a part of file names
  uint64_t budget = 0;
  int number = 0;                // from 1
  std::optional<uint64_t> seed;  // of its making; nullopt: it was made elsewhere
  // Once it is made:
  std::string name;  // as LoadBook takes it; empty: not yet
  std::optional<BookCost> cost;
};

// One way to make a book.
struct FieldMethod {
  const char* name;
  const char* how;
  double searched;  // share of the budget that goes into searches where it asks for them, at most
  // How the run is asked for, its budget apart; null: `make` does all.
  void (*ask)(const FieldBook& book, SpecArguments& spec);
  // Makes book.name.
  absl::Status (*make)(Laboratory& lab, const FieldMethod& method, FieldBook& book);
};

// Those with names of their own; beside them every policy is one by its name, without evaluations.
std::span<const FieldMethod> FieldMethods();

// The books that the method is to have, none made yet: `books` of them, or for "files:GLOB" those
// that are there, at most `books`. InvalidArgument "usage" for no such method, NotFound where no
// file is.
absl::StatusOr<std::vector<FieldBook>> BooksOf(const Laboratory& lab, const std::string& method,
                                               std::optional<int> books, uint64_t budget);

// Makes the book unless it is there, and says what it cost. Errors as Laboratory::TunedBook.
absl::Status MakeBook(Laboratory& lab, FieldBook& book);

// Nodes of a game of the input book against itself at the experiment's limit, by some games.
absl::StatusOr<double> NodesOfGame(Laboratory& lab);

}  // namespace joseki::cli
