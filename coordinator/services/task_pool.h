#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace joseki::coordinator {

// A few threads for blocking work (a commit, a read of the database), so that the threads that
// serve calls never block. Thread-safe.
class TaskPool {
 public:
  // At most `most_waiting` tasks wait for a thread.
  TaskPool(int threads, size_t most_waiting);
  // Runs the waiting tasks, then joins.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Runs `task` on a thread of the pool. Returns false at once, with `task` untouched, if too many
  // wait.
  bool Post(std::function<void()>&& task);

 private:
  void Work();
  // The next task; waits for one. Null when the pool closes and none is left.
  std::function<void()> Take();

  const size_t most_waiting_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace joseki::coordinator
