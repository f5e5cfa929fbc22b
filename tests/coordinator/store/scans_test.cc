// Rows that reading one run's games and searches costs while others lie around them.
#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/database/store.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

constexpr int kOthers = 2000;  // rows before the run's, and as many after them
constexpr int kOwn = 10;

// Number of steps of SQLite's machine on a connection, while it lives.
class Steps {
 public:
  explicit Steps(book::Store& store) : db_(store.db().getHandle()) {
    sqlite3_progress_handler(
        db_, 1,
        [](void* count) {
          ++*static_cast<int*>(count);
          return 0;
        },
        &count_);
  }
  ~Steps() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
  int count() const { return count_; }

 private:
  sqlite3* db_;
  int count_ = 0;
};

// Rows of run 2 between those of runs 1 and 3.
class ScansTest : public ::testing::Test {
 protected:
  ScansTest() {
    RunStore rows(*store_);
    EXPECT_TRUE(rows.Begin().ok());
    const RunSpec spec = testing::ToySpec(100);
    for (int i = 0; i < 2 * kOthers + kOwn; ++i) {
      GameRow game;
      game.run = i < kOthers ? 1 : i < kOthers + kOwn ? 2 : 3;
      game.lease = static_cast<LeaseId>(i) + 1;
      game.commit_seq = static_cast<uint64_t>(i) + 1;
      game.worker = "w";
      game.ending = {Result::kDraw, Termination::kNoLegalMove};
      EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
      EvaluationRow search;
      search.game = game;
      search.game.ending = {Result::kNone, Termination::kNone};
      search.along.emplace();
      EXPECT_TRUE(InsertEvaluation(*store_, search, spec).ok());
    }
    EXPECT_TRUE(rows.Commit().ok());
  }

  static constexpr uint64_t kLast = kOthers + kOwn;  // of run 2
  testing::TempFolder folder_;
  const std::unique_ptr<book::Store> store_ =
      book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate, "toy").value();
  int visited_ = 0;
};

TEST_F(ScansTest, TheGamesOfARunAreReadWithoutThoseOfOthers) {
  RunStore rows(*store_);
  const Steps steps(*store_);
  const auto visit = [&](const GameRow& game) {
    EXPECT_EQ(game.run, 2u);
    ++visited_;
    return absl::OkStatus();
  };
  ASSERT_TRUE(rows.games().ForEach(2, 0, visit).ok());
  EXPECT_EQ(visited_, kOwn);
  EXPECT_LT(steps.count(), kOthers);
  ASSERT_TRUE(rows.games().ForEach(4, 0, visit).ok());
  EXPECT_EQ(visited_, kOwn) << "a run without games";
  ASSERT_TRUE(rows.games().ForEach(2, kLast - 1, visit).ok());
  EXPECT_EQ(visited_, kOwn + 1);
}

TEST_F(ScansTest, TheLastGamesOfARunAreReadWithoutAllLaterOnes) {
  constexpr int kLater = 50'000;
  store_->db().exec(absl::StrCat(
      "WITH RECURSIVE n(i) AS (SELECT 10001 UNION ALL SELECT i + 1 FROM n WHERE i < ",
      10'000 + kLater,
      ") INSERT INTO games (run, lease, slot, commit_seq, stage, worker, payload_hash, moves_hash,"
      " book_plies, result, termination, stale, nodes, think_ms, accepted_ms, moves, resign_check)"
      " SELECT CASE i WHEN 40000 THEN 2 ELSE 3 END, i, slot, i, stage, worker, payload_hash,"
      " moves_hash, book_plies, result, termination, stale, nodes, think_ms, accepted_ms, moves,"
      " resign_check FROM n, games WHERE commit_seq = 1"));
  RunStore rows(*store_);
  const Steps steps(*store_);
  std::vector<uint64_t> visited;
  ASSERT_TRUE(rows.games()
                  .ForEach(2, kLast - 1,
                           [&](const GameRow& game) {
                             visited.push_back(game.commit_seq);
                             return absl::OkStatus();
                           })
                  .ok());
  EXPECT_EQ(visited, (std::vector<uint64_t>{kLast, 40'000}));
  EXPECT_LT(steps.count(), 3 * kLater);
}

TEST_F(ScansTest, NoGameOfOthersIsReadToFindThatThereIsNoMore) {
  RunStore rows(*store_);
  const Steps steps(*store_);
  EXPECT_TRUE(*rows.games().HasAfter(2, 0));
  EXPECT_TRUE(*rows.games().HasAfter(2, kLast - 1));
  EXPECT_FALSE(*rows.games().HasAfter(2, kLast));
  EXPECT_FALSE(*rows.games().HasAfter(4, 0));
  EXPECT_LT(steps.count(), kOthers);
}

TEST_F(ScansTest, TheSearchesOfARunAreReadWithoutThoseOfOthers) {
  const Steps steps(*store_);
  ASSERT_TRUE(ForEachLineSearch(*store_, 2, [&](const EvaluationRow& row) {
                EXPECT_EQ(row.game.run, 2u);
                ++visited_;
                return absl::OkStatus();
              }).ok());
  EXPECT_EQ(visited_, kOwn);
  EXPECT_LT(steps.count(), kOthers);
}

}  // namespace
}  // namespace joseki::coordinator
