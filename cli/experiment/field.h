#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// How good the books of a method are: several of them, each against the same opponents.
namespace joseki::cli {

struct FieldArguments {
  std::vector<std::string> methods;  // of cli/experiment/field_books.h
  std::optional<int> books;          // of each; of files all there are unless it is said
  uint64_t budget = 5000;            // of a book, in games
  std::vector<std::string> columns = {"input", "equal", "bookless", "input10", "bookless10"};
  std::vector<std::string> aims;       // [COLUMN=]ELO
  std::vector<std::string> opponents;  // engines of the engines file: a column each
  double engine_ms = 20;               // that a move takes there, either side, in the mean
};

struct CurveArguments {
  std::string method;
  std::vector<uint64_t> budgets;  // ascending
  FieldArguments field;           // the rest
};

inline constexpr int kFieldBooks = 8;

// A row a method, a column an opponent; then every book. Of what is not yet played when it is
// broken off, cells are missing. InvalidArgument "usage" with the flag.
absl::StatusOr<ExperimentReport> Field(Laboratory& lab, const FieldArguments& arguments);

// A row a budget, and what each step brought.
absl::StatusOr<ExperimentReport> Curve(Laboratory& lab, const CurveArguments& arguments);

}  // namespace joseki::cli
