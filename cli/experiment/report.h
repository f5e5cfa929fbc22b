#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "book/stats/pentanomial.h"
#include "cli/context.h"
#include "cli/experiment/thesis_tables.h"

// The findings of an experiment, for people and for scripts.
namespace joseki::cli {

struct ExperimentTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // one cell a column
  std::vector<std::string> sentences{};        // findings in words
};

struct ExperimentReport {
  std::string name;
  std::string title;
  std::vector<ExperimentTable> tables;
  std::vector<std::string> notes;  // differences from the thesis
  Json data = Json::object();      // the tables in numbers
  bool interrupted = false;        // a row may be missing
};

// Prints the tables as Markdown, then the notes.
void PrintReport(const ExperimentReport& report, std::ostream& out);
Json ReportJson(const ExperimentReport& report);

// "57.0 % of 100 [47, 66]", by Wilson's interval; "-" for nullopt.
std::string ScoreCell(const std::optional<ThesisScore>& score);
// "54.1 % of 1000 [51.2, 57.0]", by the pairs' own variance.
std::string ScoreCell(const book::Pentanomial& pairs);
// "+28.6 [+8.3, +49.1]".
std::string EloCell(const book::Pentanomial& pairs);

}  // namespace joseki::cli
