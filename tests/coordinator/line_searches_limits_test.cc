// Runs that search along lines at their limits: engines without scores, small budgets, books
// without a choice, a full disk.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "book/tuning/trial.h"
#include "coordinator/runs/search_budget.h"
#include "engine/core/resignation.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/line_searches_run.h"
#include "tests/support/file_size_limit.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The lines of the log while it lives. Read them when no other thread writes any more.
class KeptLog {
 public:
  KeptLog() {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines_)));
  }
  ~KeptLog() { spdlog::set_default_logger(before_); }

  int Count(const std::string& text) const {
    const std::string lines = lines_.str();
    int count = 0;
    for (size_t at = lines.find(text); at != std::string::npos; at = lines.find(text, at + 1)) {
      ++count;
    }
    return count;
  }

 private:
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  std::ostringstream lines_;
};

// Far from the end of the game, so that whole games are longer than trials.
constexpr char kFar[] = "90-95 b 1";

class LineSearchesLimitsTest : public LineSearchesRun {
 protected:
  void StartWith(const std::vector<book::GraphInput>& book) {
    for (const char* const part : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + part);
    testing::WriteToyBook(path_, book);
    Start();
  }
  // A game whose scores are worth 0.75 for one side. They tell the winner three times of four; or
  // they tell nothing.
  static SubmittedGame Scored(const Lease& lease, const Slot& slot, bool honest) {
    SubmittedGame game = testing::PlaySlot(lease.run, lease.lease, slot);
    Rng rng(slot.seed + 1);
    const bool won = game.claim.result == Result::kFirstWins;
    const bool first = honest ? (rng.Below(4) == 0) != won : rng.Below(2) == 0;
    for (size_t ply = slot.line.size(); ply < game.moves.size(); ++ply) {
      game.scores.push_back(first == (ply % 2 == 0) ? int16_t{879} : int16_t{-879});
    }
    return game;
  }
  // Plays the run to its end; returns the number of trials given out while none were wanted.
  int PlayScored(RunId run, bool honest) {
    int unwanted = 0;
    for (std::vector<Lease> leases = Acquire(worker_); !leases.empty(); leases = Acquire(worker_)) {
      const bool off = !StatusOf(run).line_searches->trials_off.empty();
      for (const Lease& lease : leases) {
        for (const Slot& slot : lease.slots) {
          unwanted += off && slot.kind == SlotKind::kTrial;
          Submit(worker_, {IsSearch(slot) ? SearchOf(lease, slot) : Scored(lease, slot, honest)});
        }
      }
    }
    return unwanted;
  }
  // Slope, interval and games, and whether trials are off.
  std::string Calibrated(RunId run) {
    const RunStatus status = StatusOf(run);
    const auto& fit = status.line_searches->calibration;
    if (!fit) return status.line_searches->trials_off;
    return absl::StrCat(fit->slope, " ", fit->low, " ", fit->high, " ", fit->between, " ",
                        fit->intercept, " ", fit->games, " ", status.line_searches->trials_off);
  }
  std::string WhyOff(RunId run) { return StatusOf(run).line_searches->off; }
  uint64_t AnswersInMemory(RunId run) { return StatusOf(run).line_searches->answers; }
};

TEST_F(LineSearchesLimitsTest, AnEngineWhoseScoresSayNothingPlaysGamesAlone) {
  const KeptLog log;
  Start();
  for (const auto& [score, why] : {std::pair(kNoScore, "the engine gives no scores"),
                                   std::pair(int16_t{0}, "the engine's scores are all 0")}) {
    const RunId run = Create(Spec(60, 90));
    uint64_t asked = 0;
    for (std::vector<Lease> leases = Acquire(worker_); !leases.empty(); leases = Acquire(worker_)) {
      for (const Lease& lease : leases) {
        for (const Slot& slot : lease.slots) {
          EXPECT_EQ(WhyOff(run), asked < LineSearches::kWithoutScores ? "" : why);
          const SubmittedGame done =
              IsSearch(slot) ? SearchOf(lease, slot, score) : Done(lease, slot);
          EXPECT_THAT(Submit(worker_, {done}), ElementsAre(Verdict::kAccepted));
          // The result of a trial that ends is the rules', and no score of the engine.
          asked += IsSearch(slot) && done.claim.termination == Termination::kNone;
        }
      }
    }
    EXPECT_EQ(StatusOf(run).state, "done");
    EXPECT_LT(asked, LineSearches::kWithoutScores + 4) << "no more than the lease that told";
    EXPECT_GT(StatusOf(run).games_done, 50u);
    Restart();
    EXPECT_EQ(WhyOff(run), why);
  }
  ExpectAudited();
  EXPECT_EQ(log.Count("event=searches_off run=1 reason=\"the engine gives no scores\""), 1);
  EXPECT_EQ(log.Count("searches_off run=2 reason=\"the engine's scores are all 0\""), 1);
}

TEST_F(LineSearchesLimitsTest, AStartThatFailedWithThreeWorkersIsNamedAndCanBeFreed) {
  const KeptLog log;
  const char* const why = "the start position is closed: its searches failed";
  Start();
  Join(third_);
  const RunId run = Create(Spec(100, 90));
  for (const Hand* hand : {&worker_, &other_, &third_}) {
    EXPECT_EQ(WhyOff(run), "");
    for (bool failed = false; !failed;) {
      const std::vector<Lease> leases = Acquire(*hand, 1);
      ASSERT_EQ(leases.size(), 1u);
      const Slot& slot = leases[0].slots.at(0);
      failed = IsSearch(slot) && slot.line.empty();
      Submit(*hand, {failed ? testing::FaultOf(run, leases[0].lease, slot, Termination::kStall)
                            : Done(leases[0], slot)});
    }
  }
  EXPECT_EQ(WhyOff(run), why);
  Restart();
  EXPECT_EQ(WhyOff(run), why);
  EXPECT_EQ(WorkOn(worker_, 8).searches, 0u) << "games alone";
  EXPECT_EQ(coordinator_->operators().FreeLines(run, {}).value(), 1u);
  EXPECT_EQ(WhyOff(run), "");
  Restart();
  EXPECT_EQ(WhyOff(run), "") << "an order of the operator outlives a restart";
  EXPECT_GT(WorkOn(worker_, 8).searches, 0u);
  ExpectAudited();
  ExpectWhole();
  EXPECT_EQ(log.Count("searches_off run=1 reason=\"the start position is closed"), 1);
}

TEST_F(LineSearchesLimitsTest, ScoresThatResultsDoNotFollowEndTrials) {
  const KeptLog log;
  const char* const why = "results do not follow the engine's scores";
  StartWith(testing::ToyBook(3, "a1 a2 b1", kFar));
  RunSpec spec = Spec(600);
  spec.start = kFar;
  const RunId run = Create(spec);
  EXPECT_EQ(PlayScored(run, /*honest=*/false), 0);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.state, "done");
  EXPECT_EQ(status.line_searches->trials_off, why);
  ASSERT_TRUE(status.line_searches->calibration);
  EXPECT_EQ(status.line_searches->calibration->games, status.games_done);
  EXPECT_LT(status.line_searches->calibration->high, 0.8);
  // Games have got the trials' part.
  EXPECT_GT(status.games_done, 320u);
  EXPECT_GT(status.line_searches->trials, 0u) << "until the first look";
  const std::string measured = Calibrated(run);
  Restart();
  EXPECT_EQ(Calibrated(run), measured);
  // A blocked worker's games say nothing.
  ASSERT_TRUE(coordinator_->operators().BlockWorker("w", "a test", {}).ok());
  while (!Calibrated(run).empty()) std::this_thread::yield();
  ASSERT_TRUE(coordinator_->operators().UnblockWorker("w", false).ok());
  while (Calibrated(run) != measured) std::this_thread::yield();
  ExpectAudited();
  EXPECT_EQ(log.Count(absl::StrCat("trials_off run=1 reason=\"", why, "\"")), 1);
}

TEST_F(LineSearchesLimitsTest, ScoresThatResultsFollowEndNoTrial) {
  StartWith(testing::ToyBook(3, "a1 a2 b1", kFar));
  RunSpec spec = Spec(600);
  spec.start = kFar;
  const RunId run = Create(spec);
  EXPECT_EQ(PlayScored(run, /*honest=*/true), 0);
  const RunStatus status = StatusOf(run);
  EXPECT_EQ(status.line_searches->trials_off, "");
  ASSERT_TRUE(status.line_searches->calibration);
  EXPECT_GT(status.line_searches->calibration->games, 250u);
  EXPECT_GT(status.line_searches->calibration->high, 0.8);
  EXPECT_LT(status.line_searches->calibration->low, 1.25);
}

TEST_F(LineSearchesLimitsTest, ASmallBudgetIsNotOverspent) {
  Start();
  for (const uint64_t games : std::vector<uint64_t>{1, 2, 5, 20}) {
    const RunSpec spec = Spec(games, 90);
    const RunId run = Create(spec);
    Work();
    const RunStatus status = StatusOf(run);
    EXPECT_EQ(status.state, "done");
    EXPECT_EQ(status.games_spent(), games);
    EXPECT_GT(status.line_searches->answers, 0u);
    // The trials' share is kept to within one search.
    EXPECT_LE(status.line_searches->answers, SearchBudget::MostAnswers(spec) + 1);
  }
  ExpectAudited();
}

TEST_F(LineSearchesLimitsTest, ASearchMustCostLessThanTheBudget) {
  Start();
  RunSpec spec = Spec(2);
  spec.line_searches.nodes = 2 * book::kGameMoves * spec.play.nodes;
  const absl::Status refused = coordinator_->operators().CreateRun(spec, "").status();
  EXPECT_EQ(ProblemOf(refused).code, "bad_run_spec");
  EXPECT_EQ(ProblemOf(refused).file, "line_searches.nodes");
  spec.games = 3;
  EXPECT_TRUE(coordinator_->operators().CreateRun(spec, "").ok());
}

TEST_F(LineSearchesLimitsTest, WhereTheStartHasOneMoveOthersAreFound) {
  std::vector<book::GraphInput> book = testing::ToyBook(4);
  for (book::GraphInput& position : book) {
    if (position.packed == testing::ToyAt("startpos").packed()) position.moves.resize(1);
  }
  for (const std::vector<book::GraphInput>& one : {book, testing::ToyBook(4, "a1")}) {
    StartWith(one);
    const RunId run = Create(Spec(200, 90));
    Work();
    EXPECT_EQ(StatusOf(run).state, "done");
    const auto start = coordinator_->readers().GetPosition(run, "");
    ASSERT_TRUE(start.ok()) << start.status();
    int tried = 0;
    for (const MoveEvidence& move : start->moves) tried += move.trials > 0;
    EXPECT_GT(tried, 1);
    ExpectAudited();
  }
}

TEST_F(LineSearchesLimitsTest, AFullDiskPausesTheRunAndLosesNothingAcknowledged) {
  Start();
  const RunId run = Create(Spec(400));
  Worked all = Work(100);
  std::vector<SubmittedGame> made;
  while (made.size() < 100) {
    const std::vector<Lease> leases = Acquire(worker_);
    ASSERT_FALSE(leases.empty());
    for (const Lease& lease : leases) {
      for (const Slot& slot : lease.slots) {
        ++(IsSearch(slot) ? all.searches : all.games);
        made.push_back(Done(lease, slot));
      }
    }
  }
  testing::FileSizeLimit disk;
  disk.Set(std::filesystem::file_size(path_ + "-wal") + 40'000);
  std::vector<SubmittedGame> refused;
  for (const SubmittedGame& game : made) {
    const absl::StatusOr<SubmitOutput> taken = TrySubmit(worker_, {game});
    if (taken.ok()) {
      EXPECT_EQ(taken->verdicts.at(0).verdict, Verdict::kAccepted);
    } else {
      EXPECT_TRUE(absl::IsResourceExhausted(taken.status())) << taken.status();
      refused.push_back(game);
    }
  }
  ASSERT_FALSE(refused.empty());
  ASSERT_LT(refused.size(), made.size());
  EXPECT_EQ(StatusOf(run).state, "paused");
  EXPECT_EQ(Answers(run).size(), AnswersInMemory(run))
      << "what was refused is not in memory either";
  EXPECT_THAT(Acquire(worker_), IsEmpty()) << "no new work that could not be kept";
  clock_.Advance(absl::Hours(1));  // and no lease runs out meanwhile

  disk.Lift();
  while (StatusOf(run).state != "running") std::this_thread::yield();
  for (const SubmittedGame& game : refused) {
    EXPECT_THAT(Submit(worker_, {game}), ElementsAre(Verdict::kAccepted));
  }
  const Worked rest = Work();
  EXPECT_EQ(StatusOf(run).state, "done");
  EXPECT_EQ(StatusOf(run).games_done, all.games + rest.games);
  EXPECT_EQ(Number("SELECT count(*) FROM evaluations"),
            static_cast<int>(all.searches + rest.searches));
  const uint64_t answers = AnswersInMemory(run);
  Restart();
  EXPECT_EQ(AnswersInMemory(run), answers);
  ExpectAudited();
  ExpectWhole();
}

}  // namespace
}  // namespace joseki::coordinator
