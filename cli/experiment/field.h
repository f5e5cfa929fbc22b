#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// The strength of a method's books: several of them, each against the same opponents.
namespace joseki::cli {

struct FieldArguments {
  std::vector<std::string> methods;  // of cli/experiment/field_books.h
  std::optional<int> books;          // per method; nullopt: kFieldBooks, or for files all that
                                     // exist
  uint64_t budget = 5000;            // games per book
  std::vector<std::string> columns = {"input", "equal", "bookless", "input10", "bookless10"};
  std::vector<std::string> aims;       // [COLUMN=]ELO
  std::vector<std::string> opponents;  // engines of the engines file: a column each
  double engine_ms = 20;               // mean time of a move against engines, for both sides
  uint64_t judge_nodes = 0;            // as MatchPlan::judge_nodes
};

struct CurveArguments {
  std::string method;
  std::vector<uint64_t> budgets;  // ascending
  FieldArguments field;           // the rest
};

inline constexpr int kFieldBooks = 8;

// Measures a table with a row per method and a column per opponent, and each book by itself. After
// an interruption cells are missing. InvalidArgument "usage" with the flag.
absl::StatusOr<ExperimentReport> Field(Laboratory& lab, const FieldArguments& arguments);

// Measures a table with a row per budget, and the gain of each step.
absl::StatusOr<ExperimentReport> Curve(Laboratory& lab, const CurveArguments& arguments);

}  // namespace joseki::cli
