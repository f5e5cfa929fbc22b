// Runs that search along the lines that their book will be played by, from slot to export. Covers
// searches when workers die, fail or are blocked, and their state after a restart.
#include "tests/coordinator/line_searches_run.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/database/book_import.h"
#include "coordinator/offline/answer_course.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/movers.h"
#include "coordinator/runs/line_searches.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::IsEmpty;

class LineSearchesRunTest : public LineSearchesRun {
 protected:
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
  // Answer of a worker to a search that it does not make.
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
    EXPECT_GT(StatusOf(run).line_searches->answers, 0u);
    Restart();
    EXPECT_GT(WorkOn(other_, 20).searches, 0u);
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
  const uint64_t searched = loaded.line_searches->budget().games_spent();
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
TEST_F(LineSearchesRunTest, TheCourseEndsWithTheAnswersOfSearchesAndOfGames) {
  Start();
  const RunId run = Create(Spec(400, /*share=*/5));
  Work();
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
  const AnswerCourse course = ReadAnswerCourse(*store, rules_, tuned.run).value();
  ASSERT_FALSE(course.steps.empty());
  const AnswerCourse::Step& last = course.steps.back();
  EXPECT_GT(last.positions, tuned.run.line_searches->repertoire().answers())
      << "games came where no search did";
  EXPECT_EQ(last.changed, MoversOf(tuned, rules_, 3).value().changed);
}

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
    EXPECT_EQ(Name(*at->origin), move.origin);
    EXPECT_EQ(at->decided_by ? Name(*at->decided_by) : "", move.decided_by);
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

TEST_F(LineSearchesRunTest, TheExportSaysWhereEachMoveCameFromAndWhatDecided) {
  Start();
  const RunId run = Create(Spec(800, 90));
  Work();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
  const book::Graph& graph = *tuned.run.graph;
  const book::Repertoire& repertoire = tuned.run.line_searches->repertoire();
  const ExportBook exported = ExportOfRun(tuned);
  const book::DbComment comment = CommentsOf(exported);
  std::map<MoveOrigin, int> origins;
  std::map<DecidedBy, int> decided;
  for (const ExportBook::Position& position : exported.positions) {
    const auto state = rules_.Start(rules_.Text(position.packed, 1), MatchRules{}).value();
    const auto candidates = repertoire.CandidatesAt(state->key());
    const book::NodeId node = graph.FindPacked(position.packed);
    for (const ExportBook::Move& move : position.moves) {
      ASSERT_TRUE(move.origin);
      ++origins[*move.origin];
      EXPECT_EQ(*move.origin == MoveOrigin::kBook,
                node != book::kNoNode && graph.FindMove(node, move.move) != book::kNoEdge);
      EXPECT_EQ(move.decided_by.has_value(), move.answer);
      const std::string words = comment(position.packed, move.move);
      EXPECT_EQ(words.starts_with("found "), *move.origin != MoveOrigin::kBook) << words;
      if (!move.answer) continue;
      ++decided[*move.decided_by];
      EXPECT_EQ(*move.decided_by == DecidedBy::kEngine, candidates.front().chosen);
      EXPECT_THAT(words, ::testing::EndsWith(absl::StrCat(" trials; decided by ",
                                                          std::string(Name(*move.decided_by)))));
    }
  }
  EXPECT_GT(origins[MoveOrigin::kBook], 0);
  EXPECT_GT(origins[MoveOrigin::kSearch], 0);
  EXPECT_GT(origins[MoveOrigin::kCandidate], 0);
  EXPECT_GT(decided[DecidedBy::kEngine], 0);
  EXPECT_GT(decided[DecidedBy::kTrials], 0);
}

TEST_F(LineSearchesRunTest, APositionBeyondTheBookIsExportedByItself) {
  Start();
  const RunId run = Create(Spec(200, 90));
  Work();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
  int beyond = 0;
  for (const ExportBook::Position& position : ExportOfRun(tuned).positions) {
    if (tuned.run.graph->FindPacked(position.packed) != book::kNoNode) continue;
    ++beyond;
    const auto state = rules_.Start(rules_.Text(position.packed, 1), MatchRules{}).value();
    const auto alone = ExportOfPosition(tuned, *state);
    ASSERT_TRUE(alone);
    ASSERT_NE(AnswerAmong(alone->moves), nullptr);
    EXPECT_EQ(AnswerAmong(alone->moves)->move, AnswerAmong(position.moves)->move);
  }
  EXPECT_GT(beyond, 0);
  EXPECT_FALSE(ExportOfPosition(tuned, *rules_.Start("90-95 b 1", MatchRules{}).value()));
}

// The next candidate is the answer, whether the marked one was in the book or found by a search.
TEST_F(LineSearchesRunTest, AMarkedMoveIsNoAnswerOfTheExport) {
  Start();
  const RunId run = Create(Spec(800, 90));
  Work();
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
  std::map<PackedPosition, std::pair<Move, Move>> wanted;  // the answer, and the next one
  std::map<MoveOrigin, PackedPosition> of_origin;
  {
    const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
    for (const ExportBook::Position& position : ExportOfRun(tuned).positions) {
      const auto state = rules_.Start(rules_.Text(position.packed, 1), MatchRules{}).value();
      const auto found = tuned.run.line_searches->repertoire().CandidatesAt(state->key());
      if (found.size() < 2) continue;
      wanted[position.packed] = {found[0].move, found[1].move};
      of_origin[*AnswerAmong(position.moves)->origin] = position.packed;
    }
  }
  ASSERT_TRUE(of_origin.contains(MoveOrigin::kBook));
  ASSERT_TRUE(of_origin.contains(MoveOrigin::kSearch));
  for (const auto& [origin, packed] : of_origin) {
    const auto [answer, next] = wanted[packed];
    book::BookImport import(*store, "edit", "marks", "");
    book::DbPosition added;
    added.packed = packed;
    added.moves = {{.move = answer}};
    ASSERT_TRUE(import.AddBook(added).ok());
    ASSERT_TRUE(import.Commit(0, 0).ok());
    for (const int mark : {book::kBad, book::kForbidden}) {
      ASSERT_TRUE(book::BookStore(*store).Mark(packed, answer, mark, "").ok());
      EXPECT_EQ(AnswersOf(Exported(run))[packed], next) << Name(origin);
      const TunedRun tuned = LoadTunedRun(*store, rules_, run).value();
      const auto state = rules_.Start(rules_.Text(packed, 1), MatchRules{}).value();
      const auto shown = ExportOfPosition(tuned, *state);
      ASSERT_TRUE(shown);
      EXPECT_EQ(AnswerAmong(shown->moves)->move, next);
      int named = 0;
      for (const ExportBook::Move& move : shown->moves) named += move.move == answer;
      EXPECT_EQ(named, mark == book::kBad ? 1 : 0);
    }
  }
  // A later run does not even look for the forbidden ones.
  Start();
  RunSpec spec = Spec(400, 90);
  const RunId second = Create(spec);
  Work();
  const TunedRun tuned = LoadTunedRun(*store, rules_, second).value();
  for (const auto& [origin, packed] : of_origin) {
    const auto state = rules_.Start(rules_.Text(packed, 1), MatchRules{}).value();
    for (const auto& found : tuned.run.line_searches->repertoire().CandidatesAt(state->key())) {
      EXPECT_NE(found.move, wanted[packed].first) << Name(origin);
    }
  }
}

// The expected reply is the exported book's own answer at the next position.
TEST_F(LineSearchesRunTest, ExpectedRepliesAreThoseOfTheExportedBook) {
  Start();
  const RunId run = Create(Spec(800, 90));
  Work();
  const ExportBook exported = Exported(run);
  const std::map<PackedPosition, Move> answers = AnswersOf(exported);
  int replies = 0;
  for (const ExportBook::Position& position : exported.positions) {
    for (const ExportBook::Move& move : position.moves) {
      const auto state = rules_.Start(rules_.Text(position.packed, 1), MatchRules{}).value();
      ASSERT_TRUE(state->Play(move.move));
      const auto next = answers.find(state->packed());
      EXPECT_EQ(move.ponder, next == answers.end() ? Move() : next->second);
      replies += next != answers.end();
    }
  }
  EXPECT_GT(replies, 0);
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
  WorkOn(other_, 20);
  const auto spent = [&] { return StatusOf(run).line_searches->games; };
  const auto before = Answers(run);
  const uint64_t spent_before = spent();
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "a test", {}).ok());
  // Evidence is recomputed in the background.
  while (spent() == spent_before) std::this_thread::yield();
  const uint64_t without = spent();
  Restart();
  EXPECT_LT(Answers(run).size(), before.size());
  EXPECT_EQ(spent(), without) << "live and from the rows";
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("w", false).ok());
  while (spent() != spent_before) std::this_thread::yield();
  Restart();
  EXPECT_EQ(Answers(run), before);
  EXPECT_EQ(spent(), spent_before);
  ExpectAudited();
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

// Workers may lie about scores, so a book of two workers has what both stand behind.
TEST_F(LineSearchesRunTest, AnAnswerNeedsTwoWorkersOnceThereAreTwo) {
  Start();
  RunSpec spec = Spec(400, 90);
  spec.verify_percent = 0.001;  // so little that nothing is searched again
  const RunId run = Create(spec);
  Work(120);
  const auto alone = Answers(run);
  ASSERT_GT(alone.size(), 10u);
  ASSERT_GT(WorkOn(other_, 120).searches, 0u);
  const auto both = Answers(run);
  EXPECT_GT(both.size(), 3u);
  EXPECT_LT(both.size(), alone.size());
  EXPECT_EQ(AnswersOf(Exported(run)).size(), both.size()) << "elsewhere the exported book ends";
  Restart();
  EXPECT_EQ(Answers(run), both);
  // One worker's word is left.
  ASSERT_TRUE(coordinator_->operators().BlockWorker("v", "a test", {}).ok());
  while (Answers(run).size() < alone.size()) std::this_thread::yield();
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("v", false).ok());
  while (Answers(run) != both) std::this_thread::yield();
  ExpectAudited();
}

// Nobody could vouch for a worker.
TEST_F(LineSearchesRunTest, AnAnswerNeedsOneWorkerIfTheEngineDoesNotRepeatItself) {
  Start();
  RunSpec spec = Spec(400, 90);
  spec.play.engine_signature = 0;
  const RunId run = Create(spec);
  Work(120);
  const auto alone = Answers(run);
  ASSERT_GT(alone.size(), 10u);
  ASSERT_GT(WorkOn(other_, 120).searches, 0u);
  EXPECT_GE(Answers(run).size(), alone.size());
}

TEST_F(LineSearchesRunTest, ASearchThatIsMadeAgainSupportsItsAnswer) {
  Start();
  RunSpec spec = Spec(400, 90);
  spec.verify_percent = 100;
  const RunId run = Create(spec);
  const auto at_start = [&] {
    std::map<std::string, std::string> candidates;
    const auto start = coordinator_->readers().GetPosition(run, "");
    for (const MoveEvidence& move : start->moves) {
      if (!move.expected) continue;
      candidates[rules_.Text(move.move)] = absl::StrCat(*move.expected, " ", move.answer);
    }
    return candidates;
  };
  for (int round = 0; round < 30; ++round) {
    WorkOn(worker_, 4);
    WorkOn(other_, 4);
  }
  ASSERT_GT(StatusOf(run).copies, 20u);
  const auto live = at_start();
  EXPECT_FALSE(live.empty());
  Restart();
  EXPECT_EQ(at_start(), live);
  const size_t supported = Answers(run).size();
  coordinator_.reset();
  Execute("DELETE FROM checks");
  EXPECT_LT(Answers(run).size(), supported);
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
