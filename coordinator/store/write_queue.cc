#include "coordinator/store/write_queue.h"

#include <utility>

namespace joseki::coordinator {

bool WriteQueue::Push(WriteJob&& job) {
  bool wake = false;
  {
    const ScopedLock lock(mutex_);
    const size_t weight = job.weight();
    if (!job.urgent && games_ > 0 && games_ + weight > options_.most_games) return false;
    job.came = std::chrono::steady_clock::now();
    games_ += weight;
    if (!job.patient) ++impatient_;
    // A gathering writer is not woken for each job: that may cost more than writing the job.
    wake = jobs_.empty();
    jobs_.push_back(std::move(job));
    wake = wake || MustWrite();
  }
  if (wake) wake_.notify_one();
  return true;
}

bool WriteQueue::Take(WriteJob& job) {
  const ScopedLock lock(mutex_);
  if (jobs_.empty()) return false;
  job = std::move(jobs_.front());
  jobs_.pop_front();
  games_ -= job.weight();
  if (!job.patient) --impatient_;
  return true;
}

void WriteQueue::Nudge() {
  {
    const ScopedLock lock(mutex_);
    nudged_ = true;
  }
  wake_.notify_one();
}

bool WriteQueue::Stop() {
  {
    const ScopedLock lock(mutex_);
    if (std::exchange(stopping_, true)) return false;
  }
  wake_.notify_all();
  return true;
}

bool WriteQueue::WaitForWork() {
  const ScopedLock lock(mutex_);
  while (!stopping_ && !nudged_ && jobs_.empty()) wake_.wait(mutex_);
  Gather();
  return EndWait();
}

bool WriteQueue::WaitUntil(std::chrono::steady_clock::time_point time) {
  const ScopedLock lock(mutex_);
  while (!stopping_ && jobs_.empty() &&
         wake_.wait_until(mutex_, time) == std::cv_status::no_timeout) {
  }
  return EndWait();
}

bool WriteQueue::TakeWork() {
  const ScopedLock lock(mutex_);
  const bool work = nudged_ || !jobs_.empty();
  nudged_ = false;
  return work;
}

bool WriteQueue::MustWrite() const {
  return stopping_ || nudged_ || impatient_ > 0 || games_ >= options_.gather_games;
}

void WriteQueue::Gather() {
  if (options_.gather == absl::ZeroDuration() || jobs_.empty()) return;
  const auto until = jobs_.front().came + absl::ToChronoNanoseconds(options_.gather);
  while (!MustWrite() && wake_.wait_until(mutex_, until) == std::cv_status::no_timeout) {
  }
}

bool WriteQueue::EndWait() {
  if (stopping_ && jobs_.empty() && !nudged_) return false;
  nudged_ = false;
  return true;
}

}  // namespace joseki::coordinator
