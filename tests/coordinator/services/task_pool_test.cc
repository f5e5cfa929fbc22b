#include "coordinator/services/task_pool.h"

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

TEST(TaskPool, DoesWhatItTookAndNothingElse) {
  constexpr int kPosters = 4;
  constexpr int kTasks = 500;
  std::atomic<int> taken = 0;
  std::atomic<int> done = 0;
  {
    TaskPool pool(3, /*most_waiting=*/8);
    std::vector<std::thread> posters;
    for (int poster = 0; poster < kPosters; ++poster) {
      posters.emplace_back([&] {
        for (int task = 0; task < kTasks; ++task) taken += pool.Post([&done] { ++done; });
      });
    }
    for (std::thread& poster : posters) poster.join();
  }
  EXPECT_EQ(done, taken) << "what still waits at the end is done";
  EXPECT_GT(taken, 0);
}

TEST(TaskPool, RefusesAtOnceWhatWouldWaitTooLong) {
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  std::atomic<bool> began = false;
  const auto held = std::make_shared<int>(7);
  TaskPool pool(1, /*most_waiting=*/1);
  ASSERT_TRUE(pool.Post([&began, gone] {
    began = true;
    gone.wait();
  }));
  while (!began) std::this_thread::yield();
  ASSERT_TRUE(pool.Post([] {}));
  std::function<void()> task = [held] {};
  EXPECT_FALSE(pool.Post(std::move(task)));
  ASSERT_TRUE(task) << "untouched";  // NOLINT(bugprone-use-after-move): that is what is promised
  EXPECT_EQ(held.use_count(), 2);
  go.set_value();
}

}  // namespace
}  // namespace joseki::coordinator
