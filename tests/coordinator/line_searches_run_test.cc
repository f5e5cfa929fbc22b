// Runs that search along the lines their book will be played by, from the slot to the export: what
// becomes of searches when workers die, fail or are blocked, and what a restart makes of them.
#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/offline/audit.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/runs/line_searches.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/searching_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;

class LineSearchesRunTest : public SearchingRun {
 protected:
  static RunSpec Spec(uint64_t games, uint32_t share = 50) {
    RunSpec spec = testing::ToySpec(games, "response");
    spec.line_searches = {.nodes = 10 * spec.play.nodes, .share = share};
    return spec;
  }

  // The answers that the searches gave, by the rows: "position: move of nodes".
  std::map<PackedPosition, std::string> Answers(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    std::map<PackedPosition, std::string> answers;
    loaded.line_searches->repertoire().ForEachAnswer(
        [&](const PackedPosition& at, int, const book::Repertoire::Answer& answer) {
          answers[at] = rules_.Text(answer.move) + " of " + std::to_string(answer.nodes);
        });
    return answers;
  }
  ExportBook Exported(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return LoadExport(*store, rules_, run).value();
  }
  void ExpectAudited() {
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_GT(report.evaluations, 0u);
    EXPECT_EQ(report.mismatches, 0u);
  }
};

TEST_F(LineSearchesRunTest, SearchesHaveTheirShareOfTheNodes) {
  Start();
  const RunSpec spec = Spec(200);
  const RunId run = Create(spec);
  const Worked worked = Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).games_done, worked.games);
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const LoadedRun loaded = LoadRun(*store, rules_, run).value();
  // The budget is for both.
  const uint64_t searched = loaded.line_searches->games_spent();
  EXPECT_NEAR(static_cast<double>(worked.games), 100, 10);
  EXPECT_NEAR(static_cast<double>(worked.games + searched), 200, 2);
  EXPECT_GT(loaded.line_searches->repertoire().trials(), 0u);
  ExpectAudited();
  ExpectWhole();
}

TEST_F(LineSearchesRunTest, ARestartKnowsTheSameAndGoesOn) {
  Start();
  const RunId run = Create(Spec(200));
  Work(150);
  const auto before = Answers(run);
  ASSERT_GT(before.size(), 10u);
  Restart();
  EXPECT_EQ(Answers(run), before);
  Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_GT(Answers(run).size(), before.size());
  ExpectAudited();
}

TEST_F(LineSearchesRunTest, TheExportHasWhatWasFoundBeyondTheBook) {
  Start();
  const RunId run = Create(Spec(200));
  Work();
  const ExportBook exported = Exported(run);
  const auto answers = Answers(run);
  ASSERT_TRUE(std::is_sorted(exported.positions.begin(), exported.positions.end(),
                             [](const auto& a, const auto& b) { return a.packed < b.packed; }));
  size_t searched = 0;
  size_t beyond = 0;
  for (const ExportBook::Position& position : exported.positions) {
    const auto found = answers.find(position.packed);
    if (found == answers.end()) continue;
    ++searched;
    size_t played = 0;
    for (const ExportBook::Move& move : position.moves) {
      if (!move.answer) continue;
      ++played;
      EXPECT_EQ(rules_.Text(move.move) + " of " + std::to_string(move.searched), found->second);
    }
    EXPECT_EQ(played, 1u);
    if (position.moves.size() == 1 && position.moves[0].games == 0) ++beyond;
  }
  EXPECT_EQ(searched, answers.size());
  EXPECT_GT(beyond, 0u);
}

TEST_F(LineSearchesRunTest, AKilledWorkersSearchesAreMadeByAnother) {
  Start();
  const RunId run = Create(Spec(60));
  const std::vector<Lease> lost = Acquire(worker_);
  ASSERT_FALSE(lost.empty());
  ASSERT_TRUE(IsSearch(lost[0].slots[0]));
  clock_.Advance(absl::Hours(1));
  Restart();
  clock_.Advance(absl::Hours(1));
  Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  // Late, and of the same position: one more opinion.
  EXPECT_THAT(Submit(worker_, {SearchOf(lost[0], lost[0].slots[0])}),
              ::testing::ElementsAre(Verdict::kStaleAccepted));
  ExpectAudited();
  ExpectWhole();
}

TEST_F(LineSearchesRunTest, ALineWhoseSearchFailsThreeTimesIsLeft) {
  Start();
  const RunId run = Create(Spec(60));
  std::map<std::vector<Move>, int> tried;
  for (bool more = true; more;) {
    more = false;
    for (const Lease& lease : Acquire(worker_)) {
      for (const Slot& slot : lease.slots) {
        more = true;
        if (!IsSearch(slot)) {
          Submit(worker_, {Done(lease, slot)});
          continue;
        }
        ++tried[slot.line];
        Submit(worker_, {testing::FaultOf(lease.run, lease.lease, slot, Termination::kStall)});
      }
    }
  }
  ASSERT_FALSE(tried.empty());
  for (const auto& [line, times] : tried) EXPECT_LE(times, 3);
  EXPECT_THAT(Answers(run), IsEmpty());
  EXPECT_EQ(StatusOf(run).state, "done") << "games alone";
}

TEST_F(LineSearchesRunTest, ABlockedWorkersSearchesSayNothing) {
  Start();
  const RunId run = Create(Spec(100));
  Work(60);
  const auto before = Answers(run);
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(coordinator_->BlockWorker("w", "a test", {}).ok());
  // Evidence is computed anew beside everything else.
  while (!Answers(run).empty()) std::this_thread::yield();
  ASSERT_TRUE(coordinator_->UnblockWorker("w", false).ok());
  while (Answers(run) != before) std::this_thread::yield();
}

TEST_F(LineSearchesRunTest, WhatMakesNoSenseIsRefused) {
  Start();
  RunSpec few = Spec(10);
  few.line_searches.nodes = few.play.nodes;
  EXPECT_FALSE(coordinator_->CreateRun(few, "").ok());
  RunSpec both = Spec(10);
  both.priors.nodes = 100;
  EXPECT_FALSE(coordinator_->CreateRun(both, "").ok());
  RunSpec alone;
  alone = Spec(10);
  alone.line_searches.share = 0;
  EXPECT_FALSE(coordinator_->CreateRun(alone, "").ok());
  RunSpec most = Spec(10);
  most.line_searches.share = 96;
  EXPECT_FALSE(coordinator_->CreateRun(most, "").ok());
}

}  // namespace
}  // namespace joseki::coordinator
