#include "coordinator/store/writer.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/problem.h"

namespace joseki::coordinator {
namespace {

using SteadyClock = std::chrono::steady_clock;

size_t Weight(const Writer::Job& job) { return std::max<size_t>(job.games, 1); }

// Whether the storage is at fault, not the job.
bool IsStorageFault(const absl::Status& status) {
  return absl::IsResourceExhausted(status) || absl::IsUnavailable(status) ||
         absl::IsPermissionDenied(status) || absl::IsDataLoss(status);
}

// The status for a job. If the storage is at fault it means: keep the games, wait, retry.
absl::Status ReplyFor(const absl::Status& status) {
  if (status.ok()) return status;
  return MakeProblem(ProblemOf(status),
                     IsStorageFault(status) ? absl::StatusCode::kResourceExhausted : status.code());
}

absl::Status WriteJob(const Writer::Job& job, Writer::Batch& batch) {
  return job.write == nullptr ? absl::OkStatus() : job.write(batch);
}

}  // namespace

Writer::Writer(std::unique_ptr<book::Store> store, uint64_t commit_seq, Options options,
               Hooks hooks)
    : options_(options),
      hooks_(std::move(hooks)),
      store_(std::move(store)),
      rows_(*store_),
      commit_seq_(commit_seq) {}

Writer::~Writer() { Stop(); }

void Writer::Start() {
  started_ = true;
  thread_ = std::thread([this] { Run(); });
}

void Writer::Stop() {
  {
    const ScopedLock lock(mutex_);
    if (std::exchange(stopping_, true)) return;
  }
  wake_.notify_all();
  if (started_) {
    thread_.join();
  } else {
    RunQueued();
  }
}

bool Writer::Push(Job&& job) {
  bool wake = false;
  {
    const ScopedLock lock(mutex_);
    const size_t weight = Weight(job);
    if (!job.urgent && queued_ > 0 && queued_ + weight > options_.queued_games) return false;
    job.came = SteadyClock::now();
    queued_ += weight;
    if (!job.patient) ++impatient_;
    // A gathering writer is not woken for each job: that may cost more than writing the job.
    wake = queue_.empty();
    queue_.push_back(std::move(job));
    wake = wake || MustWrite();
  }
  if (wake) wake_.notify_one();
  return true;
}

absl::Status Writer::Commit(Job job) {
  std::promise<absl::Status> written;
  job.done = [&written, done = std::move(job.done)](absl::Status status) {
    if (done) done(status);
    written.set_value(std::move(status));
  };
  if (!Push(std::move(job))) return absl::ResourceExhaustedError("the writer's queue is full");
  if (!started_) RunQueued();
  return written.get_future().get();
}

bool Writer::MustWrite() const {
  return stopping_ || nudged_ || impatient_ > 0 || queued_ >= options_.gather_games;
}

void Writer::Gather() {
  if (options_.gather == absl::ZeroDuration() || queue_.empty()) return;
  const SteadyClock::time_point until =
      queue_.front().came + absl::ToChronoNanoseconds(options_.gather);
  while (!MustWrite() && wake_.wait_until(mutex_, until) == std::cv_status::no_timeout) {
  }
}

void Writer::Nudge() {
  {
    const ScopedLock lock(mutex_);
    nudged_ = true;
  }
  wake_.notify_one();
}

absl::Duration Writer::last_commit() const {
  const ScopedLock lock(mutex_);
  return last_commit_;
}

void Writer::RunQueued() {
  const auto take_work = [this] {
    const ScopedLock lock(mutex_);
    const bool work = nudged_ || !queue_.empty();
    nudged_ = false;
    return work;
  };
  if (!health_.ok()) RunOnce();
  while (take_work()) RunOnce();
}

void Writer::Run() {
  while (WaitForWork()) RunOnce();
}

bool Writer::WaitForWork() {
  const ScopedLock lock(mutex_);
  if (health_.ok()) {
    while (!stopping_ && !nudged_ && queue_.empty()) wake_.wait(mutex_);
    Gather();
  } else {
    while (!stopping_ && queue_.empty() &&
           wake_.wait_until(mutex_, next_probe_) == std::cv_status::no_timeout) {
    }
  }
  if (stopping_ && queue_.empty() && !nudged_) return false;
  nudged_ = false;
  return true;
}

void Writer::RunOnce() {
  const auto probe_later = [this] {
    next_probe_ = SteadyClock::now() + absl::ToChronoNanoseconds(options_.retry);
  };
  if (health_.ok()) {
    RunBatch();
    if (!health_.ok()) probe_later();
    return;
  }
  // The storage fails: no games are written before a probe succeeds.
  if (SteadyClock::now() >= next_probe_) {
    const absl::Status probe = rows_.Probe();
    probe_later();
    SetHealth(probe);
    if (probe.ok()) Nudge();
  }
  if (!health_.ok()) FailAll(health_);
}

bool Writer::TakeJob(Job& job) {
  const ScopedLock lock(mutex_);
  if (queue_.empty()) return false;
  job = std::move(queue_.front());
  queue_.pop_front();
  queued_ -= Weight(job);
  if (!job.patient) --impatient_;
  return true;
}

void Writer::RunBatch() {
  std::vector<Job> jobs;
  absl::Status status = Write(jobs, /*gather=*/true);
  if (status.ok() || IsStorageFault(status) || jobs.size() <= 1) {
    Finish(jobs, status);
  } else {
    // A job is faulty: write each by itself, so that only that one fails.
    for (Job& job : jobs) {
      std::vector<Job> one;
      one.push_back(std::move(job));
      status = health_.ok() ? Write(one, /*gather=*/false) : health_;
      Finish(one, status);
    }
  }
}

absl::Status Writer::Write(std::vector<Job>& jobs, bool gather) {
  const SteadyClock::time_point start = SteadyClock::now();
  const SteadyClock::time_point latest = start + absl::ToChronoNanoseconds(options_.batch_time);
  Batch batch{rows_, commit_seq_};
  absl::Status status = rows_.Begin();
  for (size_t i = 0; i < jobs.size() && status.ok(); ++i) status = WriteJob(jobs[i], batch);
  size_t games = 0;
  Job job;
  while (gather && status.ok() && games < options_.batch_games && TakeJob(job)) {
    games += Weight(job);
    jobs.push_back(std::move(job));
    status = WriteJob(jobs.back(), batch);
    if (SteadyClock::now() >= latest) break;
  }
  if (status.ok()) status = hooks_.before(rows_);
  const SteadyClock::time_point commit = SteadyClock::now();
  if (status.ok()) status = rows_.Commit();
  if (status.ok()) {
    commit_seq_ = batch.commit_seq;
    const ScopedLock lock(mutex_);
    last_commit_ = absl::FromChrono(SteadyClock::now() - commit);
    for (const Job& written : jobs) written_ += Weight(written);
  } else {
    rows_.Rollback();
  }
  hooks_.after(status.ok());
  return status;
}

void Writer::Finish(std::vector<Job>& jobs, const absl::Status& status) {
  if (IsStorageFault(status)) SetHealth(status);
  CallBack(jobs, status);
}

void Writer::CallBack(std::vector<Job>& jobs, const absl::Status& status) {
  for (Job& job : jobs) {
    if (job.done) job.done(ReplyFor(status));
  }
  if (hooks_.finished) hooks_.finished();
}

void Writer::FailAll(const absl::Status& status) {
  std::vector<Job> jobs;
  for (Job job; TakeJob(job);) jobs.push_back(std::move(job));
  CallBack(jobs, status);
}

void Writer::SetHealth(const absl::Status& status) {
  if (status.ok() == health_.ok()) return;
  health_ = status;
  hooks_.on_health(status);
}

}  // namespace joseki::coordinator
