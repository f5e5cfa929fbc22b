// Influence of the book on a repertoire's answers: its records, and what its user forbids.
#include <algorithm>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "book/tuning/repertoire.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/book/toy_repertoire.h"

namespace joseki::book {
namespace {

using ::testing::IsEmpty;

// No search finds a forbidden move, and what an earlier run found of it is no answer.
TEST_F(RepertoireTest, AForbiddenMoveIsNoAnswer) {
  const Move forbidden = ToyMoves("a2").front();
  const PackedPosition start = Input("startpos", {}).packed;
  Repertoire repertoire =
      Repertoire::Create(
          Toy(), "startpos",
          std::make_shared<const Graph>(
              Graph::Build(ToyRules(), SmallBook(), nullptr, {{start, forbidden}}).value()),
          kRules)
          .value();
  ASSERT_TRUE(repertoire.Add({Answer({}, 64'000), forbidden, 900}, nullptr).ok());
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).nodes, 0u);
  uint64_t most = 0;  // of searches of all other moves
  for (const LineFinding& found : Grow(repertoire, 400, 3)) {
    if (found.task.kind != TaskKind::kAnswer || !found.task.line.empty()) continue;
    EXPECT_THAT(found.task.excluded, ::testing::Contains(forbidden));
    if (found.task.excluded.size() == 1) most = std::max(most, found.task.nodes);
  }
  EXPECT_GT(most, kRules.least_nodes);
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).nodes, most);
  for (const Repertoire::Answer& candidate : repertoire.CandidatesAt(KeyOf("startpos"))) {
    EXPECT_NE(candidate.move, forbidden);
  }
}

// A position of which every move is forbidden is the end of our lines.
TEST_F(RepertoireTest, WhereAllIsForbiddenLinesEnd) {
  const PackedPosition start = Input("startpos", {}).packed;
  ForbiddenMoves forbidden;
  for (const Move move : ToyRules().Start("startpos", MatchRules{}).value()->LegalMoves()) {
    forbidden.emplace(start, move);
  }
  Repertoire repertoire =
      Repertoire::Create(
          Toy(), "startpos",
          std::make_shared<const Graph>(Graph::Build(ToyRules(), {}, nullptr, forbidden).value()),
          kRules)
          .value();
  for (const LineTask& task : TasksOf(repertoire, 40)) {
    EXPECT_FALSE(task.kind == TaskKind::kAnswer && task.line.empty());
  }
}

TEST_F(RepertoireTest, TheBooksUsualMovesAreTriedWithoutASearch) {
  RepertoireRules rules = WithBook(kRules);
  rules.usual = 0.3;
  Repertoire repertoire = Make(rules);
  EXPECT_THAT(repertoire.CandidatesAt(KeyOf("startpos")), IsEmpty());
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("b3").front(), 100}, nullptr).ok());
  // a1 has three quarters of the weight, b1 one.
  std::vector<Repertoire::Answer> found = repertoire.CandidatesAt(KeyOf("startpos"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].move, ToyMoves("b3").front());
  EXPECT_EQ(found[1].move, ToyMoves("a1").front());
  EXPECT_EQ(found[1].centipawns, 100 - rules.unsearched);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(repertoire.Add({Trial(ToyMoves("a1"), Color::kFirst), Move(), -700}, nullptr).ok());
  }
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, ToyMoves("a1").front());
  // No source is trusted any more, so no answer is left.
  Distrust(repertoire, [](uint32_t) { return true; });
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).nodes, 0u);
  // Nor does our side try it: lines end after the opponent's one book move.
  Rng rng(5);
  for (int i = 0; i < 20; ++i) {
    const auto task = repertoire.Next(true, rng);
    ASSERT_TRUE(task);
    EXPECT_EQ(task->own, Color::kSecond);
  }
}

TEST_F(RepertoireTest, AFixedBookAnswersByItsOwnMoves) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.book_only = true;
  rules.unchosen = 0.1;
  Repertoire repertoire = Make(rules);
  // The move found by the search is not in the book; the book's moves are compared with its score.
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("b3").front(), 100}, nullptr).ok());
  std::vector<Repertoire::Answer> found = repertoire.CandidatesAt(KeyOf("startpos"));
  ASSERT_EQ(found.size(), 2u);
  for (const Repertoire::Answer& candidate : found) {
    EXPECT_NE(candidate.move, ToyMoves("b3").front());
    EXPECT_EQ(candidate.centipawns, 100 - rules.unsearched);
  }
  // The choice is not allowed, so no move is worth less for not being it.
  ASSERT_TRUE(repertoire.Add({Answer({}, 16'000), ToyMoves("b3").front(), 100}, nullptr).ok());
  EXPECT_NEAR(repertoire.AnswerAt(KeyOf("startpos")).value,
              ExpectedResult(100 - rules.unsearched, rules.scale), 1e-9);
  // Our side has one move of the book, then the lines end.
  const std::vector<LineFinding> findings = Grow(repertoire, 100, 5, "startpos", 5);
  EXPECT_EQ(findings.size(), 100u);
  for (const LineFinding& finding : findings) {
    EXPECT_LE(finding.task.line.size(), 2u);
    EXPECT_TRUE(finding.task.excluded.empty()) << "no further candidates are looked for";
    if (finding.task.kind == TaskKind::kAnswer) {
      EXPECT_TRUE(finding.task.line.empty());
    }
  }
  EXPECT_EQ(repertoire.answers(), 1u);
}

TEST_F(RepertoireTest, WhatADistrustedSourceSaidOfAUsualMoveIsForgotten) {
  RepertoireRules rules = WithBook(kRules);
  rules.usual = 0.3;
  Repertoire repertoire = Make(rules);
  LineTask liar = Answer({}, 1000);
  liar.excluded = ToyMoves("b3");
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("b3").front(), 100, 1}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({liar, ToyMoves("a1").front(), 2000, 2}, nullptr).ok());
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, ToyMoves("a1").front());
  Distrust(repertoire, [](uint32_t source) { return source == 2; });
  const std::vector<Repertoire::Answer> found = repertoire.CandidatesAt(KeyOf("startpos"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].move, ToyMoves("b3").front());
  EXPECT_EQ(found[1].centipawns, 100 - rules.unsearched);
}

TEST_F(RepertoireTest, AMoveThatRecordsHardlyHaveNeedsMore) {
  const auto answer_where = [](double rarity) {
    RepertoireRules rules = WithBook(kRules);
    rules.rarity = rarity;
    Repertoire repertoire = Make(rules);
    LineTask second = Answer({}, 1000);
    second.excluded = {ToyMoves("b3").front()};
    EXPECT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("b3").front(), 30}, nullptr).ok());
    EXPECT_TRUE(repertoire.Add({second, ToyMoves("a1").front(), 0}, nullptr).ok());
    return repertoire.AnswerAt(KeyOf("startpos")).move;
  };
  EXPECT_EQ(answer_where(0), ToyMoves("b3").front());
  // 30 centipawns are 0.0094 of a score; a1 was played three times, b3 never: log 4.
  EXPECT_EQ(answer_where(0.005), ToyMoves("b3").front());
  EXPECT_EQ(answer_where(0.01), ToyMoves("a1").front());
}

}  // namespace
}  // namespace joseki::book
