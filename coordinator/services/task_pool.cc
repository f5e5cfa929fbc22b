#include "coordinator/services/task_pool.h"

#include <utility>

namespace joseki::coordinator {

TaskPool::TaskPool(int threads, size_t most_waiting) : most_waiting_(most_waiting) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

TaskPool::~TaskPool() {
  {
    const ScopedLock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool TaskPool::Post(std::function<void()>&& task) {
  {
    const ScopedLock lock(mutex_);
    if (waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

void TaskPool::Work() {
  while (const std::function<void()> task = Take()) task();
}

std::function<void()> TaskPool::Take() {
  const ScopedLock lock(mutex_);
  while (!closing_ && waiting_.empty()) changed_.wait(mutex_);
  if (waiting_.empty()) return nullptr;
  std::function<void()> task = std::move(waiting_.front());
  waiting_.pop_front();
  return task;
}

}  // namespace joseki::coordinator
