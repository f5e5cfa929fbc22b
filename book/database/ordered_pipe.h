#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "base/mutex.h"

namespace joseki::book {

// Parallel tasks whose results one thread consumes in task order, with a bound on results not yet
// consumed.
//
// An Item is a piece of a task's result; a task gives any number. A task waits while more than
// `bound` (in the sizes given to Give) is ready. The oldest task, whose items are consumed next,
// counts only its own items, so there is no deadlock.
template <typename Item>
class OrderedPipe {
 public:
  // Receives the items of one task.
  class Output {
   public:
    void Give(Item item, size_t size) { pipe_.Put(task_, std::move(item), size); }

   private:
    friend class OrderedPipe;
    Output(OrderedPipe& pipe, size_t task) : pipe_(pipe), task_(task) {}
    OrderedPipe& pipe_;
    const size_t task_;
  };
  using Task = std::function<void(Output&)>;

  // `next` gives one task after another, nullopt at the end; it is called by one thread at a time.
  OrderedPipe(int threads, size_t bound, std::function<std::optional<Task>()> next)
      : bound_(bound), next_(std::move(next)) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
  }
  // Waits for running tasks; their remaining items are dropped.
  ~OrderedPipe() {
    {
      const ScopedLock lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  OrderedPipe(const OrderedPipe&) = delete;
  OrderedPipe& operator=(const OrderedPipe&) = delete;

  // The next item in task order; nullopt when all tasks are done.
  std::optional<Item> Take() {
    std::optional<Item> item = WaitForItem();
    changed_.notify_all();
    return item;
  }

 private:
  struct Row {
    std::deque<std::pair<Item, size_t>> items;
    size_t ready = 0;  // total size of `items`
    bool ended = false;
  };

  std::optional<Item> WaitForItem() {
    const ScopedLock lock(mutex_);
    for (;;) {
      const auto at = rows_.find(head_);
      if (at != rows_.end() && !at->second.items.empty()) {
        auto [item, size] = std::move(at->second.items.front());
        at->second.items.pop_front();
        ready_ -= size;
        at->second.ready -= size;
        return std::move(item);
      }
      if (at != rows_.end() && at->second.ended) {
        rows_.erase(at);
        ++head_;
        changed_.notify_all();
        continue;
      }
      if (exhausted_ && head_ == begun_) return std::nullopt;
      changed_.wait(mutex_);
    }
  }

  void Work() {
    while (std::optional<std::pair<size_t, Task>> begun = Begin()) {
      Output output(*this, begun->first);
      begun->second(output);
      {
        const ScopedLock lock(mutex_);
        rows_[begun->first].ended = true;
      }
      changed_.notify_all();
    }
  }

  // The next task and its number; nullopt if there is none.
  std::optional<std::pair<size_t, Task>> Begin() {
    const ScopedLock planning(planning_);
    if (!Wanted()) return std::nullopt;
    std::optional<Task> task = next_();
    const ScopedLock lock(mutex_);
    if (!task.has_value()) {
      exhausted_ = true;
      changed_.notify_all();
      return std::nullopt;
    }
    rows_[begun_];
    return std::pair(begun_++, *std::move(task));
  }

  void Put(size_t task, Item item, size_t size) {
    {
      const ScopedLock lock(mutex_);
      Row& row = rows_[task];
      while (!HasRoom(task, row, size)) changed_.wait(mutex_);
      if (closed_) return;
      ready_ += size;
      row.ready += size;
      row.items.emplace_back(std::move(item), size);
    }
    changed_.notify_all();
  }

  // Whether the task may put an item of that size.
  bool HasRoom(size_t task, const Row& row, size_t size) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const size_t ready = task == head_ ? row.ready : ready_;
    return closed_ || ready + size <= bound_ || (task == head_ && ready == 0);
  }

  bool Wanted() {
    const ScopedLock lock(mutex_);
    return !closed_ && !exhausted_;
  }

  const size_t bound_;
  const std::function<std::optional<Task>()> next_;
  Mutex planning_ ABSL_ACQUIRED_BEFORE(mutex_);
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::map<size_t, Row> rows_ ABSL_GUARDED_BY(mutex_);  // by task, from head_ on
  size_t head_ ABSL_GUARDED_BY(mutex_) = 0;             // the task whose items are consumed
  size_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t ready_ ABSL_GUARDED_BY(mutex_) = 0;
  bool exhausted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace joseki::book
