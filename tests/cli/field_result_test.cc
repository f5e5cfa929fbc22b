// What a field says of results that these tests make up.

#include "cli/experiment/field_result.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "book/stats/clustered.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

// A book's match: the first `won` of its pairs are won 2-0, the others 1-1. Every pair has a line
// of its own.
FieldCell CellOf(uint64_t pairs, uint64_t won) {
  std::vector<book::PairedGames> games;
  for (uint64_t pair = 0; pair < pairs; ++pair) {
    games.push_back({{1, pair < won ? 1.0 : 0.0}, {pair, pair}});
  }
  FieldCell cell;
  cell.score = book::ClusterByLine(games);
  return cell;
}

// One method with a book for each cell, in one column.
FieldResult ResultOf(const std::vector<FieldCell>& cells, std::optional<double> aim) {
  FieldResult result;
  result.columns.emplace_back();
  result.columns.back().name = "input";
  result.aims.push_back(aim);
  result.slopes.resize(1);
  FieldRow& row = result.rows.emplace_back();
  row.name = "default";
  for (const FieldCell& cell : cells) {
    FieldBook& book = row.books.emplace_back();
    book.number = static_cast<int>(row.books.size());
    book.label = "default " + std::to_string(book.number);
    row.cells.push_back({cell});
  }
  return result;
}

Json DataOf(const FieldResult& result) {
  ExperimentReport report;
  AddFieldData(result, report);
  return report.data;
}

// The test of no inferiority is the same for every aim below 20, and so is its power for equal
// books.
TEST(FieldResultTest, ThePowerOfNoInferiorityIsThatOfEqualBooks) {
  const std::vector<FieldCell> cells = {CellOf(400, 10), CellOf(400, 20), CellOf(400, 30),
                                        CellOf(400, 40)};
  const Json equal = DataOf(ResultOf(cells, 0.0))["results"][0];
  EXPECT_GT(equal["power"].get<double>(), 0.01);
  EXPECT_LT(equal["power"].get<double>(), 0.9);
  for (const double aim : {-10.0, 10.0, 19.0}) {
    const Json result = DataOf(ResultOf(cells, aim))["results"][0];
    EXPECT_EQ(result["power"], equal["power"]) << aim;
    EXPECT_EQ(result["books_for_power_80"], equal["books_for_power_80"]) << aim;
  }
  EXPECT_GT(DataOf(ResultOf(cells, 25.0))["results"][0]["power"], equal["power"]);
}

TEST(FieldResultTest, OneJudgedPairSaysNothingOfItsError) {
  FieldCell one = CellOf(10, 2);
  one.judged = CellOf(1, 0).score;
  FieldCell three = CellOf(10, 2);
  three.judged = CellOf(3, 1).score;
  ExperimentReport report;
  FieldResult result = ResultOf({one, three}, std::nullopt);
  result.judge_nodes = 100;
  AddFieldTables(result, "method", report);
  const ExperimentTable& judged = report.tables[1];
  ASSERT_EQ(judged.rows.size(), 3u);
  EXPECT_EQ(judged.rows[1][1], "+0.0 +- ? (1 pair)");
  // t at two degrees of freedom is 4.3027.
  const book::Measured elo = book::MeasuredElo(three.judged);
  EXPECT_EQ(judged.rows[2][1], absl::StrFormat("%+.1f +- %.1f (3 pairs)", elo.value,
                                               4.3027 * std::sqrt(elo.variance)));
}

}  // namespace
}  // namespace joseki::cli
