// Opponents along the lines of a repertoire: with a book, without one, patient.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "book/tuning/repertoire.h"
#include "gtest/gtest.h"
#include "tests/book/toy_repertoire.h"

namespace joseki::book {
namespace {

TEST_F(RepertoireTest, OpponentsPlayAsTheBookIsWeighedOrEvenly) {
  for (const double by_weight : {1.0, 0.0}) {
    RepertoireRules rules = kRules;
    rules.by_weight = by_weight;
    rules.evenly = 1 - by_weight;
    int common = 0;
    int rare = 0;
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
      Repertoire repertoire = Make(rules);
      Rng rng(seed);
      const auto task = repertoire.Next(false, rng);
      ASSERT_TRUE(task);
      if (task->line.empty()) continue;
      ++(task->line == ToyMoves("a1") ? common : rare);
    }
    EXPECT_NEAR(static_cast<double>(common) / (common + rare), by_weight == 1 ? 0.75 : 0.5, 0.05);
  }
}

TEST_F(RepertoireTest, AnOpponentWithoutABookPlaysWhatItsSearchesSaid) {
  Repertoire repertoire = Make(WithoutBook(kRules));
  const Move reply = ToyMoves("b3").front();
  ASSERT_TRUE(repertoire.Add({Reply({}), reply, 0}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({Reply({}), reply, 0}, nullptr).ok());
  const std::vector<LineTask> tasks = TasksOf(repertoire, 20);
  EXPECT_EQ(tasks.size(), 20u);
  for (const LineTask& task : tasks) {
    if (task.kind == TaskKind::kAnswer && !task.line.empty()) {
      EXPECT_EQ(task.line, std::vector{reply});
    }
  }
}

TEST_F(RepertoireTest, AReplyTellsWhatWasPlayedOnItsWay) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.replies = 1;
  Repertoire repertoire = Make(rules);
  // Against the second side: a1, our b1, then b3; the opponent was never asked for a1 itself.
  const std::vector<Move> line = ToyMoves("a1 b1");
  ASSERT_TRUE(repertoire.Add({Reply(line), ToyMoves("b3").front(), 0}, nullptr).ok());
  const std::vector<LineTask> tasks = TasksOf(repertoire, 20);
  EXPECT_EQ(tasks.size(), 20u);
  for (const LineTask& task : tasks) {
    if (task.line.empty()) continue;  // our own first move
    EXPECT_EQ(task.kind, TaskKind::kAnswer);
    EXPECT_EQ(task.line, ToyMoves("a1"));
  }
}

TEST_F(RepertoireTest, WhoHadABookRepliesOtherwiseThanWhoHadNone) {
  RepertoireRules rules = WithBook(kRules);
  rules.replies = 1;
  Repertoire repertoire = Make(rules);
  // Without a book it was seen here; with one that it has left it was not.
  const std::vector<Move> line = ToyMoves("a1 b1");
  ASSERT_TRUE(repertoire.Add({Reply(line), ToyMoves("b3").front(), 0}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("a1").front(), 0}, nullptr).ok());
  ASSERT_TRUE(
      repertoire.Add({Answer(ToyMoves("a1"), 1000), ToyMoves("b1").front(), 0}, nullptr).ok());
  bool asked = false;
  for (const LineTask& task : TasksOf(repertoire, 40)) {
    if (task.kind != TaskKind::kReply || task.line != line) continue;
    EXPECT_EQ(task.searched_from, 2u);
    asked = true;
  }
  EXPECT_TRUE(asked);
}

TEST_F(RepertoireTest, PatientOpponentsAndOurAnswersToThemHaveMoreNodes) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.patient = 1;
  rules.impatient_lines = 0;
  rules.patience = 8;
  rules.patient_answers = 4;
  Repertoire repertoire = Make(rules);
  Grow(repertoire, 200, 7);
  for (const LineTask& task : TasksOf(repertoire, 40)) {
    if (task.kind != TaskKind::kReply) continue;
    EXPECT_EQ(task.nodes, 8 * rules.reply_nodes);
  }
  int answers = 0;
  uint64_t fewest = UINT64_MAX;
  repertoire.ForEachAnswer(
      [&](const Key&, const PackedPosition&, int, const Repertoire::Answer& answer) {
        ++answers;
        fewest = std::min(fewest, answer.nodes);
      });
  EXPECT_GT(answers, 20);
  // A search has twice what the answer is worth.
  EXPECT_EQ(fewest, 2 * 4 * rules.least_nodes);
}

TEST_F(RepertoireTest, NoOpponentSearchesLongerThanAnySearchMay) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.patient = 1;
  rules.impatient_lines = 0;
  for (const auto& [reply_nodes, patient_nodes] :
       {std::pair<uint64_t, uint64_t>{400, 2'500}, {5'000, 5'000}}) {
    rules.most_nodes = 2'500;
    rules.reply_nodes = reply_nodes;
    Repertoire repertoire = Make(rules);
    int replies = 0;
    for (const LineTask& task : TasksOf(repertoire, 40)) {
      if (task.kind != TaskKind::kReply) continue;
      ++replies;
      EXPECT_EQ(task.nodes, patient_nodes);
    }
    EXPECT_GT(replies, 0);
  }
}

TEST_F(RepertoireTest, APatientOpponentsRepliesAreItsOwn) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.replies = 1;
  for (const bool patient : {false, true}) {
    rules.patient = patient ? 1 : 0;
    rules.impatient_lines = 0;
    Repertoire repertoire = Make(rules);
    // Known of an opponent with the run's limit: its first move as the first side.
    ASSERT_TRUE(repertoire.Add({Reply({}), ToyMoves("b3").front(), 0}, nullptr).ok());
    bool asked = false;
    for (const LineTask& task : TasksOf(repertoire, 40)) {
      asked |= task.kind == TaskKind::kReply && task.line.empty();
    }
    EXPECT_EQ(asked, patient);
  }
}

TEST_F(RepertoireTest, APartOfTheLinesButNoTrialHasAPatientOpponent) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.patient = 0.25;
  rules.impatient_lines = 0;
  int patient = 0;
  int replies = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Repertoire repertoire = Make(rules);
    Rng rng(seed);
    const auto task = repertoire.Next(false, rng);
    ASSERT_TRUE(task);
    if (task->kind != TaskKind::kReply) continue;
    ++replies;
    if (task->nodes > rules.reply_nodes) ++patient;
  }
  EXPECT_NEAR(static_cast<double>(patient) / replies, 0.25, 0.04);
  // A trial has no reply to follow if only those of patient opponents are known.
  Repertoire repertoire = Make(rules);
  LineTask slow = Reply({});
  slow.nodes *= rules.patience;
  ASSERT_TRUE(repertoire.Add({slow, ToyMoves("b3").front(), 0}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("a1").front(), 0}, nullptr).ok());
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Repertoire copy = repertoire;
    Rng rng(seed);
    const auto trial = copy.Next(true, rng);
    if (!trial) continue;
    EXPECT_EQ(trial->line, ToyMoves("a1"));
  }
}

TEST_F(RepertoireTest, NoOpponentIsPatientBeforeManyLines) {
  RepertoireRules rules = WithoutBook(kRules);
  rules.patient = 1;
  rules.impatient_lines = 100;
  Repertoire repertoire = Make(rules);
  const auto patient_replies = [&] {
    int patient = 0;
    for (const LineTask& task : TasksOf(repertoire, 40)) {
      patient += task.kind == TaskKind::kReply && task.nodes > rules.reply_nodes ? 1 : 0;
    }
    return patient;
  };
  Grow(repertoire, 90, 7);
  EXPECT_EQ(patient_replies(), 0);
  Grow(repertoire, 100, 8);
  EXPECT_GT(patient_replies(), 0);
}

}  // namespace
}  // namespace joseki::book
