#include "coordinator/store/writer.h"

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

GameRow GameOf(LeaseId lease, uint32_t slot, uint64_t payload_hash = 1) {
  GameRow game;
  game.run = 1;
  game.lease = lease;
  game.slot = slot;
  game.worker = "w";
  game.payload_hash = payload_hash;
  game.moves_hash = lease * 1000 + slot;
  game.ending = {Result::kFirstWins, Termination::kNoLegalMove};
  game.moves.resize(60, Move(1));
  return game;
}

class WriterTest : public ::testing::Test {
 protected:
  WriterTest() : path_(folder_ / "book.sqlite") {
    auto store = book::Store::Open(path_, book::OpenMode::kCreate).value();
    RunStore rows(*store);
    RunRow run;
    run.run = 1;
    run.spec = testing::ToySpec(10);
    EXPECT_TRUE(rows.runs().InsertSnapshot(run.snapshot, "book", "").ok());
    EXPECT_TRUE(rows.runs().Insert(run).ok());
  }

  // No batch ends by the clock, however slow the machine.
  static Writer::Options Untimed() {
    Writer::Options options;
    options.batch_time = absl::Hours(1);
    return options;
  }
  void Start(Writer::Options options = Untimed()) {
    Open(options);
    writer_->Start();
  }
  void Open(Writer::Options options = Untimed()) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
    db_ = &store->db();
    Writer::Hooks hooks;
    hooks.before = [this](RunStore&) {
      ++transactions_;
      return before_status_;
    };
    hooks.after = [this](bool committed) { ++(committed ? commits_ : rollbacks_); };
    hooks.on_health = [this](const absl::Status& status) {
      const std::lock_guard lock(mutex_);
      health_.push_back(status);
      changed_.notify_all();
    };
    writer_ = std::make_unique<Writer>(std::move(store), 0, options, std::move(hooks));
  }

  // Adds a game; the future has what InsertGame said, or the failure.
  std::future<absl::StatusOr<Inserted>> Add(const GameRow& game, bool patient = false) {
    auto result = std::make_shared<std::promise<absl::StatusOr<Inserted>>>();
    auto insert = std::make_shared<Inserted>();
    auto answer = result->get_future();
    WriteJob job;
    job.games = 1;
    job.patient = patient;
    job.write = [game, insert](WriteBatch& batch) {
      GameRow row = game;
      row.commit_seq = batch.commit_seq + 1;
      const auto inserted = batch.rows.games().Insert(row);
      if (!inserted.ok()) return inserted.status();
      *insert = *inserted;
      if (*insert == Inserted::kNew) ++batch.commit_seq;
      if (*insert == Inserted::kConflict) return batch.rows.games().InsertConflict(row, 1).status();
      return absl::OkStatus();
    };
    job.done = [result, insert](absl::Status status) {
      if (status.ok()) {
        result->set_value(*insert);
      } else {
        result->set_value(std::move(status));
      }
    };
    EXPECT_TRUE(writer_->Push(std::move(job)));
    return answer;
  }

  // A job that keeps the writer inside a transaction until the returned promise is set.
  std::shared_ptr<std::promise<void>> Block() {
    auto go = std::make_shared<std::promise<void>>();
    auto inside = std::make_shared<std::promise<void>>();
    auto once = std::make_shared<bool>(true);
    WriteJob job;
    job.write = [go, inside, once](WriteBatch&) {
      if (std::exchange(*once, false)) {
        inside->set_value();
        go->get_future().wait();
      }
      return absl::OkStatus();
    };
    EXPECT_TRUE(writer_->Push(std::move(job)));
    inside->get_future().wait();
    return go;
  }

  absl::Status WaitForHealth(size_t changes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return health_.size() >= changes; });
    return health_[changes - 1];
  }

  std::vector<GameRow> StoredGames() {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    std::vector<GameRow> games;
    RunStore rows(*store);
    EXPECT_TRUE(rows.games()
                    .ForEach(1, 0,
                             [&](const GameRow& game) {
                               games.push_back(game);
                               return absl::OkStatus();
                             })
                    .ok());
    return games;
  }

  testing::TempFolder folder_;
  const std::string path_;
  SQLite::Database* db_ = nullptr;  // the writer's own connection
  absl::Status before_status_;
  std::atomic<int> transactions_ = 0;
  std::atomic<int> commits_ = 0;
  std::atomic<int> rollbacks_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<absl::Status> health_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(WriterTest, AnswersAfterTheRowIsThere) {
  Start();
  EXPECT_EQ(*Add(GameOf(1, 0)).get(), Inserted::kNew);
  // Another connection sees it: it was committed.
  EXPECT_EQ(StoredGames().size(), 1u);
}

TEST_F(WriterTest, KeepsScores) {
  Start();
  GameRow game = GameOf(1, 0);
  EXPECT_EQ(*Add(game).get(), Inserted::kNew);
  game.slot = 1;
  game.scores = {-300, kNoScore, 32000};
  game.resign_check = ResignCheck::kWrong;
  EXPECT_EQ(*Add(game).get(), Inserted::kNew);
  const std::vector<GameRow> games = StoredGames();
  ASSERT_EQ(games.size(), 2u);
  EXPECT_TRUE(games[0].scores.empty());
  EXPECT_EQ(games[0].resign_check, ResignCheck::kNone);
  EXPECT_EQ(games[1].scores, game.scores);
  EXPECT_EQ(games[1].resign_check, ResignCheck::kWrong);
}

TEST_F(WriterTest, TellsDuplicatesFromConflicts) {
  Start();
  EXPECT_EQ(*Add(GameOf(1, 0, 5)).get(), Inserted::kNew);
  EXPECT_EQ(*Add(GameOf(1, 0, 5)).get(), Inserted::kDuplicate);
  EXPECT_EQ(*Add(GameOf(1, 0, 6)).get(), Inserted::kConflict);
  EXPECT_EQ(*Add(GameOf(1, 0, 6)).get(), Inserted::kConflict);
  EXPECT_EQ(*Add(GameOf(1, 1, 5)).get(), Inserted::kNew);
  const std::vector<GameRow> games = StoredGames();
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].payload_hash, 5u);
  EXPECT_EQ(games[0].commit_seq, 1u);
  EXPECT_EQ(games[1].commit_seq, 2u) << "no number is spent on a game that is not added";
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(*RunStore(*store).games().CountConflicts(1), 1u) << "the same one again adds nothing";
}

TEST_F(WriterTest, CommitsWhatWaitsTogether) {
  Start();
  const auto go = Block();
  std::vector<std::future<absl::StatusOr<Inserted>>> answers;
  for (uint32_t slot = 0; slot < 500; ++slot) answers.push_back(Add(GameOf(1, slot)));
  go->set_value();
  for (auto& answer : answers) EXPECT_EQ(*answer.get(), Inserted::kNew);
  EXPECT_EQ(commits_, 1);
  EXPECT_EQ(StoredGames().size(), 500u);
}

TEST_F(WriterTest, CommitsAtTheBatchLimit) {
  Writer::Options options = Untimed();
  options.batch_games = 100;
  Start(options);
  const auto go = Block();  // weighs one
  std::vector<std::future<absl::StatusOr<Inserted>>> answers;
  for (uint32_t slot = 0; slot < 250; ++slot) answers.push_back(Add(GameOf(1, slot)));
  go->set_value();
  for (auto& answer : answers) ASSERT_TRUE(answer.get().ok());
  EXPECT_EQ(commits_, 3);
}

TEST_F(WriterTest, PatientJobsWaitForOthers) {
  Writer::Options options = Untimed();
  options.queue.gather = absl::Hours(1);
  options.queue.gather_games = 3;
  Start(options);
  auto first = Add(GameOf(1, 0), /*patient=*/true);
  auto second = Add(GameOf(1, 1), /*patient=*/true);
  EXPECT_TRUE(Add(GameOf(1, 2), /*patient=*/true).get().ok());
  EXPECT_TRUE(first.get().ok());
  EXPECT_TRUE(second.get().ok());
  EXPECT_EQ(commits_, 1) << "there were enough of them";
  first = Add(GameOf(2, 0), /*patient=*/true);
  EXPECT_TRUE(Add(GameOf(2, 1)).get().ok());
  EXPECT_TRUE(first.get().ok());
  EXPECT_EQ(commits_, 2) << "one that does not wait took the other along";
  first = Add(GameOf(3, 0), /*patient=*/true);
  writer_->Nudge();
  EXPECT_TRUE(first.get().ok());
  EXPECT_EQ(commits_, 3);
  first = Add(GameOf(4, 0), /*patient=*/true);
  writer_.reset();
  EXPECT_TRUE(first.get().ok());
}

TEST_F(WriterTest, PatienceEnds) {
  Writer::Options options = Untimed();
  options.queue.gather = absl::Milliseconds(1);
  Start(options);
  EXPECT_TRUE(Add(GameOf(1, 0), /*patient=*/true).get().ok());
}

TEST_F(WriterTest, RefusesBeyondItsQueue) {
  Writer::Options options = Untimed();
  options.queue.most_games = 10;
  Start(options);
  const auto go = Block();
  std::vector<std::future<absl::StatusOr<Inserted>>> answers;
  for (uint32_t slot = 0; slot < 10; ++slot) answers.push_back(Add(GameOf(1, slot)));
  WriteJob job;
  job.games = 1;
  job.done = [](const absl::Status&) {};
  EXPECT_FALSE(writer_->Push(std::move(job)));
  EXPECT_TRUE(job.done != nullptr) << "a refused job is not taken";
  EXPECT_EQ(writer_->queued_games(), 10u);
  go->set_value();
  for (auto& answer : answers) EXPECT_TRUE(answer.get().ok());
}

TEST_F(WriterTest, OneBadJobFailsAlone) {
  Start();
  const auto go = Block();
  auto first = Add(GameOf(1, 0));
  std::promise<absl::Status> bad;
  WriteJob job;
  job.write = [](WriteBatch&) { return absl::InternalError("a bug"); };
  job.done = [&bad](absl::Status status) { bad.set_value(std::move(status)); };
  ASSERT_TRUE(writer_->Push(std::move(job)));
  auto last = Add(GameOf(1, 1));
  go->set_value();
  EXPECT_EQ(*first.get(), Inserted::kNew);
  EXPECT_TRUE(absl::IsInternal(bad.get_future().get()));
  EXPECT_EQ(*last.get(), Inserted::kNew);
  const std::vector<GameRow> games = StoredGames();
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[1].commit_seq, 2u);
  EXPECT_TRUE(health_.empty()) << "the storage is not to blame";
}

TEST_F(WriterTest, ANudgeRunsTheHooksWithoutAJob) {
  Start();
  writer_->Nudge();
  while (commits_ == 0) std::this_thread::yield();
  EXPECT_EQ(transactions_, 1);
}

TEST_F(WriterTest, WritesWhatIsQueuedBeforeItEnds) {
  Start();
  const auto go = Block();
  std::vector<std::future<absl::StatusOr<Inserted>>> answers;
  for (uint32_t slot = 0; slot < 50; ++slot) answers.push_back(Add(GameOf(1, slot)));
  go->set_value();
  writer_.reset();
  for (auto& answer : answers) EXPECT_TRUE(answer.get().ok());
  EXPECT_EQ(StoredGames().size(), 50u);
}

// The real SQLite, told that the disk ends soon.
TEST_F(WriterTest, FullDiskAcknowledgesNothingAndGoesOnByItself) {
  Writer::Options options = Untimed();
  options.retry = absl::Milliseconds(5);
  Start(options);
  ASSERT_TRUE(Add(GameOf(1, 0)).get().ok());
  // In a job: the connection is the writer's thread's.
  std::promise<void> limited;
  WriteJob limit;
  limit.write = [this](WriteBatch&) {
    const int pages = db_->execAndGet("PRAGMA page_count").getInt();
    db_->exec(absl::StrCat("PRAGMA max_page_count = ", pages + 5));
    return absl::OkStatus();
  };
  limit.done = [&limited](const absl::Status&) { limited.set_value(); };
  ASSERT_TRUE(writer_->Push(std::move(limit)));
  limited.get_future().wait();
  size_t acknowledged = 1;
  LeaseId lease = 2;
  for (; lease < 10'000; ++lease) {
    const auto answer = Add(GameOf(lease, 0)).get();
    if (answer.ok()) {
      ++acknowledged;
      continue;
    }
    EXPECT_TRUE(absl::IsResourceExhausted(answer.status())) << answer.status();
    EXPECT_EQ(ProblemOf(answer.status()).code, "disk_full");
    break;
  }
  ASSERT_LT(lease, 10'000u) << "the disk was never full";
  EXPECT_FALSE(WaitForHealth(1).ok());
  // While the disk is full, all calls get the same error.
  EXPECT_TRUE(absl::IsResourceExhausted(Add(GameOf(20'000, 0)).get().status()));
  EXPECT_EQ(StoredGames().size(), acknowledged);

  // Room again, seen by a probe. SQLite serialises the connection between the two threads.
  db_->exec("PRAGMA max_page_count = 1000000");
  EXPECT_TRUE(WaitForHealth(2).ok());
  EXPECT_EQ(*Add(GameOf(lease, 0)).get(), Inserted::kNew);
  const std::vector<GameRow> games = StoredGames();
  ASSERT_EQ(games.size(), acknowledged + 1);
  for (size_t i = 0; i < games.size(); ++i) EXPECT_EQ(games[i].commit_seq, i + 1);
}

// A batch that does not fit is stored as a whole or not at all.
TEST_F(WriterTest, FullDiskInTheMiddleOfABatchLeavesNothingOfIt) {
  Writer::Options options = Untimed();
  options.retry = absl::Hours(1);
  Start(options);
  const auto go = Block();
  std::vector<std::future<absl::StatusOr<Inserted>>> answers;
  WriteJob limit;
  limit.write = [this](WriteBatch&) {
    const int pages = db_->execAndGet("PRAGMA page_count").getInt();
    db_->exec(absl::StrCat("PRAGMA max_page_count = ", pages + 8));
    return absl::OkStatus();
  };
  ASSERT_TRUE(writer_->Push(std::move(limit)));
  for (uint32_t slot = 0; slot < 1000; ++slot) answers.push_back(Add(GameOf(1, slot)));
  go->set_value();
  for (auto& answer : answers) {
    EXPECT_TRUE(absl::IsResourceExhausted(answer.get().status()));
  }
  EXPECT_TRUE(StoredGames().empty());
  EXPECT_EQ(commits_, 0);
}

TEST_F(WriterTest, ManyThreadsLoseNothing) {
  Start();
  constexpr int kThreads = 8;
  constexpr uint32_t kGames = 200;
  std::vector<std::thread> threads;
  std::atomic<int> added = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t slot = 0; slot < kGames; ++slot) {
        // Two threads send every game.
        const auto answer = Add(GameOf(static_cast<LeaseId>(thread / 2 + 1), slot)).get();
        if (answer.ok() && *answer == Inserted::kNew) ++added;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(added, kThreads / 2 * static_cast<int>(kGames));
  const std::vector<GameRow> games = StoredGames();
  ASSERT_EQ(games.size(), static_cast<size_t>(added.load()));
  for (size_t i = 0; i < games.size(); ++i) EXPECT_EQ(games[i].commit_seq, i + 1);
}

TEST_F(WriterTest, WorksOnTheCallersThreadAlone) {
  Open();
  auto first = Add(GameOf(1, 0));
  auto second = Add(GameOf(1, 1));
  EXPECT_EQ(first.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  EXPECT_EQ(writer_->queued_games(), 2u);
  writer_->RunQueued();
  ASSERT_EQ(first.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(first.get().value(), Inserted::kNew);
  EXPECT_EQ(second.get().value(), Inserted::kNew);
  EXPECT_EQ(commits_, 1);
  auto last = Add(GameOf(1, 2));
  writer_.reset();
  EXPECT_EQ(last.get().value(), Inserted::kNew);
  EXPECT_EQ(StoredGames().size(), 3u);
}

}  // namespace
}  // namespace joseki::coordinator
