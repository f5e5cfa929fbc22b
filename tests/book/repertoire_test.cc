#include "book/tuning/repertoire.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/book/toy_repertoire.h"

namespace joseki::book {
namespace {

using ::testing::IsEmpty;

TEST_F(RepertoireTest, BeginsWithAnAnswerForEitherSide) {
  bool first = false;
  bool second = false;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Repertoire repertoire = Make();
    Rng rng(seed);
    const auto task = repertoire.Next(false, rng);
    ASSERT_TRUE(task);
    if (task->kind == TaskKind::kReply) {
      EXPECT_TRUE(task->line.empty());
      EXPECT_EQ(task->nodes, kRules.reply_nodes);
      continue;
    }
    EXPECT_EQ(task->nodes, kRules.least_nodes);
    EXPECT_LE(task->line.size(), 1u);
    (task->line.empty() ? first : second) = true;
  }
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

TEST_F(RepertoireTest, SearchesDeeperWhereLinesCome) {
  Repertoire repertoire = Make(kWide, {}, kFar);
  Grow(repertoire, 3000, 7, kFar);
  const Repertoire::Answer start = repertoire.AnswerAt(KeyOf(kFar));
  // An answer rests on at least half of what its lines are worth.
  EXPECT_GT(start.lines, 500u);
  EXPECT_GE(2.1 * static_cast<double>(start.nodes), std::min(1000.0 * start.lines, 10'000'000.0));
  uint64_t power = 1000;
  while (power < start.nodes) power *= 2;
  EXPECT_EQ(power, start.nodes);
  uint64_t least = start.nodes;
  repertoire.ForEachAnswer(
      [&](const Key&, const PackedPosition&, int, const Repertoire::Answer& answer) {
        least = std::min(least, answer.nodes);
      });
  EXPECT_EQ(least, 1000u);
}

TEST_F(RepertoireTest, NoTwoRepertoiresSearchAlike) {
  RepertoireRules rules = kWide;
  rules.jitter_percent = 20;
  std::set<uint64_t> firsts;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Repertoire repertoire = Make(rules, {}, kFar);
    std::map<std::vector<Move>, uint64_t> last;
    for (const LineFinding& finding : Grow(repertoire, 100, seed, kFar)) {
      const LineTask& task = finding.task;
      if (task.kind != TaskKind::kAnswer || !task.excluded.empty()) continue;
      uint64_t power = 1000;
      while (2 * power <= task.nodes) power *= 2;
      EXPECT_LE(10 * task.nodes, 12 * power);
      uint64_t& before = last[task.line];
      if (before == 0) firsts.insert(task.nodes);
      EXPECT_GE(12 * task.nodes, 20 * before);
      before = task.nodes;
    }
  }
  EXPECT_GT(firsts.size(), 100u);
}

TEST_F(RepertoireTest, AFirstSearchHasAsManyNodesAsAskedFor) {
  RepertoireRules rules = WithBook(kRules);
  rules.jitter_percent = 20;
  rules.most_nodes = rules.least_nodes / 2;
  const std::vector<LineTask> tasks = TasksOf(Make(rules), 20);
  ASSERT_FALSE(tasks.empty());
  for (const LineTask& task : tasks) EXPECT_EQ(task.nodes, rules.least_nodes);
}

TEST_F(RepertoireTest, SearchesAreWorthLessWhereTrialsSpeak) {
  const auto nodes_at_start = [](int trials_of_ten) {
    Repertoire repertoire = Make(kWide, {}, kFar);
    Grow(repertoire, 3000, 7, kFar, trials_of_ten);
    const Repertoire::Answer start = repertoire.AnswerAt(KeyOf(kFar));
    EXPECT_GT(start.lines, 500u);
    return start.nodes;
  };
  // After 900 or more trials, which count 76 times as much as 12.
  EXPECT_LE(20 * nodes_at_start(3), nodes_at_start(0));
}

TEST_F(RepertoireTest, IsTheSameWhenItsFindingsAreReadAgain) {
  Repertoire repertoire = Make(kWide, {}, kFar);
  const std::vector<LineFinding> findings = Grow(repertoire, 1000, 3, kFar, 4);
  ASSERT_EQ(findings.size(), 1000u);
  ASSERT_GT(repertoire.trials(), 300u);
  Repertoire again = Make(kWide, {}, kFar);
  for (const LineFinding& finding : findings) ASSERT_TRUE(again.Add(finding, nullptr).ok());
  EXPECT_EQ(Answers(again), Answers(repertoire));
  EXPECT_EQ(again.answers(), repertoire.answers());
  EXPECT_EQ(again.trials(), repertoire.trials());
}

TEST_F(RepertoireTest, ASearchInFlightIsNotGivenOutTwice) {
  Repertoire repertoire = Make(WithBook(kRules));
  std::vector<LineTask> out;
  Rng rng(5);
  while (const auto task = repertoire.Next(false, rng)) out.push_back(*task);
  // The start for the first side, and for the second what either book move leads to.
  ASSERT_EQ(out.size(), 3u);
  for (const LineTask& task : out) repertoire.GiveBack(task);
  EXPECT_EQ(Answers(repertoire), Answers(Make(WithBook(kRules))));
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).lines, 0u);
  size_t again = 0;
  while (repertoire.Next(false, rng)) ++again;
  EXPECT_EQ(again, out.size());
}

TEST_F(RepertoireTest, ATrialBeginsWhereNothingIsKnown) {
  Repertoire repertoire = Make(WithBook(kRules));
  Rng rng(5);
  for (int i = 0; i < 20; ++i) {
    const auto task = repertoire.Next(true, rng);
    ASSERT_TRUE(task);
    EXPECT_EQ(task->kind, TaskKind::kTrial);
    // Our side knows nothing, so lines end after the opponent's one book move.
    EXPECT_EQ(task->own, Color::kSecond);
    EXPECT_EQ(task->line.size(), 1u);
  }
}

TEST_F(RepertoireTest, TrialsOvercomeAnEvaluation) {
  Repertoire repertoire = Make(WithBook(kRules));
  const Move liked = ToyMoves("a1").front();
  const Move good = ToyMoves("b3").front();
  LineTask second = Answer({}, 1000);
  second.excluded = {liked};
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), liked, 100}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({second, good, 0}, nullptr).ok());
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, liked);
  // The score of a trial is that of the side to move at the end of its line, here the opponent.
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(repertoire.Add({Trial(ToyMoves("a1"), Color::kFirst), Move(), 1500}, nullptr).ok());
    ASSERT_TRUE(repertoire.Add({Trial(ToyMoves("b3"), Color::kFirst), Move(), -200}, nullptr).ok());
  }
  const Repertoire::Answer answer = repertoire.AnswerAt(KeyOf("startpos"));
  EXPECT_EQ(answer.move, good);
  EXPECT_EQ(answer.trials, 10u);
  EXPECT_GT(answer.value, 0.4);
  EXPECT_LT(answer.value, 0.6);
}

TEST_F(RepertoireTest, TrialsThatDifferMoreAreDoubtedLonger) {
  const Move good = ToyMoves("a1").front();
  const Move worse = ToyMoves("b3").front();
  // Number of 1,000 lines that try the worse candidate, after 20 trials of either with the same
  // means and this spread.
  const auto tries = [&](int centipawns) {
    Repertoire repertoire = Make(WithBook(kRules));
    LineTask second = Answer({}, 1000);
    second.excluded = {good};
    EXPECT_TRUE(repertoire.Add({Answer({}, 1000), good, 0}, nullptr).ok());
    EXPECT_TRUE(repertoire.Add({second, worse, 0}, nullptr).ok());
    for (int i = 0; i < 20; ++i) {
      // Scores of the opponent, who is to move.
      const int about = i % 2 == 0 ? centipawns : -centipawns;
      EXPECT_TRUE(
          repertoire.Add({Trial({good}, Color::kFirst), Move(), about - 100}, nullptr).ok());
      EXPECT_TRUE(
          repertoire.Add({Trial({worse}, Color::kFirst), Move(), about + 100}, nullptr).ok());
    }
    Rng rng(5);
    int lines = 0;
    int found = 0;
    while (lines < 1000) {
      const auto task = repertoire.Next(true, rng);
      if (task->own != Color::kFirst) continue;
      ++lines;
      if (task->line.front() == worse) ++found;
    }
    return found;
  };
  EXPECT_LT(tries(10), 60);
  EXPECT_GT(tries(1500), 280);
}

TEST_F(RepertoireTest, GrowsUpToItsBound) {
  RepertoireRules rules = WithoutBook(kWide);
  rules.most_answers = 5;
  Repertoire repertoire = Make(rules, SmallBook(), kFar);
  const std::vector<LineFinding> findings = Grow(repertoire, 300, 7, kFar, 4);
  EXPECT_EQ(findings.size(), 300u) << "what there is goes on getting better";
  EXPECT_EQ(repertoire.answers(), 5u);
  EXPECT_GT(repertoire.trials(), 100u);
  const auto deepest = std::max_element(
      findings.begin(), findings.end(), [](const LineFinding& a, const LineFinding& b) {
        const auto nodes = [](const LineFinding& finding) {
          return finding.task.kind == TaskKind::kAnswer ? finding.task.nodes : 0;
        };
        return nodes(a) < nodes(b);
      });
  EXPECT_GT(deepest->task.nodes, rules.least_nodes);
}

TEST_F(RepertoireTest, KnowsNoMorePositionsThanItsBound) {
  RepertoireRules rules = kWide;
  rules.most_plies = 5;  // shorter than some lines of known positions
  const auto make = [&](size_t most) {
    rules.most_positions = most;
    return Make(rules, SmallBook(), kFar);
  };
  Repertoire unbounded = make(1'000'000);
  Grow(unbounded, 300, 7, kFar, 4);
  ASSERT_GT(unbounded.positions(), 24u);

  Repertoire repertoire = make(12);
  const std::vector<LineFinding> findings = Grow(repertoire, 300, 7, kFar, 4);
  EXPECT_EQ(findings.size(), 300u) << "what there is goes on getting better";
  EXPECT_EQ(repertoire.positions(), 12u);
  EXPECT_GT(repertoire.trials(), 100u);
  // After a restart the same is known.
  Repertoire again = make(12);
  for (const LineFinding& finding : findings) ASSERT_TRUE(again.Add(finding, nullptr).ok());
  EXPECT_EQ(Answers(again), Answers(repertoire));
  EXPECT_LE(again.positions(), 12u);
  // Without room for a second position, the start alone is answered.
  Repertoire alone = make(1);
  Grow(alone, 50, 7, kFar, 4);
  EXPECT_EQ(alone.positions(), 1u);
  EXPECT_EQ(alone.answers(), 1u);
}

TEST_F(RepertoireTest, KnowsTheChoiceOfItsDeepestTrustedSearch) {
  Repertoire repertoire = Make(WithBook(kRules));
  const auto chosen = [&] {
    std::vector<Move> moves;
    for (const Repertoire::Answer& candidate : repertoire.CandidatesAt(KeyOf("startpos"))) {
      if (candidate.chosen) moves.push_back(candidate.move);
    }
    return moves;
  };
  const Move first = ToyMoves("b3").front();
  const Move second = ToyMoves("b2").front();
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), first, 30, 1}, nullptr).ok());
  // A search that leaves moves out chooses for the position neither then nor when it is deeper.
  LineTask further = Answer({}, 9000);
  further.excluded = {first};
  ASSERT_TRUE(repertoire.Add({further, second, 90, 1}, nullptr).ok());
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, second);
  EXPECT_EQ(chosen(), std::vector<Move>{first});
  ASSERT_TRUE(repertoire.Add({Answer({}, 2000), second, 95, 2}, nullptr).ok());
  EXPECT_EQ(chosen(), std::vector<Move>{second});
  Distrust(repertoire, [](uint32_t source) { return source == 2; });
  EXPECT_EQ(chosen(), std::vector<Move>{first});
}

TEST_F(RepertoireTest, WhatADeepSearchDidNotChooseIsWorthLess) {
  RepertoireRules rules = WithBook(kRules);
  rules.unchosen = 0.1;
  Repertoire repertoire = Make(rules);
  const Move chosen = ToyMoves("a1").front();
  const Move other = ToyMoves("b3").front();
  const auto search = [&](Move best, int centipawns, uint64_t nodes,
                          const std::vector<Move>& excluded = {}) {
    LineFinding finding{Answer({}, nodes), best, centipawns};
    finding.task.excluded = excluded;
    ASSERT_TRUE(repertoire.Add(finding, nullptr).ok());
  };
  const auto value = [&](Move move) {
    for (const Repertoire::Answer& answer : repertoire.CandidatesAt(KeyOf("startpos"))) {
      if (answer.move == move) return answer.value;
    }
    return -1.0;
  };
  const auto answer = [&] { return repertoire.AnswerAt(KeyOf("startpos")).move; };
  search(chosen, 0, 1000);
  search(other, 10, 1000, {chosen});
  const double least = value(other);
  EXPECT_EQ(answer(), other) << "after a first search nothing is deducted";
  search(chosen, 0, 4000);
  EXPECT_NEAR(value(other), least - 0.05, 1e-9) << "two doublings of four";
  EXPECT_EQ(answer(), chosen);
  search(chosen, 0, 16'000);
  EXPECT_NEAR(value(other), least - 0.1, 1e-9);
  search(chosen, 0, 64'000);
  EXPECT_NEAR(value(other), least - 0.1, 1e-9) << "no more than that";
  EXPECT_NEAR(value(chosen), 0.5, 1e-9);
  search(other, 10, 128'000);
  EXPECT_NEAR(value(other), least, 1e-9);
  EXPECT_NEAR(value(chosen), 0.4, 1e-9);
  EXPECT_EQ(answer(), other);
}

TEST_F(RepertoireTest, TellsHowItsTrialsWent) {
  Repertoire repertoire = Make(WithBook(kRules));
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("a1").front(), 0}, nullptr).ok());
  for (size_t i = 0; i < TrialCourse::kRecent; ++i) {
    EXPECT_FALSE(repertoire.course().Recent());
    ASSERT_TRUE(repertoire.Add({Trial(ToyMoves("a1"), Color::kFirst), Move(), 0}, nullptr).ok());
  }
  ASSERT_TRUE(repertoire.course().Recent());
  EXPECT_DOUBLE_EQ(repertoire.course().Recent()->score, 0.5);
}

TEST_F(RepertoireTest, TrialsCallForAnotherCandidate) {
  Repertoire repertoire = Make(WithBook(kRules));
  const Move first = ToyMoves("a1").front();
  ASSERT_TRUE(repertoire.Add({Answer({}, 1'000'000), first, 100}, nullptr).ok());
  const auto widened = [&]() -> std::optional<LineTask> {
    for (const LineTask& task : TasksOf(repertoire, 20)) {
      if (task.line.empty() && !task.excluded.empty()) return task;
    }
    return std::nullopt;
  };
  EXPECT_FALSE(widened());
  for (uint32_t i = 0; i < kRules.widening; ++i) {
    ASSERT_TRUE(repertoire.Add({Trial(ToyMoves("a1"), Color::kFirst), Move(), 0}, nullptr).ok());
  }
  const auto task = widened();
  ASSERT_TRUE(task);
  EXPECT_EQ(task->kind, TaskKind::kAnswer);
  EXPECT_THAT(task->excluded, ::testing::ElementsAre(first));
}

TEST_F(RepertoireTest, ThereAreNoMoreCandidatesThanLegalMoves) {
  // One stone in one heap: it can be taken, or the heaps exchanged.
  constexpr char kFew[] = "0-1 b 1";
  const std::vector<Move> legal = ToyPosition::Of(kFew).value().first.LegalMoves();
  ASSERT_EQ(legal.size(), 2u);
  Repertoire repertoire = Make(WithBook(kRules), {}, kFew);
  LineTask second = Answer({}, 1000);
  second.excluded = {legal[0]};
  ASSERT_TRUE(repertoire.Add({Answer({}, 1'000'000), legal[0], 0}, nullptr).ok());
  ASSERT_TRUE(repertoire.Add({second, legal[1], 0}, nullptr).ok());
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(repertoire.Add({Trial({legal[0]}, Color::kFirst), Move(), 0}, nullptr).ok());
  }
  for (const LineTask& task : TasksOf(repertoire, 20)) EXPECT_THAT(task.excluded, IsEmpty());
}

TEST_F(RepertoireTest, WhatCanBeSearchedNoDeeperIsNotSearchedAgain) {
  RepertoireRules rules = WithBook(kRules);
  rules.most_nodes = 3000;  // of powers of two from 1000 on: 2000
  Repertoire repertoire = Make(rules);
  std::map<std::vector<Move>, std::set<uint64_t>> seen;
  for (const LineFinding& finding : Grow(repertoire, 400, 3)) {
    if (finding.task.kind != TaskKind::kAnswer) continue;
    EXPECT_LE(finding.task.nodes, 2000u);
    EXPECT_TRUE(seen[finding.task.line].insert(finding.task.nodes).second);
  }
  EXPECT_GT(seen.size(), 5u);
}

TEST_F(RepertoireTest, ATrialWithoutAScoreSaysNothing) {
  Repertoire repertoire = Make(WithBook(kRules));
  ASSERT_TRUE(repertoire.Add({Answer({}, 1000), ToyMoves("a1").front(), 100}, nullptr).ok());
  ASSERT_TRUE(
      repertoire.Add({Trial(ToyMoves("a1"), Color::kFirst), Move(), std::nullopt}, nullptr).ok());
  EXPECT_EQ(repertoire.trials(), 0u);
}

TEST_F(RepertoireTest, RefusesWhatIsIllegalAndChangesNothing) {
  Repertoire repertoire = Make();
  Grow(repertoire, 20, 1);
  const auto before = Answers(repertoire);
  const Move far = Move::Board(0, 3);
  EXPECT_FALSE(repertoire.Add({Answer(std::vector<Move>(9, far), 5000), far, 0}, nullptr).ok());
  EXPECT_FALSE(
      repertoire.Add({Answer(ToyMoves("a3 a3 a3"), 5000), ToyMoves("a1").front(), 0}, nullptr)
          .ok());
  EXPECT_EQ(Answers(repertoire), before);
  EXPECT_FALSE(
      Repertoire::Create(ToyRules(), "no position", std::make_shared<const Graph>(), kRules).ok());
}

TEST_F(RepertoireTest, WhatADistrustedSourceSaysIsForgotten) {
  const Move ours = ToyMoves("a1").front();
  const Move theirs = ToyMoves("b3").front();
  const auto search = [](Move best, uint64_t nodes, uint32_t source) {
    return LineFinding{Answer({}, nodes), best, 10, source};
  };
  Repertoire repertoire = Make();
  ASSERT_TRUE(repertoire.Add(search(ours, 1000, 1), nullptr).ok());
  ASSERT_TRUE(repertoire.Add(search(theirs, 5000, 2), nullptr).ok());
  for (int i = 0; i < 30; ++i) {
    const LineTask trial = Trial(ToyMoves("b3"), Color::kFirst);
    ASSERT_TRUE(repertoire.Add({trial, Move(), -900, 2}, nullptr).ok());
  }
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, theirs);
  Distrust(repertoire, [](uint32_t source) { return source == 2; });
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, ours);
  EXPECT_EQ(repertoire.answers(), 1u);
  EXPECT_EQ(repertoire.trials(), 0u);
  Distrust(repertoire, [](uint32_t) { return true; });
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).nodes, 0u);
  EXPECT_EQ(repertoire.answers(), 0u);
  Distrust(repertoire, [](uint32_t) { return false; });
  EXPECT_EQ(repertoire.AnswerAt(KeyOf("startpos")).move, theirs);
  EXPECT_EQ(repertoire.trials(), 30u);
}

// A distrusted search takes its move along: the trials of others with it neither speak of the
// position's error, nor keep another search from finding the move.
TEST_F(RepertoireTest, AMoveThatOnlyADistrustedSourceFoundSaysNothing) {
  const auto search = [](const char* best, int centipawns, uint32_t source) {
    return LineFinding{Answer({}, 1000), ToyMoves(best).front(), centipawns, source};
  };
  const auto trials = [](Repertoire& repertoire, const char* move, int count) {
    for (int i = 0; i < count; ++i) {
      const LineTask trial = Trial(ToyMoves(move), Color::kFirst);
      ASSERT_TRUE(repertoire.Add({trial, Move(), 0, 1}, nullptr).ok());
    }
  };
  Repertoire never = Make();
  Repertoire told = Make();
  for (Repertoire* const repertoire : {&never, &told}) {
    ASSERT_TRUE(repertoire->Add(search("a1", 10, 1), nullptr).ok());
  }
  ASSERT_TRUE(told.Add(search("b3", 30000, 2), nullptr).ok());
  for (Repertoire* const repertoire : {&never, &told}) trials(*repertoire, "b3", 50);
  Distrust(told, [](uint32_t source) { return source == 2; });
  const auto value = [](const Repertoire& repertoire) {
    return repertoire.AnswerAt(KeyOf("startpos")).value;
  };
  EXPECT_EQ(value(told), value(never));
  const auto excludes = [](const LineTask& task) {
    return std::count(task.excluded.begin(), task.excluded.end(), ToyMoves("b3").front()) > 0;
  };
  for (const LineTask& task : TasksOf(told, 200)) {
    EXPECT_FALSE(task.line.empty() && excludes(task));
  }
}

// Findings of trusted sources come between the pieces, at positions old and new.
TEST_F(RepertoireTest, AChangeOfTrustInPiecesIsOneAtOnce) {
  const auto distrusted = [](uint32_t source) { return source % 3 == 1; };
  Repertoire grown = Make(kWide, {}, kFar);
  std::vector<LineFinding> findings = Grow(grown, 1500, 3, kFar, 4);
  ASSERT_EQ(findings.size(), 1500u);
  uint32_t source = 0;
  for (LineFinding& finding : findings) finding.source = source++ % 7;
  Repertoire pieces = Make(kWide, {}, kFar);
  Repertoire at_once = Make(kWide, {}, kFar);
  const auto add = [](Repertoire& repertoire, const LineFinding& finding) {
    ASSERT_TRUE(repertoire.Add(finding, nullptr).ok());
  };
  const std::span<const LineFinding> before = std::span(findings).first(1000);
  for (const LineFinding& finding : before) {
    for (Repertoire* repertoire : {&pieces, &at_once}) add(*repertoire, finding);
  }
  Distrust(at_once, distrusted);
  EXPECT_NE(Answers(at_once), Answers(pieces));
  pieces.Distrust(distrusted);
  size_t count = 0;
  for (const LineFinding& finding : std::span(findings).subspan(1000)) {
    if (distrusted(finding.source)) continue;
    for (Repertoire* repertoire : {&pieces, &at_once}) add(*repertoire, finding);
    if (!pieces.Renew(20)) ++count;
  }
  EXPECT_GT(count, 50u);
  EXPECT_TRUE(pieces.renewed());
  EXPECT_EQ(Answers(pieces), Answers(at_once));
  EXPECT_EQ(pieces.answers(), at_once.answers());
  EXPECT_EQ(pieces.trials(), at_once.trials());
  EXPECT_NEAR(pieces.values().Spread(), at_once.values().Spread(), 1e-9);
}

TEST_F(RepertoireTest, LinesEndWhereAPositionIsClosed) {
  Repertoire repertoire = Make(WithBook(kRules));
  Rng rng(4);
  const auto start = [](const Key& key) { return key == KeyOf("startpos"); };
  EXPECT_FALSE(repertoire.Next(false, rng, start));
  EXPECT_FALSE(repertoire.Next(true, rng, start));
  EXPECT_TRUE(repertoire.Next(false, rng)) << "for others they go on";
}

// A trial plays on from its line's end, and the first search there is the one that fails.
TEST_F(RepertoireTest, NoTrialBeginsWhereAPositionIsClosed) {
  Repertoire repertoire = Make(kWide, {}, kFar);
  Grow(repertoire, 300, 6, kFar, 3);
  Rng rng(4);
  const auto end_of = [](const LineTask& task) {
    const auto state = ToyRules().Start(kFar, MatchRules{}).value();
    state->PlayAll(task.line);
    return state->key();
  };
  const std::optional<LineTask> first = repertoire.Next(true, rng);
  ASSERT_TRUE(first);
  const Key shut = end_of(*first);
  const auto closed = [&](const Key& key) { return key == shut; };
  int trials = 0;
  bool again = false;
  for (int i = 0; i < 300; ++i) {
    if (const auto open = repertoire.Next(true, rng)) again |= end_of(*open) == shut;
    const std::optional<LineTask> trial = repertoire.Next(true, rng, closed);
    if (!trial) continue;
    ++trials;
    EXPECT_NE(end_of(*trial), shut);
  }
  EXPECT_TRUE(again) << "trials come there where it is open";
  EXPECT_GT(trials, 100);
}

TEST_F(RepertoireTest, NoLineIsLongerThanAskedFor) {
  RepertoireRules rules = kRules;
  rules.most_plies = 3;
  Repertoire repertoire = Make(rules);
  for (const LineFinding& finding : Grow(repertoire, 300, 2, "startpos", 3)) {
    EXPECT_LE(finding.task.line.size(), finding.task.kind == TaskKind::kTrial ? 3u : 2u);
  }
  EXPECT_GT(repertoire.answers(), 3u);
}

}  // namespace
}  // namespace joseki::book
