#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "book/stats/clustered.h"
#include "book/stats/over_books.h"
#include "cli/context.h"
#include "cli/experiment/field_books.h"
#include "cli/experiment/field_columns.h"
#include "cli/experiment/report.h"

// What a field came to: statistics over books, in tables, sentences and numbers. Pure.
namespace joseki::cli {

// A book in a column.
struct FieldCell {
  book::ClusteredScore score;  // without pairs: not played yet
  Json data = Json::object();  // seed, file and result of its match
  bool played() const { return score.pairs() > 0; }
};

// A method's books, or those of one budget.
struct FieldRow {
  std::string name;
  std::string how;
  std::vector<FieldBook> books;
  std::vector<std::vector<FieldCell>> cells;  // by book, by column
  // Of the first plies' answers, what two of its books have in common, mean over pairs of books.
  std::optional<double> agreement{};
};

// A match between two tuned books, as the first has it.
struct LeagueMatch {
  size_t row = 0;
  size_t book = 0;
  size_t other_row = 0;
  size_t other_book = 0;
  double score = 0.5;
};

struct FieldResult {
  std::vector<FieldColumn> columns;
  std::vector<std::optional<double>> aims;  // by column, in Elo
  std::vector<FieldRow> rows;
  double nodes_of_game = 0;         // of the input book against itself
  std::vector<LeagueMatch> league;  // those with games
};

// From so much on an aim is a gain; below it the interval has to lie above kNoInferiority.
inline constexpr double kLeastGain = 20;
inline constexpr double kNoInferiority = -10;
// Plies whose answers are compared between books.
inline constexpr int kComparedPlies = 10;

// The books of the row that were played in the column.
book::OverBooks OverBooksOf(const FieldRow& row, size_t column);

// "+35 [+20, +50] (sd 14, 8)": mean, Student's interval, sd between books, books.
std::string OverBooksCell(const book::OverBooks& over);

// The table of rows and columns with what it says, and that of books.
void AddFieldTables(const FieldResult& result, const std::string& row_name,
                    ExperimentReport& report);
// "methods", "columns", "books", "results".
void AddFieldData(const FieldResult& result, ExperimentReport& report);

}  // namespace joseki::cli
