// Searches along lines outside their run: merged with those of another database, taken over by a
// later run, and beside archived games.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/database/book_store.h"
#include "coordinator/offline/archiver.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/merged_searches.h"
#include "coordinator/offline/merger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/line_searches_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SharedSearchesTest : public LineSearchesRun {
 protected:
  using Moves = std::map<PackedPosition, Move>;

  static Moves AnswersOf(const ExportBook& book) {
    Moves answers;
    for (const ExportBook::Position& position : book.positions) {
      for (const ExportBook::Move& move : position.moves) {
        if (move.answer) answers[position.packed] = move.move;
      }
    }
    return answers;
  }
  Moves Exported(RunId run) {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return AnswersOf(LoadExport(*store, rules_, run).value());
  }
  Moves Merged(const std::vector<MergeInput>& runs) {
    const std::string name = folder_ / "merged" + std::to_string(++merged_);
    const auto report = MergeBooks(rules_, runs, name, false);
    EXPECT_TRUE(report.ok()) << report.status();
    const auto store = book::Store::Open(name, book::OpenMode::kReadOnly).value();
    return AnswersOf(ExportOfBook(*store, rules_).value());
  }
  MergeInput Input(RunId run) const { return {MergeLayer::kTuned, path_, run}; }
  std::string Refusal(const std::vector<MergeInput>& runs) {
    return ProblemOf(MergeBooks(rules_, runs, folder_ / "refused", false).status()).code;
  }
  uint64_t TrialsOf(const std::vector<MergeInput>& runs) {
    return MergedSearches::Read(rules_, runs).value().repertoire()->trials();
  }
  // Stops the coordinator and puts the database under another name.
  std::string Keep(const std::string& name) {
    coordinator_.reset();
    const std::string copy = folder_ / name;
    std::filesystem::copy_file(path_, copy);
    return copy;
  }
  // Works as an engine does that scores by `shift` otherwise.
  void WorkOtherwise(int16_t shift) {
    for (bool more = true; more;) {
      more = false;
      for (const Lease& lease : Acquire(worker_)) {
        more = true;
        std::vector<SubmittedGame> games;
        for (const Slot& slot : lease.slots) {
          games.push_back(Done(lease, slot));
          for (int16_t& score : games.back().scores) score = static_cast<int16_t>(score + shift);
        }
        Submit(worker_, std::move(games));
      }
    }
  }
  uint64_t Searches(RunId run) {
    return static_cast<uint64_t>(
        Number("SELECT count(*) FROM evaluations WHERE line IS NOT NULL AND run = " +
               std::to_string(run)));
  }
  static RunSpec Taking(RunSpec spec) {
    spec.seed = 9;
    spec.take_over = true;
    return spec;
  }

  int merged_ = 0;
};

TEST_F(SharedSearchesTest, AMergedBookAnswersAsTheSearchesSay) {
  Start();
  const RunId first = Create(Spec(120));
  Work();
  RunSpec other = Spec(120);
  other.seed += 1;
  const RunId second = Create(other);
  Work();
  const Moves alone = Exported(first);
  ASSERT_GT(alone.size(), 10u);
  EXPECT_EQ(Merged({Input(first)}), alone);
  // In the merge of both, each position that either run searched has an answer.
  const Moves both = Merged({Input(first), Input(second)});
  for (const RunId run : {first, second}) {
    for (const auto& [position, move] : Exported(run)) EXPECT_EQ(both.count(position), 1u);
  }
  EXPECT_GT(both.size(), alone.size());
  EXPECT_EQ(TrialsOf({Input(first), Input(second)}),
            TrialsOf({Input(first)}) + TrialsOf({Input(second)}));
}

TEST_F(SharedSearchesTest, CopiesOfADatabaseThatWentOnAreOneRunTogether) {
  Start();
  const RunId run = Create(Spec(200, 90));
  Work(300);
  const MergeInput before{MergeLayer::kTuned, Keep("before"), run};
  Start();
  WorkOtherwise(35);
  const MergeInput one{MergeLayer::kTuned, Keep("one"), run};
  std::filesystem::copy_file(before.path, path_, std::filesystem::copy_options::overwrite_existing);
  Start();
  WorkOtherwise(-60);
  const MergeInput other{MergeLayer::kTuned, Keep("other"), run};
  const uint64_t shared = TrialsOf({before});
  ASSERT_GT(shared, 10u);
  ASSERT_GT(TrialsOf({one}), shared);
  ASSERT_GT(TrialsOf({other}), shared);
  EXPECT_EQ(TrialsOf({one, other}), TrialsOf({one}) + TrialsOf({other}) - shared);
  EXPECT_EQ(TrialsOf({before, one}), TrialsOf({one}));
  const Moves both = Merged({one, other});
  EXPECT_EQ(both, Merged({other, one}));
  EXPECT_NE(both, Merged({one}));
  EXPECT_NE(both, Merged({other}));
  EXPECT_EQ(Merged({before, one}), Merged({one}));
  EXPECT_EQ(Merged({one, before}), Merged({one}));
}

TEST_F(SharedSearchesTest, EachDatabaseSaysWhomItTrusts) {
  Start();
  const RunId run = Create(Spec(200, 90));
  Work(300);
  const std::string before = Keep("before");
  Start();
  WorkOtherwise(35);
  const MergeInput trusting{MergeLayer::kTuned, Keep("trusting"), run};
  std::filesystem::copy_file(before, path_, std::filesystem::copy_options::overwrite_existing);
  Start();
  WorkOtherwise(-60);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "a test", {}).ok());
  while (Number("SELECT trust_change FROM runs") == 0) std::this_thread::yield();
  const MergeInput blocking{MergeLayer::kTuned, Keep("blocking"), run};
  // Searches in both databases count if one of them trusts the worker; those of the blocking one
  // alone do not.
  EXPECT_EQ(MergedSearches::Read(rules_, std::vector{blocking}).value().repertoire(), nullptr);
  const Moves trusted = Merged({trusting});
  ASSERT_FALSE(trusted.empty());
  EXPECT_EQ(Merged({trusting, blocking}), trusted);
  EXPECT_EQ(Merged({blocking, trusting}), trusted);
}

TEST_F(SharedSearchesTest, SearchesOfOtherLimitsOrBooksAreNotMixed) {
  Start();
  const RunId run = Create(Spec(40));
  Work();
  RunSpec deeper = Spec(40);
  deeper.line_searches.nodes *= 2;
  const RunId other = Create(deeper);
  Work();
  RunSpec own = Spec(40);
  own.line_searches.own_limit = true;
  const RunId of_own_limit = Create(own);
  Work();
  RunSpec without = Spec(40);
  without.line_searches = {};
  const RunId games = Create(without);
  Work();
  testing::WriteToyBook(path_, /*plies=*/6);
  const RunId of_more = Create(Spec(40));
  Work();
  coordinator_.reset();
  EXPECT_EQ(Refusal({Input(run), Input(other)}), "different_searches");
  EXPECT_EQ(Refusal({Input(run), Input(of_own_limit)}), "different_searches");
  EXPECT_EQ(Refusal({Input(run), Input(of_more)}), "different_searches");
  EXPECT_EQ(Refusal({Input(of_more), Input(run)}), "different_searches");
  EXPECT_FALSE(Merged({Input(run), Input(games)}).empty()) << "games alone fit to any searches";
  EXPECT_FALSE(Merged({Input(run), {MergeLayer::kUser, path_, of_more}}).empty());
}

TEST_F(SharedSearchesTest, AMarkedMoveIsNoAnswerOfAMerge) {
  Start();
  const RunId run = Create(Spec(200, 90));
  Work();
  coordinator_.reset();
  // An answer that the book has: a user marks no other.
  std::optional<std::pair<PackedPosition, Move>> marked;
  for (const auto& [at, move] : Exported(run)) {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    if (!book::BookStore(*store).Mark(at, move, book::kForbidden, "bad").ok()) continue;
    marked = {at, move};
    break;
  }
  ASSERT_TRUE(marked);
  const MergedSearches searches = MergedSearches::Read(rules_, std::vector{Input(run)}).value();
  size_t answers = 0;
  searches.ForEachAnswer(
      [&](const PackedPosition& at, int, const book::Repertoire::Answer& answer) {
        ++answers;
        EXPECT_NE(std::pair(at, answer.move), *marked);
      });
  // Another candidate is the answer there, if there is one.
  EXPECT_GE(answers + 1, searches.repertoire()->answers());
}

TEST_F(SharedSearchesTest, ALaterRunBeginsWithTheSearchesOfEarlierOnes) {
  Start();
  const RunId first = Create(Spec(120));
  Work();
  const auto known = Answers(first);
  const RunId second = Create(Taking(Spec(60)));
  const RunSpec spec = StatusOf(second).spec;
  ASSERT_TRUE(spec.taken_over);
  EXPECT_EQ(spec.taken_over->searches, Searches(first));
  EXPECT_THAT(spec.taken_over->games_only, IsEmpty());
  EXPECT_EQ(StatusOf(second).line_searches->games, 0u) << "the earlier run paid for them";
  const uint64_t taken = StatusOf(second).line_searches->trials;
  EXPECT_EQ(taken, StatusOf(first).line_searches->trials);
  for (int restart = 0; restart < 2; ++restart) {
    EXPECT_EQ(Answers(second), known);
    EXPECT_EQ(StatusOf(second).line_searches->games, 0u);
    Restart();
  }
  Work();
  EXPECT_EQ(StatusOf(second).state, "done");
  EXPECT_GT(Searches(second), 0u);
  const uint64_t spent = StatusOf(second).line_searches->games;
  EXPECT_NEAR(static_cast<double>(spent + StatusOf(second).games_done), 60, 2);
  const auto now = Answers(second);
  EXPECT_GE(now.size(), known.size());
  // Later searches of the first run do not reach the second.
  ASSERT_TRUE(coordinator_->operators().ExtendRun(first, {.games = 40, .request_id = {}}).ok());
  const uint64_t before = Searches(first);
  Work();
  EXPECT_GT(Searches(first), before);
  Restart();
  EXPECT_EQ(Answers(second), now);
  EXPECT_EQ(StatusOf(second).line_searches->games, spent);
  // Searches that the run took over are part of its book.
  EXPECT_EQ(Merged({Input(second)}), Exported(second));
  EXPECT_EQ(TrialsOf({Input(first), Input(second)}),
            TrialsOf({Input(first)}) + TrialsOf({Input(second)}) - taken);
  ExpectAudited();
  ExpectWhole();
}

TEST_F(SharedSearchesTest, SearchesThatAreTakenOverLeaveWithTheirWorker) {
  Start();
  Create(Spec(100));
  Work(60);
  WorkOn(other_, 1'000'000);
  const RunId second = Create(Taking(Spec(20)));
  const auto known = Answers(second);
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "a test", {}).ok());
  while (Answers(second) == known) std::this_thread::yield();
  const auto without = Answers(second);
  EXPECT_LT(without.size(), known.size());
  Restart();
  EXPECT_EQ(Answers(second), without);
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("w", false).ok());
  while (Answers(second) != known) std::this_thread::yield();
  ExpectAudited();
}

TEST_F(SharedSearchesTest, ALateCopyCountsInTheRunThatTookItsSearchOver) {
  Start();
  Join(third_);
  RunSpec spec = Spec(400, 90);
  spec.verify_percent = 100;
  const RunId first = Create(spec);
  Work(100);
  WorkOn(other_, 100);
  Work(100);
  std::vector<Lease> held;
  for (int i = 0; i < 20; ++i) {
    for (Lease& lease : Acquire(third_)) held.push_back(std::move(lease));
  }
  ASSERT_TRUE(coordinator_->operators().StopRun(first).ok());
  const RunId second = Create(Taking(spec));
  // The answers of these positions as the coordinator holds them in memory.
  const auto live = [&](const std::map<PackedPosition, std::string>& positions) {
    std::map<PackedPosition, std::string> answers;
    for (const auto& [position, answer] : positions) {
      const auto at = coordinator_->readers().GetPosition(second, rules_.Text(position, 1));
      if (!at.ok()) continue;  // without an answer it is no position of the book
      for (const MoveEvidence& move : at->moves) {
        if (move.answer) answers[position] = rules_.Text(move.move);
      }
    }
    return answers;
  };
  const auto known = Answers(second);
  const uint64_t copies = StatusOf(first).copies;
  for (const Lease& lease : held) {
    std::vector<SubmittedGame> games;
    for (const Slot& slot : lease.slots) games.push_back(Done(lease, slot));
    Submit(third_, std::move(games));
  }
  ASSERT_GT(StatusOf(first).copies, copies);
  const auto now = Answers(second);
  ASSERT_GT(now.size(), known.size());
  const auto answers = live(now);
  EXPECT_EQ(answers.size(), now.size());
  Restart();
  EXPECT_EQ(live(now), answers);
  ExpectAudited();
}

TEST_F(SharedSearchesTest, SearchesOfOtherLimitsStayWhereTheyAre) {
  Start();
  const RunId first = Create(Spec(60));
  Work();
  RunSpec deeper = Taking(Spec(40));
  deeper.line_searches.nodes *= 2;
  RunSpec fixed = Taking(Spec(40));
  fixed.line_searches.fixed_book = true;
  RunSpec shorter = Taking(Spec(40));
  shorter.max_book_plies = 3;
  RunSpec without = Taking(Spec(40));
  without.line_searches = {};
  for (const RunSpec& spec : {deeper, fixed, shorter, without}) {
    const RunId run = Create(spec);
    const RunSpec begun = StatusOf(run).spec;
    ASSERT_TRUE(begun.taken_over);
    EXPECT_THAT(begun.taken_over->games_only, ElementsAre(first));
    EXPECT_EQ(begun.taken_over->searches, 0u);
    EXPECT_GT(begun.taken_over->games, 0u);
    if (begun.line_searches.wanted()) {
      EXPECT_THAT(Answers(run), IsEmpty());
    }
    ASSERT_TRUE(coordinator_->operators().StopRun(run).ok());
  }
}

TEST_F(SharedSearchesTest, ARunForItsOwnLimitTakesOverOthersSearches) {
  Start();
  const RunId first = Create(Spec(60));
  Work();
  const auto known = Answers(first);
  RunSpec own = Taking(Spec(40));
  own.line_searches.own_limit = true;
  const RunId run = Create(own);
  EXPECT_GT(StatusOf(run).spec.taken_over->searches, 0u);
  EXPECT_EQ(Answers(run).size(), known.size());
}

TEST_F(SharedSearchesTest, ArchivedGamesLeaveTheSearchesWhereTheyAre) {
  Start();
  const RunId run = Create(Spec(200));
  Work();
  const auto known = Answers(run);
  const uint64_t spent = StatusOf(run).games_spent();
  coordinator_.reset();
  const auto text = [&] {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return ExportFile(*store, rules_, {.run = run}).value().bytes;
  };
  const std::string exported = text();
  const Moves merged = Merged({Input(run)});
  {
    const auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    ASSERT_TRUE(MakeArchives(*store, rules_, {}).ok());
    EXPECT_GT(DropArchived(*store, {}).value().games, 0u);
  }
  EXPECT_EQ(Number("SELECT count(*) FROM games"), 0);
  EXPECT_EQ(Merged({Input(run)}), merged);
  // A book that is not merged needs no archive.
  const std::string archives = path_ + ".archives";
  std::filesystem::rename(archives, archives + ".away");
  EXPECT_EQ(text(), exported);
  Start();
  EXPECT_EQ(Answers(run), known);
  EXPECT_EQ(StatusOf(run).games_spent(), spent);
  // Without its games a run is not taken over, nor are its searches.
  EXPECT_FALSE(StatusOf(Create(Taking(Spec(20)))).spec.taken_over);
  std::filesystem::rename(archives + ".away", archives);
  ExpectAudited();
  ExpectWhole();
}

}  // namespace
}  // namespace joseki::coordinator
