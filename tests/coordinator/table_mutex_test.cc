#include "coordinator/table_mutex.h"

#include <thread>
#include <vector>

#include "base/mutex.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

TEST(TableMutex, LetsWhoWaitsHaveIt) {
  TableMutex mutex;
  int turns = 0;
  const ScopedLock lock(mutex);
  mutex.LetOthers();  // nobody waits
  for (int turn = 1; turn <= 20; ++turn) {
    std::thread other([&] {
      const ScopedLock theirs(mutex);
      ++turns;
    });
    while (!mutex.contended()) std::this_thread::yield();
    mutex.LetOthers();
    EXPECT_EQ(turns, turn);
    other.join();
  }
}

TEST(TableMutex, GuardsWhileManyLetEachOther) {
  TableMutex mutex;
  int sum = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      const ScopedLock lock(mutex);
      for (int i = 0; i < 200; ++i) {
        ++sum;
        mutex.LetOthers();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 800);
}

}  // namespace
}  // namespace joseki::coordinator
