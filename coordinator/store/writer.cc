#include "coordinator/store/writer.h"

#include <chrono>
#include <future>
#include <utility>

#include "base/problem.h"

namespace joseki::coordinator {
namespace {

using SteadyClock = std::chrono::steady_clock;

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

absl::Status WriteOne(const WriteJob& job, WriteBatch& batch) {
  return job.write == nullptr ? absl::OkStatus() : job.write(batch);
}

}  // namespace

Writer::Writer(std::unique_ptr<book::Store> store, uint64_t commit_seq, Options options,
               Hooks hooks)
    : options_(options),
      hooks_(std::move(hooks)),
      store_(std::move(store)),
      rows_(*store_),
      commit_seq_(commit_seq),
      queue_(options.queue) {}

Writer::~Writer() { Stop(); }

void Writer::Start() {
  started_ = true;
  thread_ = std::thread([this] { Run(); });
}

void Writer::Stop() {
  if (!queue_.Stop()) return;
  if (started_) {
    thread_.join();
  } else {
    RunQueued();
  }
}

absl::Status Writer::Commit(WriteJob job) {
  std::promise<absl::Status> written;
  job.done = [&written, done = std::move(job.done)](absl::Status status) {
    if (done) done(status);
    written.set_value(std::move(status));
  };
  if (!Push(std::move(job))) return absl::ResourceExhaustedError("the writer's queue is full");
  if (!started_) RunQueued();
  return written.get_future().get();
}

void Writer::RunQueued() {
  if (!health_.ok()) RunOnce();
  while (queue_.TakeWork()) RunOnce();
}

void Writer::Run() {
  while (WaitForWork()) RunOnce();
}

bool Writer::WaitForWork() {
  return health_.ok() ? queue_.WaitForWork() : queue_.WaitUntil(next_probe_);
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

void Writer::RunBatch() {
  std::vector<WriteJob> jobs;
  absl::Status status = Write(jobs, /*gather=*/true);
  if (status.ok() || IsStorageFault(status) || jobs.size() <= 1) {
    Finish(jobs, status);
  } else {
    // A job is faulty: write each by itself, so that only that one fails.
    for (WriteJob& job : jobs) {
      std::vector<WriteJob> one;
      one.push_back(std::move(job));
      status = health_.ok() ? Write(one, /*gather=*/false) : health_;
      Finish(one, status);
    }
  }
}

absl::Status Writer::Write(std::vector<WriteJob>& jobs, bool gather) {
  const SteadyClock::time_point start = SteadyClock::now();
  const SteadyClock::time_point latest = start + absl::ToChronoNanoseconds(options_.batch_time);
  WriteBatch batch{rows_, commit_seq_};
  absl::Status status = rows_.Begin();
  for (size_t i = 0; i < jobs.size() && status.ok(); ++i) status = WriteOne(jobs[i], batch);
  size_t games = 0;
  WriteJob job;
  while (gather && status.ok() && games < options_.batch_games && queue_.Take(job)) {
    games += job.weight();
    jobs.push_back(std::move(job));
    status = WriteOne(jobs.back(), batch);
    if (SteadyClock::now() >= latest) break;
  }
  if (status.ok()) status = hooks_.before(rows_);
  const SteadyClock::time_point commit = SteadyClock::now();
  if (status.ok()) status = rows_.Commit();
  if (status.ok()) {
    commit_seq_ = batch.commit_seq;
    last_commit_ = SteadyClock::now() - commit;
    for (const WriteJob& written : jobs) written_ += written.weight();
  } else {
    rows_.Rollback();
  }
  hooks_.after(status.ok());
  return status;
}

void Writer::Finish(std::vector<WriteJob>& jobs, const absl::Status& status) {
  if (IsStorageFault(status)) SetHealth(status);
  CallBack(jobs, status);
}

void Writer::CallBack(std::vector<WriteJob>& jobs, const absl::Status& status) {
  for (WriteJob& job : jobs) {
    if (job.done) job.done(ReplyFor(status));
  }
  if (hooks_.finished) hooks_.finished();
}

void Writer::FailAll(const absl::Status& status) {
  std::vector<WriteJob> jobs;
  for (WriteJob job; queue_.Take(job);) jobs.push_back(std::move(job));
  CallBack(jobs, status);
}

void Writer::SetHealth(const absl::Status& status) {
  if (status.ok() == health_.ok()) return;
  health_ = status;
  hooks_.on_health(status);
}

}  // namespace joseki::coordinator
