#include "book/database/wal_backfill.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

constexpr int kPages = 20;
constexpr uint64_t kFrame = 4096 + 24;  // a page in the log

class WalBackfillTest : public ::testing::Test {
 protected:
  WalBackfillTest()
      : path_(folder_ / "book.sqlite"), store_(Store::Open(path_, OpenMode::kCreate).value()) {
    store_->db().exec("CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB)");
    store_->db().exec("PRAGMA wal_checkpoint(TRUNCATE)");
    store_->db().exec("PRAGMA wal_autocheckpoint = " + std::to_string(kPages));
    backfill_ = WalBackfill::Start(*store_).value();
  }
  ~WalBackfillTest() override {
    store_.reset();
    backfill_.reset();
  }

  // One commit, of a row that fills two pages; those and at most three others go to the log.
  void Add() { store_->db().exec("INSERT INTO t (bytes) VALUES (randomblob(8000))"); }
  uint64_t LogPages() const { return std::filesystem::file_size(path_ + "-wal") / kFrame; }
  uint64_t Bytes() const { return std::filesystem::file_size(path_); }

  const testing::TempFolder folder_;
  const std::string path_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<WalBackfill> backfill_;
};

TEST_F(WalBackfillTest, CopiesBesideTheCommits) {
  const uint64_t bytes = Bytes();
  while (LogPages() < kPages) {
    EXPECT_EQ(Bytes(), bytes);
    Add();
  }
  backfill_->WaitUntilCopied();
  EXPECT_GE(Bytes(), bytes + 10 * 4096);
}

// The log stays short even if the thread lags behind at every commit.
TEST_F(WalBackfillTest, KeepsTheLogShort) {
  for (int n = 0; n < 400; ++n) Add();
  EXPECT_LE(LogPages(), kPages * (WalBackfill::kRestartFactor + 1));
  EXPECT_EQ(store_->db().execAndGet("SELECT count(*) FROM t").getInt(), 400);
  EXPECT_EQ(store_->db().execAndGet("PRAGMA integrity_check").getString(), "ok");
}

// Pages that a reader still sees may not be overwritten; the log grows and restarts afterwards.
TEST_F(WalBackfillTest, WaitsForReaders) {
  auto reader = Store::Open(path_, OpenMode::kReadOnly).value();
  {
    SQLite::Statement reading(reader->db(), "SELECT 1 FROM meta");
    ASSERT_TRUE(reading.executeStep());
    for (int n = 0; n < 100; ++n) Add();
    EXPECT_GE(LogPages(), 200u);
    EXPECT_EQ(reader->db().execAndGet("SELECT count(*) FROM t").getInt(), 0);
  }
  const uint64_t longest = LogPages();
  for (int n = 0; n < 400; ++n) Add();
  EXPECT_LE(LogPages(), longest + 2 * kPages);
  EXPECT_EQ(reader->db().execAndGet("SELECT count(*) FROM t").getInt(), 500);
}

}  // namespace
}  // namespace joseki::book
