// Tests a worker whose disk refuses to sync and to truncate files. The linker redirects this
// program's system calls to the functions below (--wrap).

#include <sys/types.h>

#include <atomic>
#include <cerrno>
#include <vector>

#include "gtest/gtest.h"
#include "tests/worker/work_loop_fixture.h"

namespace {
std::atomic<int> faults{0};  // calls that still fail

bool Fails() {
  for (int left = faults; left > 0;) {
    if (faults.compare_exchange_weak(left, left - 1)) {
      errno = EIO;
      return true;
    }
  }
  return false;
}
}  // namespace

extern "C" {
int __real_fdatasync(int fd);
int __real_ftruncate(int fd, off_t size);
int __wrap_fdatasync(int fd);
int __wrap_ftruncate(int fd, off_t size);

int __wrap_fdatasync(int fd) { return Fails() ? -1 : __real_fdatasync(fd); }
int __wrap_ftruncate(int fd, off_t size) { return Fails() ? -1 : __real_ftruncate(fd, size); }
}

namespace joseki::worker {
namespace {

using DiskFaultsTest = WorkLoopTest;

TEST_F(DiskFaultsTest, SyncFindsThatTheDiskWorksAgainWithNothingToWrite) {
  FinishedGame game;
  game.epoch = "one";
  ASSERT_TRUE(spool_->Append(game).ok());
  faults = 3;
  EXPECT_FALSE(spool_->Sync().ok());
  spool_->Acknowledge(std::vector<Spool::Ticket>{1});
  EXPECT_EQ(spool_->pending(), 0u);
  EXPECT_FALSE(spool_->Room().ok());
  EXPECT_FALSE(spool_->Sync().ok());
  EXPECT_EQ(faults, 0);
  EXPECT_TRUE(spool_->Sync().ok());
  EXPECT_TRUE(spool_->Room().ok());
}

// The faults outlast the game in play: no game is left that would find out that they are over.
TEST_F(DiskFaultsTest, TheWorkerGoesOnWhenTheDiskWorksAgain) {
  faults = 100;
  port_.total = 1;
  port_.hold_when_empty = false;
  Start();
  port_.Await([&] { return port_.stored.size() == 1; });
  port_.With([&] { port_.total = 40; });
  port_.Await([&] { return port_.stored.size() == 40; });
  faults = 0;
  loop_->Drain();
  EXPECT_TRUE(Finish().ok());
}

}  // namespace
}  // namespace joseki::worker
