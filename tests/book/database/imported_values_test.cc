#include "book/database/imported_values.h"

#include <utility>
#include <vector>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

TEST(ImportedValues, AreReadBackAsTheyWereWritten) {
  ImportedValues values(9);
  values[0] = {-32'000, 0};
  values[3] = {0, 65'535};
  values[8] = {32'000, 1};
  const std::string bytes = Encode(values);
  EXPECT_EQ(bytes.size(), 24u);
  EXPECT_EQ(DecodeImportedValues(bytes, 9).value(), values);
  EXPECT_TRUE(DecodeImportedValues("", 9).value().empty());
  // An edge that is not there, a piece, an edge twice, a value that is none.
  EXPECT_EQ(ProblemOf(DecodeImportedValues(bytes, 8).status()).code, "bad_row");
  EXPECT_EQ(ProblemOf(DecodeImportedValues(bytes.substr(1), 9).status()).code, "bad_row");
  EXPECT_EQ(ProblemOf(DecodeImportedValues(bytes + bytes, 9).status()).code, "bad_row");
  EXPECT_EQ(ProblemOf(DecodeImportedValues(std::string("\0\0\0\0\0\x80\0\0", 8), 9).status()).code,
            "bad_row");
}

TEST(ImportedValues, NothingButZeroesSaysNothing) {
  const testing::ToyRules rules;
  const book::Graph graph = book::Graph::Build(rules, testing::ToyBook(3)).value();
  ImportedValues values(graph.edge_count(), ImportedValue{0, 30});
  DropEmpty(graph, values);
  EXPECT_TRUE(values.empty());
  // A value of 0 counts if another move has a different one.
  values.assign(graph.edge_count(), ImportedValue{0, 30});
  book::NodeId node = 0;
  while (graph.node(node).count < 2) ++node;
  const book::EdgeId first = graph.node(node).first;
  values[first].score = -40;
  EXPECT_EQ(BestImported(graph, values, node), first + 1);
  DropEmpty(graph, values);
  ASSERT_EQ(values.size(), graph.edge_count());
  for (book::EdgeId edge = 0; edge < values.size(); ++edge) {
    EXPECT_EQ(values[edge].known(), graph.edge(edge).from == node) << edge;
  }
  EXPECT_EQ(BestImported(graph, values, node), first + 1);
  EXPECT_EQ(BestImported(graph, {}, node), book::kNoEdge);
}

}  // namespace
}  // namespace joseki::book
