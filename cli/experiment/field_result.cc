#include "cli/experiment/field_result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "cli/experiment/field_judged.h"
#include "cli/experiment/field_league.h"
#include "cli/match/report.h"

namespace joseki::cli {
namespace {

constexpr double kConfidence = 0.95;

std::string Elo(double value) {
  return std::isfinite(value) ? absl::StrFormat("%+.0f", value) : "?";
}

std::string Range(double low, double high) {
  return absl::StrCat("[", Elo(low), ", ", Elo(high), "]");
}

std::string Percent(double share) { return absl::StrFormat("%.0f %%", 100 * share); }

std::string BooksWords(size_t books) {
  return books == 1 ? "1 book" : absl::StrCat(books, " books");
}

// The finding on an aim, and the power of a test with such books.
struct AimFinding {
  double bound = 0;  // to be exceeded by the interval
  bool reached = false;
  double power = 0;         // of these books
  size_t books_needed = 0;  // for a power of 80 %; 0: more than can be computed
};

AimFinding FindingOf(const book::OverBooks& over, double aim) {
  AimFinding finding;
  const bool gain = aim >= kLeastGain;
  finding.bound = gain ? 0 : kNoInferiority;
  finding.reached = over.low > finding.bound && (!gain || over.mean >= aim);
  // How far the truth lies above the bound: that of no inferiority is of books as good as the
  // opponent, whatever the aim.
  const double truth = gain ? aim : -kNoInferiority;
  finding.power = book::PowerOfMean(truth, over.spread(), over.books, kConfidence);
  finding.books_needed = book::BooksToShow(truth, over.spread(), 0.8, kConfidence);
  return finding;
}

std::string AimWords(const book::OverBooks& over, double aim) {
  const AimFinding finding = FindingOf(over, aim);
  const bool gain = aim >= kLeastGain;
  std::string words =
      gain ? absl::StrFormat(" Aim %+g: %s.", aim,
                             over.mean < aim   ? "the mean lies below it"
                             : finding.reached ? "reached"
                                               : "the mean reaches it, the interval holds 0")
           : absl::StrFormat(" Aim %+g, read as no inferiority: the interval %s above %+g.", aim,
                             finding.reached ? "lies" : "does not lie", kNoInferiority);
  if (over.books < 2) return words;
  absl::StrAppend(&words, " So many books show ",
                  gain ? absl::StrFormat("a true gain of %+g", aim) : "as much of equal books",
                  " with ", Percent(finding.power), " chance");
  if (finding.power < 0.8) {
    absl::StrAppend(
        &words, ", ",
        finding.books_needed == 0 ? "no number of them" : BooksWords(finding.books_needed),
        " with 80 %");
  }
  return words + ".";
}

std::string CellSentence(const FieldRow& row, const FieldColumn& column,
                         const book::OverBooks& over, const std::optional<double>& aim) {
  std::string words =
      absl::StrCat(row.name, " against ", column.name, ": ", Elo(over.mean), " Elo");
  if (over.books > 1) absl::StrAppend(&words, " ", Range(over.low, over.high));
  absl::StrAppend(&words, " over ", BooksWords(over.books));
  if (over.books > 1) {
    absl::StrAppend(&words, ", sd ", absl::StrFormat("%.0f", over.sd), ", of it between books ",
                    absl::StrFormat("%.0f", over.between), ", tenth percentile over books ",
                    Elo(over.tenth), ": ",
                    over.low > 0    ? "the method gains"
                    : over.high < 0 ? "the method LOSES"
                                    : "neither gain nor loss is shown");
  } else {
    words += ": one book says little of a method";
  }
  words += ".";
  if (aim) words += AimWords(over, *aim);
  return words;
}

double SecondsOf(const BookCost& cost) { return static_cast<double>(cost.played_ms) / 1000; }

// The row's books whose upper bound is below 0 in some column. The confidence is corrected for the
// number of books and columns of the row.
struct Losers {
  size_t cells = 0;
  double confidence = 0;
  std::vector<std::string> books;
};

Losers LosersOf(const FieldResult& result, const FieldRow& row) {
  Losers losers;
  for (const auto& cells : row.cells) {
    for (const FieldCell& cell : cells) losers.cells += cell.played() ? 1 : 0;
  }
  if (losers.cells == 0) return losers;
  losers.confidence = book::ConfidenceOfEach(kConfidence, losers.cells);
  for (size_t i = 0; i < row.books.size(); ++i) {
    for (size_t column = 0; column < result.columns.size(); ++column) {
      const FieldCell& cell = row.cells[i][column];
      if (!cell.played()) continue;
      const double high = book::LogisticElo(cell.score, losers.confidence).high;
      if (high >= 0) continue;
      losers.books.push_back(absl::StrCat(row.books[i].label, " against ",
                                          result.columns[column].name, " (at most ", Elo(high),
                                          ")"));
    }
  }
  return losers;
}

std::string LosersSentence(const FieldRow& row, const Losers& losers) {
  const std::string sure = absl::StrFormat("95 %% over %d books and columns, %.3g %% each",
                                           losers.cells, 100 * losers.confidence);
  if (losers.books.empty()) {
    return absl::StrCat(row.name, ": no book's upper bound lies below 0 (", sure, ").");
  }
  return absl::StrCat(row.name, ": below 0 with the upper bound too (", sure,
                      "): ", absl::StrJoin(losers.books, "; "), ".");
}

struct MeanCost {
  double equivalents = 0;
  double seconds = 0;
};

// Nullopt if no book has a cost.
std::optional<MeanCost> MeanCostOf(const FieldResult& result, const FieldRow& row) {
  MeanCost sum;
  double books = 0;
  for (const FieldBook& book : row.books) {
    if (!book.cost) continue;
    sum.equivalents += book.cost->equivalents(result.nodes_of_game);
    sum.seconds += SecondsOf(*book.cost);
    ++books;
  }
  if (books == 0) return std::nullopt;
  return MeanCost{sum.equivalents / books, sum.seconds / books};
}

std::vector<std::string> SentencesOf(const FieldResult& result, const FieldRow& row) {
  std::vector<std::string> sentences;
  for (size_t column = 0; column < result.columns.size(); ++column) {
    const book::OverBooks over = OverBooksOf(row, column);
    if (over.books == 0) continue;
    sentences.push_back(CellSentence(row, result.columns[column], over, result.aims[column]));
  }
  const Losers losers = LosersOf(result, row);
  if (losers.cells > 0) sentences.push_back(LosersSentence(row, losers));
  if (row.agreement) {
    sentences.push_back(absl::StrFormat(
        "%s: two of its books give the same answer in %.0f %% of their first %d plies, weighted by "
        "how often games come there.",
        row.name, 100 * *row.agreement, kComparedPlies));
  }
  if (const auto cost = MeanCostOf(result, row)) {
    sentences.push_back(absl::StrFormat(
        "%s: a book cost %.0f games' nodes in the mean, searches included, and its run %.0f s.",
        row.name, cost->equivalents, cost->seconds));
  }
  return sentences;
}

// The matches of books that have no result; empty: all have one.
std::string LeftOutSentence(const FieldResult& result) {
  std::vector<std::string> matches;
  for (const FieldRow& row : result.rows) {
    for (size_t i = 0; i < row.books.size(); ++i) {
      for (size_t column = 0; column < result.columns.size(); ++column) {
        const FieldCell& cell = row.cells[i][column];
        if (cell.left_out.empty()) continue;
        matches.push_back(absl::StrCat(row.books[i].label, " against ", result.columns[column].name,
                                       " (", cell.left_out, ")"));
      }
    }
  }
  matches.insert(matches.end(), result.league_left_out.begin(), result.league_left_out.end());
  if (matches.empty()) return "";
  return absl::StrCat(
      "In no mean, since they say nothing of strength: ", absl::StrJoin(matches, "; "),
      ". A match is played again once its file is removed.");
}

std::string BookCell(const FieldCell& cell) {
  if (!cell.left_out.empty()) return cell.left_out;
  if (!cell.played()) return "";
  return absl::StrCat(EloRange(book::LogisticElo(cell.score)), " (", cell.score.pairs(), " pairs, ",
                      cell.score.distinct(), " lines)");
}

Json CostJson(const BookCost& cost, double nodes_of_game) {
  Json json;
  json["games"] = cost.games;
  json["game_nodes"] = cost.game_nodes;
  json["searches"] = cost.searches;
  json["search_nodes"] = cost.search_nodes;
  json["game_equivalents"] = cost.equivalents(nodes_of_game);
  json["seconds"] = SecondsOf(cost);
  return json;
}

Json CellJson(const FieldCell& cell, const FieldColumn& column, double corrected) {
  if (!cell.left_out.empty()) {
    Json json;
    json["column"] = column.name;
    json["pairs"] = 0;
    json["left_out"] = cell.left_out;
    json.update(cell.data);
    return json;
  }
  const book::Estimate by_line = book::LogisticElo(cell.score);
  const book::Estimate by_pair = book::LogisticElo(cell.score.pentanomial);
  Json json;
  json["column"] = column.name;
  json["pairs"] = cell.score.pairs();
  json["score"] = cell.score.score;
  json["elo"] = FiniteJson(by_line.value);
  json["elo_low"] = FiniteJson(by_line.low);
  json["elo_high"] = FiniteJson(by_line.high);
  json["by_pair_low"] = FiniteJson(by_pair.low);
  json["by_pair_high"] = FiniteJson(by_pair.high);
  json["corrected_high"] = FiniteJson(book::LogisticElo(cell.score, corrected).high);
  json["lines"] = cell.score.distinct();
  json["lines_first"] = cell.score.lines[0];
  json["lines_second"] = cell.score.lines[1];
  json["effective_lines_first"] = cell.score.effective[0];
  json["effective_lines_second"] = cell.score.effective[1];
  json.update(cell.data);
  return json;
}

Json ResultJson(const FieldRow& row, const FieldColumn& column, const book::OverBooks& over,
                const std::optional<double>& aim) {
  Json json = OverBooksJson(row, column, over);
  json["aim"] = aim ? Json(*aim) : Json();
  if (aim && over.books > 1) {
    const AimFinding finding = FindingOf(over, *aim);
    json["aim_bound"] = finding.bound;
    json["aim_reached"] = finding.reached;
    json["power"] = finding.power;
    json["books_for_power_80"] = finding.books_needed;
  }
  return json;
}

}  // namespace

book::OverBooks OverBooksOf(const FieldRow& row, size_t column,
                            book::ClusteredScore FieldCell::*score) {
  std::vector<book::Measured> values;
  for (const std::vector<FieldCell>& cells : row.cells) {
    const book::ClusteredScore& of_book = cells[column].*score;
    if (of_book.pairs() > 0) values.push_back(book::MeasuredElo(of_book));
  }
  return book::Summarise(values, kConfidence);
}

Json OverBooksJson(const FieldRow& row, const FieldColumn& column, const book::OverBooks& over) {
  Json json;
  json["method"] = row.name;
  json["column"] = column.name;
  json["books"] = over.books;
  json["elo"] = over.books > 0 ? Json(over.mean) : Json();
  json["elo_low"] = FiniteJson(over.low);
  json["elo_high"] = FiniteJson(over.high);
  json["sd"] = over.books > 1 ? Json(over.sd) : Json();
  json["sd_noise"] = over.noise;
  json["sd_between"] = over.books > 1 ? Json(over.between) : Json();
  json["tenth_percentile"] = over.books > 1 ? Json(over.tenth) : Json();
  return json;
}

std::string OverBooksCell(const book::OverBooks& over) {
  if (over.books == 0) return "";
  if (over.books == 1) return absl::StrCat(Elo(over.mean), " (1 book)");
  return absl::StrFormat("%s %s (sd %.0f, %d)", Elo(over.mean), Range(over.low, over.high),
                         over.between, over.books);
}

void AddFieldTables(const FieldResult& result, const std::string& row_name,
                    ExperimentReport& report) {
  ExperimentTable table{
      "Elo: mean over books, 95 % interval over books (sd between books without the matches' "
      "noise, "
      "books)",
      {row_name},
      {}};
  ExperimentTable books{
      "Every book: Elo with its 95 % interval, clustered by the line that was left (pairs, lines)",
      {"book", "seed", "games' nodes spent"},
      {}};
  for (const FieldColumn& column : result.columns) {
    table.columns.push_back(column.name);
    books.columns.push_back(column.name);
  }
  for (const FieldRow& row : result.rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(row.name);
    for (size_t column = 0; column < result.columns.size(); ++column) {
      cells.push_back(OverBooksCell(OverBooksOf(row, column)));
    }
    for (std::string& sentence : SentencesOf(result, row)) {
      table.sentences.push_back(std::move(sentence));
    }
    for (size_t i = 0; i < row.books.size(); ++i) {
      const FieldBook& book = row.books[i];
      std::vector<std::string>& one = books.rows.emplace_back();
      one = {
          book.label, book.seed ? absl::StrCat(*book.seed) : "",
          book.cost ? absl::StrFormat("%.0f", book.cost->equivalents(result.nodes_of_game)) : ""};
      for (const FieldCell& cell : row.cells[i]) one.push_back(BookCell(cell));
    }
  }
  if (std::string left_out = LeftOutSentence(result); !left_out.empty()) {
    table.sentences.push_back(std::move(left_out));
  }
  report.tables.push_back(std::move(table));
  AddLeagueTable(result, report);
  AddJudgedTable(result, row_name, report);
  report.tables.push_back(std::move(books));
}

void AddFieldData(const FieldResult& result, ExperimentReport& report) {
  report.data["methods"] = Json::array();
  report.data["columns"] = Json::array();
  report.data["books"] = Json::array();
  report.data["results"] = Json::array();
  for (size_t i = 0; i < result.columns.size(); ++i) {
    const FieldColumn& column = result.columns[i];
    Json json;
    json["name"] = column.name;
    json["against"] = column.against;
    json["nodes"] = column.league ? Json() : Json(column.nodes);
    if (column.time) {
      json["opponent_nodes"] = column.time->their_nodes;
      json["opponent_ms"] = column.time->their_ms;
      json["our_ms"] = column.time->our_ms;
    }
    json["aim"] = result.aims[i] ? Json(*result.aims[i]) : Json();
    report.data["columns"].push_back(std::move(json));
  }
  for (const FieldRow& row : result.rows) {
    const Losers losers = LosersOf(result, row);
    const std::optional<MeanCost> cost = MeanCostOf(result, row);
    Json method;
    method["name"] = row.name;
    method["how"] = row.how;
    method["books"] = row.books.size();
    method["game_equivalents"] = cost ? Json(cost->equivalents) : Json();
    method["seconds"] = cost ? Json(cost->seconds) : Json();
    method["agreement"] = row.agreement ? Json(*row.agreement) : Json();
    method["corrected_confidence"] = losers.cells > 0 ? Json(losers.confidence) : Json();
    method["below_zero"] = losers.books;
    report.data["methods"].push_back(std::move(method));
    for (size_t i = 0; i < row.books.size(); ++i) {
      const FieldBook& book = row.books[i];
      Json json;
      json["method"] = row.name;
      json["number"] = book.number;
      json["label"] = book.label;
      json["seed"] = book.seed ? Json(*book.seed) : Json();
      json["file"] = book.name.empty() ? Json() : Json(book.name);
      json["cost"] = book.cost ? CostJson(*book.cost, result.nodes_of_game) : Json();
      json["matches"] = Json::array();
      for (size_t column = 0; column < result.columns.size(); ++column) {
        const FieldCell& cell = row.cells[i][column];
        if (!cell.played() && cell.left_out.empty()) continue;
        json["matches"].push_back(CellJson(cell, result.columns[column], losers.confidence));
      }
      report.data["books"].push_back(std::move(json));
    }
    for (size_t column = 0; column < result.columns.size(); ++column) {
      report.data["results"].push_back(
          ResultJson(row, result.columns[column], OverBooksOf(row, column), result.aims[column]));
    }
  }
}

}  // namespace joseki::cli
