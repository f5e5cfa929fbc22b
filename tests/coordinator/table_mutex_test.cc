#include "coordinator/table_mutex.h"

#include <mutex>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

TEST(TableMutex, LetsWhoWaitsHaveIt) {
  TableMutex mutex;
  int turns = 0;
  std::unique_lock lock(mutex);
  mutex.LetOthers();  // nobody waits
  for (int turn = 1; turn <= 20; ++turn) {
    std::thread other([&] {
      const std::lock_guard theirs(mutex);
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
      const std::lock_guard lock(mutex);
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
