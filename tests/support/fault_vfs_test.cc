#include "tests/support/fault_vfs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::testing {
namespace {

constexpr int kRows = 40;

class FaultVfsTest : public ::testing::Test {
 protected:
  FaultVfsTest() : path_(folder_ / "db.sqlite") {}

  void Start(bool power_loss = true) {
    vfs_.emplace(control_, FaultVfs::Options{.power_loss = power_loss,
                                             .real_sync = false,
                                             .wal_pages = wal_pages_,
                                             .death = FaultInjector::Death::kSimulated});
    db_.emplace(path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db_->exec("PRAGMA journal_mode = WAL");
    db_->exec("PRAGMA synchronous = FULL");
    db_->exec("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, bytes BLOB NOT NULL)");
  }
  // Adds the row in a transaction of its own; false if that failed.
  bool Add(int n) {
    return db_->tryExec("INSERT INTO t VALUES (" + std::to_string(n) + ", zeroblob(3000))") ==
           SQLITE_OK;
  }
  // Ends the process, as far as its files go.
  void Die() {
    control_.dead = 1;
    db_.reset();
    control_.dead = 0;
    control_.struck = 0;
  }
  int Rows() { return db_->execAndGet("SELECT count(*) FROM t").getInt(); }
  std::string Check() { return db_->execAndGet("PRAGMA integrity_check").getString(); }

  TempFolder folder_;
  const std::string path_;
  int wal_pages_ = 0;
  FaultControl control_;
  std::optional<FaultVfs> vfs_;
  std::optional<SQLite::Database> db_;
};

TEST_F(FaultVfsTest, ChangesNothingUnasked) {
  Start(false);
  for (int n = 0; n < kRows; ++n) ASSERT_TRUE(Add(n));
  db_->exec("PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_EQ(Rows(), kRows);
  EXPECT_GT(control_.Seen(FaultPoint::kWalWrite), 0u);
  EXPECT_GT(control_.Seen(FaultPoint::kWalSync), 0u);
  EXPECT_GT(control_.Seen(FaultPoint::kDbWrite), 0u);
  EXPECT_GT(control_.Seen(FaultPoint::kDbSync), 0u);
  EXPECT_GT(control_.Seen(FaultPoint::kDbTruncate), 0u);
  db_.reset();
  vfs_.reset();
  SQLite::Database plain(path_, SQLite::OPEN_READONLY);
  EXPECT_EQ(plain.execAndGet("SELECT count(*) FROM t").getInt(), kRows);
}

TEST_F(FaultVfsTest, MakesCheckpointsOftenWhenAsked) {
  wal_pages_ = 10;
  Start();
  for (int n = 0; n < kRows; ++n) ASSERT_TRUE(Add(n));
  EXPECT_GT(control_.Seen(FaultPoint::kDbSync), 3u);
}

TEST_F(FaultVfsTest, MakesSyncsSlow) {
  Start(false);
  control_.sync_us = 3000;
  const auto before = std::chrono::steady_clock::now();
  const uint64_t syncs = control_.Seen(FaultPoint::kWalSync);
  for (int n = 0; n < 5; ++n) ASSERT_TRUE(Add(n));
  EXPECT_GE(std::chrono::steady_clock::now() - before,
            (control_.Seen(FaultPoint::kWalSync) - syncs) * std::chrono::microseconds(3000));
  EXPECT_EQ(control_.Seen(FaultPoint::kWalSync) - syncs, 5u);
}

TEST_F(FaultVfsTest, FillsTheDiskAndEmptiesIt) {
  Start();
  ASSERT_TRUE(Add(0));
  control_.full = 1;
  EXPECT_FALSE(Add(1));
  EXPECT_EQ(db_->getErrorCode(), SQLITE_FULL);
  control_.full = 0;
  EXPECT_TRUE(Add(2));
  EXPECT_EQ(Rows(), 2);
}

TEST_F(FaultVfsTest, FailsAtEveryPoint) {
  Start();
  for (const FaultPoint point : {FaultPoint::kWalWrite, FaultPoint::kWalSync}) {
    for (const uint32_t torn : {0, 1}) {
      control_.torn = torn;
      control_.Fail(point, 1);
      EXPECT_FALSE(Add(1000)) << Name(point);
      EXPECT_EQ(control_.Failed(point), 1 + torn);
    }
  }
  for (int n = 0; n < kRows; ++n) ASSERT_TRUE(Add(n));
  for (const FaultPoint point :
       {FaultPoint::kDbWrite, FaultPoint::kDbSync, FaultPoint::kDbTruncate}) {
    control_.Fail(point, 1);
    EXPECT_NE(db_->tryExec("PRAGMA wal_checkpoint(TRUNCATE)"), SQLITE_OK) << Name(point);
    EXPECT_EQ(control_.Failed(point), 1u);
    ASSERT_TRUE(Add(kRows + static_cast<int>(point)));
  }
  EXPECT_EQ(Rows(), kRows + 3);
  EXPECT_EQ(Check(), "ok");
}

TEST_F(FaultVfsTest, FailsByChance) {
  Start();
  control_.FailByChance(FaultPoint::kWalSync, 500'000);
  int added = 0;
  for (int n = 0; n < kRows; ++n) added += Add(n);
  EXPECT_GT(added, 0);
  EXPECT_LT(added, kRows);
  EXPECT_EQ(Rows(), added);
}

// Whatever the moment: what was committed is there, and of the rest nothing but perhaps the
// transaction that was being committed.
TEST_F(FaultVfsTest, KeepsWhatWasSyncedWhenThePowerGoes) {
  Rng rng(7);
  int lost = 0;
  for (int round = 0; round < 120; ++round) {
    std::filesystem::remove(path_);
    Start();
    const bool checkpoint = round % 2 == 0;
    const FaultPoint point = round % 4 == 0   ? FaultPoint::kDbWrite
                             : round % 4 == 2 ? FaultPoint::kDbSync
                             : round % 4 == 1 ? FaultPoint::kWalWrite
                                              : FaultPoint::kWalSync;
    control_.KillAt(point, static_cast<uint32_t>(rng.Below(6)),
                    static_cast<FaultMoment>(rng.Below(3)));
    int committed = 0;
    for (int n = 0; n < kRows && Add(n); ++n) {
      ++committed;
      if (checkpoint && n % 5 == 4) db_->tryExec("PRAGMA wal_checkpoint(PASSIVE)");
    }
    ASSERT_EQ(control_.struck, static_cast<uint32_t>(point)) << Name(point);
    const std::uintmax_t before = std::filesystem::file_size(path_ + "-wal");
    Die();
    ASSERT_TRUE(LosePower(path_, rng).ok());
    lost += std::filesystem::file_size(path_ + "-wal") != before;
    vfs_.reset();
    Start();
    EXPECT_GE(Rows(), committed) << Name(point);
    EXPECT_LE(Rows(), committed + 1) << Name(point);
    EXPECT_EQ(Check(), "ok") << Name(point);
    db_.reset();
    vfs_.reset();
  }
  EXPECT_GT(lost, 0) << "the power was lost, and nothing with it";
}

// Without syncs there is nothing to rely on: the model loses what SQLite was told not to sync.
TEST_F(FaultVfsTest, LosesWhatWasNotSynced) {
  Start();
  ASSERT_TRUE(Add(0));
  db_->exec("PRAGMA synchronous = OFF");
  for (int n = 1; n < kRows; ++n) ASSERT_TRUE(Add(n));
  Die();
  Rng rng(3);
  ASSERT_TRUE(LosePower(path_, rng).ok());
  vfs_.reset();
  Start();
  EXPECT_GE(Rows(), 1);
  EXPECT_LT(Rows(), kRows);
}

// A page may be written before those in front of it: the file then has a hole.
TEST_F(FaultVfsTest, LosesWhatWasWrittenPastTheEnd) {
  Start();
  db_.reset();
  sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  std::vector<std::max_align_t> room(static_cast<size_t>(vfs->szOsFile) / sizeof(std::max_align_t) +
                                     1);
  auto* const file = reinterpret_cast<sqlite3_file*>(room.data());
  const std::string path = folder_ / "pages";
  int got = 0;
  ASSERT_EQ(vfs->xOpen(vfs, path.c_str(), file,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB, &got),
            SQLITE_OK);
  const std::string page(4096, 'a');
  const auto write = [&](sqlite3_int64 offset) {
    return file->pMethods->xWrite(file, page.data(), static_cast<int>(page.size()), offset);
  };
  ASSERT_EQ(write(0), SQLITE_OK);
  ASSERT_EQ(file->pMethods->xSync(file, SQLITE_SYNC_FULL), SQLITE_OK);
  ASSERT_EQ(write(5 * 4096), SQLITE_OK);
  file->pMethods->xClose(file);
  Rng rng(5);
  ASSERT_TRUE(LosePower(path, rng).ok());
  EXPECT_EQ(ReadFile(path)->substr(0, 4096), page);
}

}  // namespace
}  // namespace joseki::testing
