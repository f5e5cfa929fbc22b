#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "book/stats/calibration.h"
#include "book/stats/clustered.h"
#include "book/stats/over_books.h"
#include "cli/context.h"
#include "cli/experiment/field_books.h"
#include "cli/experiment/field_columns.h"
#include "cli/experiment/report.h"

// The result of a field: statistics over books, in tables, sentences and numbers. Pure.
namespace joseki::cli {

// The result of a book in a column.
struct FieldCell {
  book::ClusteredScore score;     // without pairs: not played yet
  Json data = Json::object();     // seed, file and result of its match
  book::ClusteredScore judged{};  // by what its games let it expect (judging.h); without pairs:
                                  // not judged
  std::string left_out{};         // PlayedMatch::left_out; then there is no score
  bool played() const { return score.pairs() > 0; }
};

// The books of one method, or of one budget.
struct FieldRow {
  std::string name;
  std::string how;
  std::vector<FieldBook> books;
  std::vector<std::vector<FieldCell>> cells;  // by book, by column
  // The share of the first plies' answers on which two of its books agree; mean over pairs of
  // books.
  std::optional<double> agreement{};
};

// A match of the league; `score` is that of the first book. A row is one of the field's, or behind
// them one of the others.
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
  double nodes_of_game = 0;               // of the input book against itself
  uint64_t judge_nodes = 0;               // as MatchPlan::judge_nodes
  std::vector<book::Calibration> slopes;  // by column: of results on judged expectations
  std::vector<FieldRow> others;           // the league's further opponents, without columns
  std::vector<LeagueMatch> league;        // those with games
  // The league's matches without a result, as "default 1 against default 2 (void: ...)".
  std::vector<std::string> league_left_out;
};

// An aim of at least this many Elo is a gain. A smaller aim is reached if the interval lies above
// kNoInferiority, in Elo.
inline constexpr double kLeastGain = 20;
inline constexpr double kNoInferiority = -10;
// The number of plies whose answers are compared between books.
inline constexpr int kComparedPlies = 10;

// Statistics over the books of the row that were played in the column, or judged there.
book::OverBooks OverBooksOf(const FieldRow& row, size_t column,
                            book::ClusteredScore FieldCell::*score = &FieldCell::score);
Json OverBooksJson(const FieldRow& row, const FieldColumn& column, const book::OverBooks& over);

// "+35 [+20, +50] (sd 14, 8)": mean, Student's interval, sd between books, books.
std::string OverBooksCell(const book::OverBooks& over);

// Adds the table of rows and columns with its sentences, and the table of books. If games were
// judged, adds a table of their expected results.
void AddFieldTables(const FieldResult& result, const std::string& row_name,
                    ExperimentReport& report);
// Adds "methods", "columns", "books" and "results" to the report's data.
void AddFieldData(const FieldResult& result, ExperimentReport& report);

}  // namespace joseki::cli
