#include "worker/play/cost.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

namespace joseki::worker {
namespace {

std::optional<absl::Duration> Clock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return absl::DurationFromTimespec(time);
}

}  // namespace

absl::Duration ProcessorTimeOfThread() { return *Clock(CLOCK_THREAD_CPUTIME_ID); }

absl::Duration ProcessorTimeOfProcess() { return *Clock(CLOCK_PROCESS_CPUTIME_ID); }

absl::Duration ProcessorTimeOfChildren() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return absl::DurationFromTimeval(usage.ru_utime) + absl::DurationFromTimeval(usage.ru_stime);
}

std::optional<absl::Duration> ProcessorTimeOfProcess(pid_t pid) {
  clockid_t clock{};
  if (clock_getcpuclockid(pid, &clock) != 0) return std::nullopt;
  return Clock(clock);
}

void CostMeter::Add(size_t seat, absl::Duration search, absl::Duration living_engine) {
  search_ns_ += absl::ToInt64Nanoseconds(search);
  engines_[seat] = absl::ToInt64Nanoseconds(living_engine);
}

WorkerCost CostMeter::Read() const {
  WorkerCost cost;
  cost.processor = ProcessorTimeOfProcess() + ProcessorTimeOfChildren();
  for (const std::atomic<int64_t>& engine : engines_)
    cost.processor += absl::Nanoseconds(engine.load());
  cost.search = std::min(absl::Nanoseconds(search_ns_.load()), cost.processor);
  return cost;
}

}  // namespace joseki::worker
