#include "cli/load/timers.h"

#include <chrono>
#include <utility>

#include "absl/time/clock.h"

namespace joseki::cli {

Timers::Timers() : thread_([this] { Run(); }) {}

Timers::~Timers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Timers::At(absl::Time time, std::function<void()> call) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = entries_.empty() || time < entries_.top().time;
    entries_.push({time, next_++, std::move(call)});
  }
  if (first) changed_.notify_one();
}

void Timers::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (entries_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const absl::Duration wait = entries_.top().time - absl::Now();
    if (wait > absl::ZeroDuration()) {
      changed_.wait_for(lock, absl::ToChronoNanoseconds(wait));
      continue;
    }
    const std::function<void()> call = entries_.top().call;
    entries_.pop();
    lock.unlock();
    call();
    lock.lock();
  }
}

}  // namespace joseki::cli
