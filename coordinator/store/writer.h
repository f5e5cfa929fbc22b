#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/mutex.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// The single writer of a database: one thread, one connection, one queue. A transaction takes jobs
// until the queue is empty, it has `batch_games`, or `batch_time` has passed. It is committed with
// synchronous=FULL; only then are the jobs' callbacks called, in order. If only patient jobs wait,
// the transaction begins when the first has waited for `gather`, or `gather_games` are there. A
// commit costs many times as much as a game in it.
//
// All or nothing. If a commit fails for lack of space or another fault of the storage, nothing of
// the batch is in the database. Every job in the batch and the queue gets ResourceExhausted, and so
// do later ones. A probe, repeated every `retry`, ends this once it succeeds. A job that fails for
// a reason of its own fails alone: the rest of its batch is written.
//
// Thread-safe. Hooks and callbacks run on the writer's thread with no lock of this class held. They
// may Push, and must not block.
class Writer {
 public:
  struct Options {
    size_t queued_games = 65'536;  // Push refuses more
    size_t batch_games = 4'096;
    absl::Duration batch_time = absl::Milliseconds(5);
    absl::Duration gather = absl::ZeroDuration();
    size_t gather_games = 16;
    absl::Duration retry = absl::Seconds(1);
  };
  // An open transaction.
  struct Batch {
    RunStore& rows;
    uint64_t commit_seq = 0;  // the last one used; a job that adds a game takes the next
  };
  struct Job {
    size_t games = 0;      // for the limits; a job without games counts as one
    bool urgent = false;   // accepted even if the queue is full
    bool patient = false;  // may wait for other jobs
    // Runs inside the transaction; called again if the batch has to be split. Null: the job writes
    // nothing but the debts of Hooks::before.
    std::function<absl::Status(Batch&)> write;
    // Runs after the commit or the failure. Every job gets a status of its own, shared with no
    // thread.
    std::function<void(absl::Status)> done;
    std::chrono::steady_clock::time_point came = {};  // set by the writer
  };
  struct Hooks {
    // Runs last in every transaction, before its commit, and writes memory's debts. No consequence
    // of a debt is committed without it.
    std::function<absl::Status(RunStore&)> before;
    // Runs after the transaction and before the callbacks; the argument is whether it was
    // committed.
    std::function<void(bool)> after;
    // Runs after the callbacks of a transaction; may be empty.
    std::function<void()> finished;
    // Receives the storage's error when it begins to fail, and OK when it works again.
    std::function<void(const absl::Status&)> on_health;
  };

  // `commit_seq`: the last one of the database.
  Writer(std::unique_ptr<book::Store> store, uint64_t commit_seq, Options options, Hooks hooks);
  ~Writer();  // stops
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // False, with `job` untouched, if the queue is full.
  bool Push(Job&& job);
  // Waits until `job` is written; its `done` may be empty. ResourceExhausted if the queue is full.
  // Must not be called from a callback.
  absl::Status Commit(Job job);
  // Starts the thread. Before that, Commit and Stop do the pending work on the calling thread, and
  // so does RunQueued.
  void Start();
  // Writes the queue and the jobs that its callbacks push, and joins the thread. Nothing may be
  // pushed afterwards. Must not be called from a callback.
  void Stop();
  // Makes a transaction happen soon even without a job, for Hooks::before.
  void Nudge();
  // Does the pending work until none is left. REQUIRES: the thread was not started.
  void RunQueued();

  size_t queued_games() const { return queued_; }
  uint64_t written_games() const {
    return written_;
  }  // since the start; a job without games counts one
  // Duration of the last commit, sync included.
  absl::Duration last_commit() const;

 private:
  void Run();
  // Waits until there is work; false if there is none and the writer stops.
  bool WaitForWork();
  // Waits for other jobs while only patient ones are queued.
  void Gather() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the transaction must begin now.
  bool MustWrite() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Writes a batch, or probes a failing storage.
  void RunOnce();
  void RunBatch();
  bool TakeJob(Job& job);
  // Writes and commits; after an error nothing is written.
  absl::Status Write(std::vector<Job>& jobs, bool gather);
  void Finish(std::vector<Job>& jobs, const absl::Status& status);
  void CallBack(std::vector<Job>& jobs, const absl::Status& status);
  void FailAll(const absl::Status& status);
  void SetHealth(const absl::Status& status);

  // Constant after construction.
  const Options options_;
  const Hooks hooks_;

  // Used by the writer's thread.
  std::unique_ptr<book::Store> store_;
  RunStore rows_;
  uint64_t commit_seq_;
  absl::Status health_;
  std::chrono::steady_clock::time_point next_probe_;

  mutable Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Job> queue_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> queued_ = 0;  // changed under mutex_, like written_
  std::atomic<uint64_t> written_ = 0;
  size_t impatient_ ABSL_GUARDED_BY(mutex_) = 0;  // jobs in the queue that are not patient
  bool nudged_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration last_commit_ ABSL_GUARDED_BY(mutex_);

  bool started_ = false;  // set before any other thread calls
  std::thread thread_;
};

}  // namespace joseki::coordinator
