// Runs that search along the lines that their book will be played by, from slot to export. Covers
// searches when workers die, fail or are blocked, and their state after a restart.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/database/book_import.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/merger.h"
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
        [&](const Key&, const PackedPosition& at, int, const book::Repertoire::Answer& answer) {
          answers[at] = rules_.Text(answer.move) + " of " + std::to_string(answer.nodes);
        });
    return answers;
  }
  static std::map<PackedPosition, Move> AnswersOf(const ExportBook& book) {
    std::map<PackedPosition, Move> answers;
    for (const ExportBook::Position& position : book.positions) {
      for (const ExportBook::Move& move : position.moves) {
        if (move.answer) answers[position.packed] = move.move;
      }
    }
    return answers;
  }
  ExportBook Exported(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return LoadExport(*store, rules_, run).value();
  }
  // How a worker answers a search that it does not make.
  using Answer = SubmittedGame (*)(const Lease& lease, const Slot& slot);
  static SubmittedGame AsAFault(const Lease& lease, const Slot& slot) {
    return testing::FaultOf(lease.run, lease.lease, slot, Termination::kStall);
  }
  // Submits as an engine that resigns does.
  static SubmittedGame WithoutAMove(const Lease& lease, const Slot& slot) {
    SubmittedGame game;
    game.run = lease.run;
    game.lease = lease.lease;
    game.slot = slot.slot;
    game.moves = slot.line;
    const auto state = testing::ToyRules().Start(slot.start, MatchRules{}).value();
    state->PlayAll(slot.line);
    game.claim = {WinFor(~state->side_to_move()), Termination::kResign};
    return game;
  }
  // Plays granted games, at most `most` slots, and answers searches by `answer`. Returns, by line,
  // the leases under which it was requested.
  std::map<std::vector<Move>, std::set<LeaseId>> WorkBadly(Answer badly, int most = 1'000'000) {
    std::map<std::vector<Move>, std::set<LeaseId>> tried;
    for (bool more = true; more && most > 0;) {
      more = false;
      for (const Lease& lease : Acquire(worker_)) {
        for (const Slot& slot : lease.slots) {
          more = true;
          --most;
          if (IsSearch(slot)) tried[slot.line].insert(lease.lease);
          Submit(worker_, {IsSearch(slot) ? badly(lease, slot) : Done(lease, slot)});
        }
      }
    }
    return tried;
  }
  void ExpectOthersToSearchBeside(Answer badly) {
    const RunId run = Create(Spec(100));
    ASSERT_FALSE(WorkBadly(badly, /*most=*/40).empty());
    EXPECT_THAT(Answers(run), IsEmpty());
    EXPECT_GT(WorkOn(other_, 20).searches, 0u);
    EXPECT_FALSE(Answers(run).empty());
    Restart();
    EXPECT_GT(WorkOn(other_, 20).searches, 0u);
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
  // Games and searches share the budget.
  const uint64_t searched = loaded.line_searches->games_spent();
  EXPECT_NEAR(static_cast<double>(worked.games), 100, 10);
  EXPECT_NEAR(static_cast<double>(worked.games + searched), 200, 2);
  EXPECT_GT(loaded.line_searches->repertoire().trials(), 0u);
  ExpectAudited();
  ExpectWhole();
}

TEST_F(LineSearchesRunTest, AFixedBookGetsNoMoves) {
  const auto has = [](const book::Graph& graph, const PackedPosition& at, Move move) {
    const book::NodeId node = graph.FindPacked(at);
    return node != book::kNoNode && graph.FindMove(node, move) != book::kNoEdge;
  };
  Start();
  for (const bool fixed : {false, true}) {
    RunSpec spec = Spec(200, 90);
    spec.line_searches.fixed_book = fixed;
    const RunId run = Create(spec);
    Work();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    EXPECT_GT(loaded.line_searches->repertoire().trials(), 0u);
    const std::map<PackedPosition, Move> answers = AnswersOf(Exported(run));
    EXPECT_FALSE(answers.empty());
    const auto grown = std::count_if(answers.begin(), answers.end(), [&](const auto& answer) {
      return !has(*loaded.graph, answer.first, answer.second);
    });
    if (fixed) {
      EXPECT_EQ(grown, 0);
    } else {
      EXPECT_GT(grown, 0);
    }
  }
  ExpectAudited();
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

// A file says of a move what a running coordinator says of it.
TEST_F(LineSearchesRunTest, TheExportSaysWhatIsExpectedOfEveryCandidate) {
  Start();
  const RunId run = Create(Spec(200));
  Work();
  const absl::StatusOr<PositionEvidence> live = coordinator_->readers().GetPosition(run, "");
  ASSERT_TRUE(live.ok());
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
  const ExportBook::Position start =
      ExportOfPosition(tuned, StartNode(rules_, *tuned.run.graph, tuned.run.row.spec).value());
  int expected = 0;
  ASSERT_EQ(start.moves.size(), live->moves.size());
  for (const MoveEvidence& move : live->moves) {
    const auto at =
        std::find_if(start.moves.begin(), start.moves.end(),
                     [&](const ExportBook::Move& exported) { return exported.move == move.move; });
    ASSERT_NE(at, start.moves.end()) << rules_.Text(move.move);
    EXPECT_EQ(at->expected, move.expected) << rules_.Text(move.move);
    EXPECT_EQ(at->trials, move.trials);
    EXPECT_EQ(at->answer, move.answer);
    expected += move.expected.has_value();
  }
  EXPECT_GT(expected, 1);
  // The book of the whole run has the same, and no candidate that neither it nor the run's book
  // has.
  for (const ExportBook::Position& position : ExportOfRun(tuned).positions) {
    const book::NodeId node = tuned.run.graph->FindPacked(position.packed);
    std::optional<double> best;
    for (const ExportBook::Move& move : position.moves) {
      if (move.answer) best = move.expected;
      EXPECT_TRUE(move.answer || (node != book::kNoNode &&
                                  tuned.run.graph->FindMove(node, move.move) != book::kNoEdge));
    }
    for (const ExportBook::Move& move : position.moves) {
      EXPECT_LE(move.expected, best);
      for (const ExportBook::Move& other : position.moves) {
        if (!move.expected && other.expected) {
          EXPECT_LE(move.worth, other.worth);
        }
      }
    }
  }
}

TEST_F(LineSearchesRunTest, WhereNoLineCameAnImportedAnswerStays) {
  Start();
  RunSpec spec = Spec(60);
  const RunId first = Create(spec);
  Work();
  coordinator_.reset();
  // A move of an unsearched position has a value from now on.
  const std::map<PackedPosition, Move> before = AnswersOf(Exported(first));
  book::DbPosition valued;
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    const LoadedRun run = LoadRun(*store, rules_, first).value();
    for (book::NodeId node = 0; node < run.graph->node_count(); ++node) {
      if (before.contains(run.graph->node(node).packed) || run.graph->moves(node).size() < 2) {
        continue;
      }
      valued.packed = run.graph->node(node).packed;
      valued.ply = run.graph->node(node).ply;
      valued.moves = {{.move = run.graph->moves(node)[1].move, .value = 30, .has_value = true}};
    }
    ASSERT_FALSE(valued.moves.empty());
    book::BookImport import(*store, "book", "values", "");
    ASSERT_TRUE(import.AddBook(valued).ok());
    ASSERT_TRUE(import.Commit(0, 0).ok());
  }
  Start();
  const RunId second = Create(spec);
  Work(10);
  coordinator_.reset();
  const std::map<PackedPosition, Move> answers = AnswersOf(Exported(second));
  ASSERT_TRUE(answers.contains(valued.packed));
  EXPECT_EQ(answers.at(valued.packed), valued.moves[0].move);
  EXPECT_LT(answers.size(), 20u) << "elsewhere the book ends where nothing was searched";
}

TEST_F(LineSearchesRunTest, AMergedBookAnswersAsTheSearchesSay) {
  Start();
  const RunId first = Create(Spec(120));
  Work();
  RunSpec other = Spec(120);
  other.seed += 1;
  const RunId second = Create(other);
  Work();
  const auto merged = [&](const std::string& name, const std::vector<RunId>& runs) {
    std::vector<MergeInput> inputs;
    for (const RunId run : runs) inputs.push_back({MergeLayer::kTuned, path_, run});
    EXPECT_TRUE(MergeBooks(rules_, inputs, folder_ / name, false).ok());
    const auto store = book::Store::Open(folder_ / name, book::OpenMode::kReadOnly).value();
    return AnswersOf(ExportOfBook(*store, rules_).value());
  };
  const std::map<PackedPosition, Move> alone = AnswersOf(Exported(first));
  ASSERT_GT(alone.size(), 10u);
  EXPECT_EQ(merged("one", {first}), alone);
  // In the merge of both, each position that either run searched has an answer.
  const std::map<PackedPosition, Move> both = merged("two", {first, second});
  for (const RunId run : {first, second}) {
    for (const auto& [position, move] : AnswersOf(Exported(run))) {
      EXPECT_EQ(both.count(position), 1u);
    }
  }
  EXPECT_GT(both.size(), alone.size());
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

TEST_F(LineSearchesRunTest, AWorkerWhoseSearchFailsThreeTimesIsNotAskedAgain) {
  Start();
  const RunId run = Create(Spec(60));
  const auto tried = WorkBadly(AsAFault);
  ASSERT_FALSE(tried.empty());
  for (const auto& [line, leases] : tried) EXPECT_LE(leases.size(), 3u);
  EXPECT_THAT(Answers(run), IsEmpty());
  EXPECT_EQ(StatusOf(run).state, "done") << "games alone";
}

// One worker's reports close no position to others, not even the start.
TEST_F(LineSearchesRunTest, OneWorkersFaultsCloseNoPositionToAnother) {
  Start();
  ExpectOthersToSearchBeside(AsAFault);
}

TEST_F(LineSearchesRunTest, OneWorkersEmptyAnswersCloseNoPositionToAnother) {
  Start();
  ExpectOthersToSearchBeside(WithoutAMove);
}

TEST_F(LineSearchesRunTest, ABlockedWorkersSearchesSayNothing) {
  Start();
  const RunId run = Create(Spec(100));
  Work(60);
  const auto before = Answers(run);
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "a test", {}).ok());
  // Evidence is recomputed in the background.
  while (!Answers(run).empty()) std::this_thread::yield();
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("w", false).ok());
  while (Answers(run) != before) std::this_thread::yield();
}

// Scores cannot be replayed from moves: a second worker makes a share of the searches again.
TEST_F(LineSearchesRunTest, AWorkerWhoseScoresAreNotWhatOthersFindIsBlocked) {
  Start();
  Join(third_);
  RunSpec spec = Spec(200);
  spec.verify_percent = 100;
  const RunId run = Create(spec);
  const auto tell = [this](const Hand& hand, bool honest) {
    for (const Lease& lease : Acquire(hand)) {
      std::vector<SubmittedGame> games;
      for (const Slot& slot : lease.slots) {
        games.push_back(!honest && IsSearch(slot) ? SearchOf(lease, slot, int16_t{1500})
                                                  : Done(lease, slot));
      }
      Submit(hand, std::move(games));
    }
  };
  const auto blocked = [this](const std::string& name) {
    for (const WorkerStatus& worker : coordinator_->readers().GetStatus(0).workers) {
      if (worker.worker == name) return worker.state == "quarantined";
    }
    return false;
  };
  for (int round = 0; round < 40 && !blocked("v"); ++round) {
    tell(worker_, true);
    tell(other_, false);
    tell(third_, true);
  }
  EXPECT_TRUE(blocked("v"));
  EXPECT_FALSE(blocked("w"));
  EXPECT_FALSE(blocked("u"));
  for (int round = 0; round < 400 && StatusOf(run).state != "done"; ++round) {
    tell(worker_, true);
    tell(third_, true);
  }
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_GT(StatusOf(run).copies, 10u);
  EXPECT_GT(Number("SELECT count(*) FROM checks c JOIN evaluations e ON e.run = c.run AND"
                   " e.lease = c.of_lease AND e.slot = c.of_slot AND e.kind <> 0 AND c.state = 1"),
            0);
  ExpectAudited();
  ExpectWhole();
}

TEST_F(LineSearchesRunTest, ASearchThatIsMadeAgainOutlivesARestart) {
  Start();
  RunSpec spec = Spec(60);
  spec.verify_percent = 100;
  const RunId run = Create(spec);
  Work(4);
  const std::vector<Lease> copies = Acquire(other_);
  ASSERT_FALSE(copies.empty());
  Restart();
  for (const Lease& lease : copies) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots) games.push_back(Done(lease, slot));
    Submit(other_, std::move(games));
  }
  EXPECT_GT(StatusOf(run).copies, 0u);
  EXPECT_EQ(StatusOf(run).mismatches, 0u);
  ExpectAudited();
  ExpectWhole();
}

TEST_F(LineSearchesRunTest, ADamagedSearchNamesItsRow) {
  Start();
  const RunId run = Create(Spec(60));
  Work(20);
  coordinator_.reset();
  for (const char* damage : {"line = x'01'", "kind = 77", "excluded = x'01'"}) {
    Execute(
        absl::StrCat("CREATE TABLE kept AS SELECT * FROM evaluations WHERE seq = 3;"
                     "UPDATE evaluations SET ",
                     damage, " WHERE seq = 3"));
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    EXPECT_THAT(std::string(LoadRun(*store, rules_, run).status().message()),
                ::testing::StartsWith(path_ + ": evaluations 3: "))
        << damage;
    store.reset();
    Execute("REPLACE INTO evaluations SELECT * FROM kept; DROP TABLE kept");
  }
}

TEST_F(LineSearchesRunTest, WhatMakesNoSenseIsRefused) {
  Start();
  RunSpec few = Spec(10);
  few.line_searches.nodes = few.play.nodes;
  EXPECT_FALSE(coordinator_->operators().CreateRun(few, "").ok());
  RunSpec both = Spec(10);
  both.priors.nodes = 100;
  EXPECT_FALSE(coordinator_->operators().CreateRun(both, "").ok());
  RunSpec alone;
  alone = Spec(10);
  alone.line_searches.share = 0;
  EXPECT_FALSE(coordinator_->operators().CreateRun(alone, "").ok());
  RunSpec fixed = Spec(10, 0);
  fixed.line_searches = {.fixed_book = true};
  EXPECT_FALSE(coordinator_->operators().CreateRun(fixed, "").ok());
  RunSpec most = Spec(10);
  most.line_searches.share = 96;
  EXPECT_FALSE(coordinator_->operators().CreateRun(most, "").ok());
}

}  // namespace
}  // namespace joseki::coordinator
