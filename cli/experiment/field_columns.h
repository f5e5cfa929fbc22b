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

// Limits at which a move of another engine takes as long as one of ours, measured in games between
// the two without books.
struct EqualTime {
  uint64_t our_nodes = 1;
  uint64_t their_nodes = 1;
  double our_ms = 0;  // per move, at these limits
  double their_ms = 0;
};

struct FieldColumn {
  std::string name;     // "input10", "engine:fairy"
  std::string word;     // the name as a part of file names
  std::string against;  // in words
  bool league = false;  // against every other tuned book; the fields below are unused
  PlannedSide side{};
  uint64_t nodes = 0;  // of a move of the book's side, and of the other side unless it names its
                       // own
  std::optional<EqualTime> time{};  // if the opponent is an engine
};

struct ColumnKind {
  const char* name;
  const char* what;
};
// The columns with names of their own; "engine:ID" is a column as well.
std::span<const ColumnKind> ColumnKinds();

// Makes the opponent and returns its column. `engine_ms` is the wanted time of a move against an
// engine. InvalidArgument "usage" for an unknown column, CheckNotVoid's error where its games with
// the engine broke off.
absl::StatusOr<FieldColumn> ColumnOf(Laboratory& lab, const std::string& name, double engine_ms);
// Checks the name alone, with the error of ColumnOf.
absl::Status CheckColumn(const Laboratory& lab, const std::string& name);

// The match of a book in a column other than the league. REQUIRES: the book is made.
MatchPlan MatchOfBook(const Laboratory& lab, const FieldBook& book, const FieldColumn& column,
                      uint64_t judge_nodes);

}  // namespace joseki::cli
