#include "cli/load/timers.h"

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

TEST(Timers, CallsInTheOrderOfTheTimes) {
  std::promise<void> last;
  std::vector<int> order;  // of the timers' thread
  const absl::Time past = absl::Now() - absl::Hours(1);
  Timers timers;
  // Nothing is called before all are there: this call keeps the thread busy.
  std::promise<void> go;
  timers.At(past - absl::Hours(1), [&] { go.get_future().wait(); });
  timers.At(past + absl::Seconds(2), [&] { order.push_back(3); });
  timers.At(past, [&] { order.push_back(1); });
  timers.At(past, [&] { order.push_back(2); });
  timers.At(past + absl::Seconds(3), [&] { last.set_value(); });
  go.set_value();
  last.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Timers, AnEarlierOneDoesNotWaitForALaterOne) {
  Timers timers;
  std::promise<void> called;
  std::atomic<bool> late = false;
  timers.At(absl::Now() + absl::Hours(1), [&] { late = true; });
  timers.At(absl::Now(), [&] { called.set_value(); });
  called.get_future().wait();
  EXPECT_FALSE(late) << "and it is forgotten at the end";
}

TEST(Timers, TakeCallsFromManyThreadsAndFromTheirOwn) {
  std::atomic<int> calls = 0;
  std::promise<void> all;
  constexpr int kCalls = 4 * 100 * 2;
  Timers timers;
  const auto count = [&] {
    if (++calls == kCalls) all.set_value();
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        timers.At(absl::Now(), [&] {
          timers.At(absl::Now(), count);
          count();
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  all.get_future().wait();
  EXPECT_EQ(calls, kCalls);
}

}  // namespace
}  // namespace joseki::cli
