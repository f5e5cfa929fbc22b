#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "cli/experiment/field_books.h"
#include "cli/experiment/lab.h"

// The opponents that tuned books are measured against.
namespace joseki::cli {

// Limits at which a move takes another engine as long as it takes ours, by some games between the
// two without books.
struct EqualTime {
  uint64_t our_nodes = 1;
  uint64_t their_nodes = 1;
  double our_ms = 0;  // a move, in the games at these limits
  double their_ms = 0;
};

struct FieldColumn {
  std::string name;     // "input10", "engine:fairy"
  std::string word;     // the same as a part of file names
  std::string against;  // in words
  bool league = false;  // every other tuned book; the rest is not said then
  PlannedSide side{};
  uint64_t nodes = 0;  // a move of the book's side, and of the other if it has none of its own
  std::optional<EqualTime> time{};  // of an engine
};

struct ColumnKind {
  const char* name;
  const char* what;
};
// Those with names of their own; engine:ID beside them.
std::span<const ColumnKind> ColumnKinds();

// The column, its opponent made first; a move of an engine is to take `engine_ms`. InvalidArgument
// "usage" for no such column.
absl::StatusOr<FieldColumn> ColumnOf(Laboratory& lab, const std::string& name, double engine_ms);
// Only whether there is such a one.
absl::Status CheckColumn(const Laboratory& lab, const std::string& name);

// A book's match in a column that is no league. REQUIRES: the book is made.
MatchPlan MatchOfBook(const Laboratory& lab, const FieldBook& book, const FieldColumn& column);

}  // namespace joseki::cli
