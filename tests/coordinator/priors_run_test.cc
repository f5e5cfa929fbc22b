// Runs that ask for evaluations, from slot to audit. Covers searches among games, workers that die,
// answer twice or fail, and the priors after a restart.
#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/database/book_store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/offline/search_expansion.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/searching_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;

constexpr uint64_t kNodes = 5000;

class PriorsRunTest : public SearchingRun {
 protected:
  static RunSpec Spec(uint64_t games, const std::string& policy = "response") {
    RunSpec spec = testing::ToySpec(games, policy);
    spec.priors.nodes = kNodes;
    return spec;
  }

  std::vector<PriorSet> Sets(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return ReadPriorSets(*store, run).value();
  }
};

TEST_F(PriorsRunTest, SearchesComeFirstAndAreNoGames) {
  Start();
  const RunId run = Create(Spec(300));
  const uint32_t positions = StatusOf(run).priors.positions;
  ASSERT_GT(positions, 8u);
  EXPECT_EQ(StatusOf(run).priors.version, 1u);
  for (const Lease& lease : Acquire(worker_)) {
    for (const Slot& slot : lease.slots) {
      EXPECT_TRUE(IsSearch(slot));
      EXPECT_EQ(slot.nodes, kNodes);
    }
  }
  Restart();
  const Worked worked = Work();
  EXPECT_EQ(worked.games, 300u);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.games_done, 300u);
  EXPECT_EQ(status.faults, 0u);
  EXPECT_GE(status.priors.version, 3u) << "by evaluations, and by games";
  ExpectWhole();
}

TEST_F(PriorsRunTest, PriorsAreWhatTheSearchesSaid) {
  Start();
  const RunId run = Create(Spec(300));
  const std::vector<double> before = Weights(run);
  const uint32_t positions = StatusOf(run).priors.positions;
  const Worked worked = Work(positions);
  EXPECT_EQ(worked.searches, positions);
  EXPECT_EQ(StatusOf(run).priors.done, positions);
  EXPECT_NE(Weights(run), before);
  const std::vector<double> live = LiveWeights(run);
  Restart();
  EXPECT_EQ(LiveWeights(run), live) << "to the last digit";
  // Only those that differ from the default come of games.
  EXPECT_EQ(Sets(run).back().model, book::PriorModel());
  EXPECT_EQ(Sets(run).back().positions, positions);
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const LoadedRun loaded = LoadRun(*store, rules_, run).value();
  const auto priors = loaded.evaluations->PriorsOf(loaded.priors, {});
  int checked = 0;
  for (book::EdgeId edge = 0; edge < priors->size(); ++edge) {
    const auto state =
        rules_.Start(loaded.graph->node(loaded.graph->edge(edge).from).packed, MatchRules{})
            .value();
    ASSERT_TRUE(state->Play(loaded.graph->edge(edge).move));
    const int score = static_cast<int>(state->key().lo % 400) - 200;
    EXPECT_EQ((*priors)[edge], book::PriorOf(-score, {}));
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

TEST_F(PriorsRunTest, GamesSayWhatEvaluationsAreWorth) {
  Start();
  const RunId run = Create(Spec(700));
  Work();
  const std::vector<PriorSet> sets = Sets(run);
  // 128, 256 and 512 games, at the least.
  EXPECT_GE(
      std::count_if(sets.begin(), sets.end(), [](const PriorSet& set) { return set.games >= 128; }),
      3);
  EXPECT_NE(sets.back().model, book::PriorModel());
  // Scores are random here, so a good one changes expectations less than at first.
  EXPECT_GT(sets.back().model.scale, book::PriorModel().scale);
  ExpectWhole();
}

TEST_F(PriorsRunTest, AWorkerOfAnOlderProtocolPlaysGames) {
  worker_.evaluates = false;
  Start();
  const RunId run = Create(Spec(200));
  const Worked worked = Work();
  EXPECT_EQ(worked.searches, 0u);
  EXPECT_EQ(worked.games, 200u);
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).priors.done, 0u);
  ExpectWhole();
}

TEST_F(PriorsRunTest, AnEngineWithoutScoresIsAskedOnce) {
  Start();
  const RunId run = Create(Spec(100));
  const uint32_t positions = StatusOf(run).priors.positions;
  for (uint32_t searched = 0; searched < positions;) {
    const std::vector<Lease> leases = Acquire(worker_);
    ASSERT_FALSE(leases.empty());
    for (const Lease& lease : leases) {
      for (const Slot& slot : lease.slots) {
        if (!IsSearch(slot)) {
          EXPECT_EQ(searched, positions) << "a game before the last search";
          continue;
        }
        ++searched;
        EXPECT_THAT(Submit(worker_, {SearchOf(lease, slot, kNoScore)}),
                    ::testing::ElementsAre(Verdict::kAccepted));
      }
    }
  }
  EXPECT_EQ(StatusOf(run).priors.unscored, positions);
  Restart();
  EXPECT_EQ(StatusOf(run).priors.unscored, positions);
  EXPECT_EQ(StatusOf(run).priors.done, positions);
  EXPECT_EQ(Sets(run).back().positions, 0u);
  EXPECT_EQ(Work().searches, 0u);
  ExpectWhole();
}

TEST_F(PriorsRunTest, AKilledWorkersSearchesGoToAnother) {
  Start();
  const RunId run = Create(Spec(200));
  const std::vector<Lease> lost = Acquire(worker_);
  ASSERT_EQ(lost.size(), 1u);
  clock_.Advance(absl::Hours(1));
  Restart();
  clock_.Advance(absl::Hours(1));
  // The lease expires by the coordinator's own clock.
  std::vector<Lease> second;
  const auto again = [&](const Slot& lost_slot) {
    return std::any_of(second.begin(), second.end(), [&](const Lease& lease) {
      return std::any_of(lease.slots.begin(), lease.slots.end(),
                         [&](const Slot& slot) { return slot.line == lost_slot.line; });
    });
  };
  while (!std::all_of(lost[0].slots.begin(), lost[0].slots.end(), again)) {
    for (Lease& lease : Acquire(other_, 1)) second.push_back(std::move(lease));
    std::this_thread::yield();
  }
  // The "killed" worker was only slow, and the other one answers too. Both answers are kept; the
  // first counts.
  const Verdict late = Submit(worker_, {SearchOf(lost[0], lost[0].slots[0], 11)}).at(0);
  EXPECT_EQ(late, Verdict::kStaleAccepted);
  for (const Lease& lease : second) {
    for (const Slot& slot : lease.slots) {
      if (slot.line != lost[0].slots[0].line) continue;
      EXPECT_THAT(Submit(other_, {SearchOf(lease, slot, 22)}),
                  ::testing::ElementsAre(Verdict::kAccepted));
    }
  }
  EXPECT_EQ(StatusOf(run).priors.done, 1u);
  EXPECT_EQ(Number("SELECT count(*) FROM evaluations"), 2);
  Restart();
  EXPECT_EQ(StatusOf(run).priors.done, 1u);
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const LoadedRun loaded = LoadRun(*store, rules_, run).value();
  const book::NodeId start =
      loaded.graph->Find(rules_.Start("startpos", MatchRules{}).value()->key());
  const book::EdgeId edge = loaded.graph->FindMove(start, lost[0].slots[0].line[0]);
  EXPECT_EQ(loaded.evaluations->Of(edge)->score, 11);
  store.reset();
  ExpectWhole();
}

TEST_F(PriorsRunTest, TheSameAnswerTwiceIsOneAndAnotherAConflict) {
  Start();
  const RunId run = Create(Spec(200));
  const Lease lease = Acquire(worker_).at(0);
  const SubmittedGame search = SearchOf(lease, lease.slots[0], 40);
  EXPECT_THAT(Submit(worker_, {search, search}),
              ::testing::ElementsAre(Verdict::kAccepted, Verdict::kDuplicate));
  Restart();
  EXPECT_THAT(Submit(worker_, {search}), ::testing::ElementsAre(Verdict::kDuplicate));
  EXPECT_THAT(Submit(worker_, {SearchOf(lease, lease.slots[0], 41)}),
              ::testing::ElementsAre(Verdict::kConflict));
  EXPECT_EQ(StatusOf(run).priors.done, 1u);
  EXPECT_EQ(StatusOf(run).conflicts, 1u);
  // A game is no answer to a search, and a search is none to a game.
  EXPECT_THAT(Submit(worker_, {testing::PlaySlot(lease.run, lease.lease, lease.slots[1])}),
              ::testing::ElementsAre(Verdict::kRejected));
  worker_.evaluates = false;
  Join(worker_);
  const Lease games = Acquire(worker_).at(0);
  ASSERT_FALSE(IsSearch(games.slots[0]));
  EXPECT_THAT(Submit(worker_, {SearchOf(games, games.slots[0])}),
              ::testing::ElementsAre(Verdict::kRejected));
  ExpectWhole();
}

TEST_F(PriorsRunTest, APositionThatFailsThreeTimesIsLeftOut) {
  Start();
  const RunId run = Create(Spec(200));
  std::vector<Move> line;
  int failures = 0;
  for (int i = 0; i < 200 && StatusOf(run).priors.failed == 0; ++i) {
    for (const Lease& lease : Acquire(worker_)) {
      for (const Slot& slot : lease.slots) {
        if (line.empty()) line = slot.line;
        const bool fails = IsSearch(slot) && slot.line == line;
        failures += fails ? 1 : 0;
        EXPECT_THAT(
            Submit(worker_, {fails ? testing::FaultOf(run, lease.lease, slot) : Done(lease, slot)}),
            ::testing::ElementsAre(Verdict::kAccepted));
      }
    }
    if (failures == 2) Restart();  // what failed is known of the rows
  }
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(StatusOf(run).priors.failed, 1u);
  EXPECT_EQ(StatusOf(run).poisoned_lines, 0u) << "games may go through it all the same";
  EXPECT_EQ(StatusOf(run).faults, 0u) << "no game failed";
  Restart();
  EXPECT_EQ(StatusOf(run).priors.failed, 1u);
  Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  ExpectWhole();
}

TEST_F(PriorsRunTest, GoesOnAfterARestartAsBefore) {
  for (const std::string policy : {"graph-puct", "graph-thompson", "soft", "response"}) {
    Start();
    RunSpec spec = Spec(300, policy);
    spec.priors.nodes = 1000 + policy.size();  // another profile for each
    const RunId run = Create(spec);
    for (const uint64_t part : {3, 10, 40, 150, 120}) {
      Work(part);
      const std::vector<double> live = LiveWeights(run);
      Restart();
      ASSERT_EQ(LiveWeights(run), live) << policy;
    }
    Work();
    EXPECT_EQ(StatusOf(run).state, "done") << policy;
    ExpectWhole();
  }
}

TEST_F(PriorsRunTest, AnotherRunTakesWhatIsThere) {
  Start();
  const RunId first = Create(Spec(100));
  const uint32_t positions = StatusOf(first).priors.positions;
  Work();
  const RunId same = Create(Spec(100));
  EXPECT_EQ(StatusOf(same).priors.done, positions);
  EXPECT_EQ(Work().searches, 0u);
  // Another limit makes another profile: earlier values are discounted and searched again.
  RunSpec deeper = Spec(150);
  deeper.priors.nodes = 10 * kNodes;
  const RunId other = Create(deeper);
  EXPECT_EQ(StatusOf(other).priors.done, 0u);
  EXPECT_EQ(StatusOf(other).priors.older, positions);
  EXPECT_EQ(Sets(other).at(0).positions, positions);
  Restart();
  EXPECT_EQ(StatusOf(other).priors.older, positions);
  Work(10);
  const std::vector<double> live = LiveWeights(other);
  Restart();
  EXPECT_EQ(LiveWeights(other), live);
  EXPECT_GT(StatusOf(other).priors.done, 0u);
  EXPECT_EQ(StatusOf(other).priors.done + StatusOf(other).priors.older, positions);
  ExpectWhole();
}

TEST_F(PriorsRunTest, ABlockedWorkersEvaluationsGoAndComeBack) {
  Start();
  const RunId run = Create(Spec(400));
  const uint32_t positions = StatusOf(run).priors.positions;
  Work(positions);
  const std::vector<double> with = Weights(run);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "test", /*unseen=*/false).ok());
  // Evidence is recomputed in the background; the test polls the status.
  while (StatusOf(run).priors.done != 0) std::this_thread::yield();
  std::swap(worker_, other_);
  const Worked anew = Work(2 * positions);
  EXPECT_EQ(anew.searches, positions);
  EXPECT_EQ(StatusOf(run).priors.done, positions);
  const std::vector<double> live = LiveWeights(run);
  Restart();
  EXPECT_EQ(LiveWeights(run), live);
  ExpectWhole();
}

TEST_F(PriorsRunTest, AuditFindsWhatDoesNotFollow) {
  Start();
  Create(Spec(300));
  Work();
  ExpectWhole();
  const auto mismatches = [&] {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value().mismatches;
  };
  ASSERT_EQ(mismatches(), 0u);
  for (const auto& [damage, repair] : std::vector<std::pair<std::string, std::string>>{
           {"UPDATE evaluations SET score = score + 1 WHERE seq = 3",
            "UPDATE evaluations SET score = score - 1 WHERE seq = 3"},
           {"UPDATE evaluations SET slot = slot + 100 WHERE seq = 3",
            "UPDATE evaluations SET slot = slot - 100 WHERE seq = 3"},
           {"UPDATE evaluations SET attempt = 2 WHERE seq = 3",
            "UPDATE evaluations SET attempt = 1 WHERE seq = 3"},
           {"UPDATE prior_sets SET milli_games = milli_games + 1 WHERE version = 3",
            "UPDATE prior_sets SET milli_games = milli_games - 1 WHERE version = 3"},
           {"UPDATE prior_sets SET scale = scale + 1 WHERE version = 3",
            "UPDATE prior_sets SET scale = scale - 1 WHERE version = 3"}}) {
    Execute(damage);
    EXPECT_GT(mismatches(), 0u) << damage;
    Execute(repair);
    EXPECT_EQ(mismatches(), 0u) << repair;
  }
}

// Workers' searches become book moves: the ends of its lines advance by one ply.
TEST_F(PriorsRunTest, SearchesOfWorkersExpandTheBook) {
  Start();
  const RunId run = Create(Spec(40));
  const uint64_t searches = Work().searches;
  coordinator_.reset();
  const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
  const book::BookTotals before = book::BookStore(*store).Totals().value();
  const auto report = ExpandBySearches(*store, rules_, run);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GT(report->searches, 0);
  EXPECT_LE(report->searches + report->left_out, static_cast<int64_t>(searches));
  EXPECT_GT(report->new_positions, 0);
  const book::BookTotals after = book::BookStore(*store).Totals().value();
  EXPECT_EQ(after.positions, before.positions + report->new_positions);
  EXPECT_EQ(after.moves, before.moves + report->new_moves);
  EXPECT_EQ(book::BookStore(*store).Sources()->back().kind, "expand");
  EXPECT_TRUE(book::BookStore(*store).Check()->empty());
  // Every move of the grown book is legal, and a second time adds nothing.
  EXPECT_TRUE(book::BookStore(*store).LoadGraph(rules_).ok());
  EXPECT_EQ(ExpandBySearches(*store, rules_, run)->new_moves, 0);
}

TEST_F(PriorsRunTest, WithoutSearchesThereIsNothingToExpandBy) {
  Start();
  const RunId run = Create(Spec(40));
  coordinator_.reset();
  const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
  EXPECT_EQ(ProblemOf(ExpandBySearches(*store, rules_, run).status()).code, "no_searches");
}

TEST_F(PriorsRunTest, OnlyPoliciesThatUseThemMayAskForThem) {
  Start();
  for (const char* policy : {"result-driven", "ucb1", "sample-average"}) {
    const auto created = coordinator_->operators().CreateRun(Spec(100, policy), "");
    ASSERT_FALSE(created.ok()) << policy;
    EXPECT_EQ(ProblemOf(created.status()).file, "priors");
  }
}

// ---- What the book was imported with ----

class ImportedValuesTest : public PriorsRunTest {
 protected:
  // A value of its own for every move of the book, of depth 20.
  void ImportValues() {
    Execute(
        "INSERT INTO sources (kind, name, options, games, rejected, added_at)"
        " VALUES ('book', 'deep.db', '{}', 0, 0, '2026-01-01T00:00:00Z')");
    Execute(
        "INSERT INTO move_values SELECT position, move, (SELECT max(source) FROM sources),"
        " (move * 37 + position * 91) % 400 - 200, 20, 1, 0 FROM moves");
  }
  static RunSpec NoSearches(uint64_t games, const std::string& policy = "response") {
    return testing::ToySpec(games, policy);
  }
};

TEST_F(ImportedValuesTest, ArePriorsOfTheirOwnThatFollowFromTheRows) {
  ImportValues();
  Start();
  const RunId run = Create(NoSearches(600));
  ASSERT_EQ(Sets(run).size(), 1u);
  EXPECT_EQ(Sets(run).back().imported, book::PriorModel());
  {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    const auto& priors = *loaded.tuner->priors();
    ASSERT_EQ(priors.size(), loaded.imported->size());
    for (size_t edge = 0; edge < priors.size(); ++edge) {
      ASSERT_TRUE((*loaded.imported)[edge].known());
      EXPECT_EQ(priors[edge], book::PriorOf((*loaded.imported)[edge].score, {}));
    }
  }
  // The run keeps its initial values, whatever is imported later.
  Execute("UPDATE move_values SET value = -value");
  EXPECT_EQ(Work().searches, 0u);
  EXPECT_GE(Sets(run).size(), 3u) << "the games say what they are worth";
  EXPECT_NE(Sets(run).back().imported, book::PriorModel());
  const std::vector<double> live = LiveWeights(run);
  Restart();
  EXPECT_EQ(LiveWeights(run), live) << "to the last digit";
  ExpectWhole();
  const auto mismatches = [&] {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value().mismatches;
  };
  EXPECT_EQ(mismatches(), 0u);
  Execute(
      "UPDATE prior_sets SET imported_milli_games = imported_milli_games + 1 WHERE version = 2");
  EXPECT_GT(mismatches(), 0u);
  Execute(
      "UPDATE prior_sets SET imported_milli_games = imported_milli_games - 1 WHERE version = 2");
  Execute("UPDATE imported_values SET bytes = x'00'");
  EXPECT_GT(mismatches(), 0u);
}

TEST_F(ImportedValuesTest, AnswerWhereNothingOfTheRunHasBeen) {
  ImportValues();
  Start();
  std::vector<RunId> runs;
  for (const char* policy : {"response", "result-driven", "ucb1", "recency", "sample-average"}) {
    runs.push_back(Create(NoSearches(20, policy)));
  }
  Work();
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  for (const RunId run : runs) {
    const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
    const book::Graph& graph = *tuned.run.graph;
    int untouched = 0;
    for (book::NodeId node = 0; node < graph.node_count(); ++node) {
      const book::Choices choices = tuned.run.tuner->choices(node);
      const bool played =
          std::any_of(choices.arms.begin(), choices.arms.end(),
                      [](const book::Arm& arm) { return arm.evidence.games() > 0; });
      if (played || choices.size() == 0) continue;
      ++untouched;
      const int16_t answer =
          (*tuned.run.imported)[graph.node(node).first + tuned.AnswerAt(node)].score;
      for (size_t i = 0; i < choices.size(); ++i) {
        EXPECT_LE((*tuned.run.imported)[graph.node(node).first + i].score, answer);
      }
    }
    EXPECT_GT(untouched, 0) << run;
  }
}

// A move that was won once is no answer where the book knows it to lose.
TEST_F(ImportedValuesTest, OneWonGameDoesNotMakeABlunderTheAnswer) {
  ImportValues();
  Execute("UPDATE move_values SET value = CASE WHEN move % 2 = 0 THEN -1364 ELSE 35 END");
  Start();
  const RunId run = Create(NoSearches(60));
  Work();
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
  const book::Graph& graph = *tuned.run.graph;
  int choices = 0;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    int best = book::ImportedValue::kNone;
    uint32_t most = 0;
    for (size_t i = 0; i < graph.node(node).count; ++i) {
      best = std::max<int>(best, (*tuned.run.imported)[graph.node(node).first + i].score);
      most = std::max(most, tuned.run.tuner->arms(node)[i].evidence.games());
    }
    if (graph.node(node).count < 2 || best < 0 || most > 3) continue;
    ++choices;
    EXPECT_EQ((*tuned.run.imported)[graph.node(node).first + tuned.AnswerAt(node)].score, 35);
  }
  EXPECT_GT(choices, 3);
}

}  // namespace
}  // namespace joseki::coordinator
