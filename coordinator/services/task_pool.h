#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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

  const size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace joseki::coordinator
