#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/mutex.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// An open transaction.
struct WriteBatch {
  RunStore& rows;
  uint64_t commit_seq = 0;  // the last one used; a job that adds a game takes the next
};

// A piece of work that a Writer writes in one transaction, with others or alone.
struct WriteJob {
  size_t games = 0;      // for the limits; a job without games counts as one
  bool urgent = false;   // accepted even if the queue is full
  bool patient = false;  // may wait for other jobs
  // Runs inside the transaction; called again if the batch has to be split. Null: the job writes
  // nothing but the debts of Writer::Hooks::before.
  std::function<absl::Status(WriteBatch&)> write;
  // Runs after the commit or the failure. Every job gets a status of its own, shared with no
  // thread.
  std::function<void(absl::Status)> done;
  std::chrono::steady_clock::time_point came = {};  // set by the queue

  size_t weight() const { return std::max<size_t>(games, 1); }
};

// The bounded queue before a Writer, first in, first out. One thread waits for work and takes it;
// any may call the rest. While only patient jobs are queued, work is waited for until the first has
// been there for `gather`, or `gather_games` are. Thread-safe.
class WriteQueue {
 public:
  struct Options {
    size_t most_games = 65'536;  // Push refuses more
    absl::Duration gather = absl::ZeroDuration();
    size_t gather_games = 16;
  };

  explicit WriteQueue(const Options& options) : options_(options) {}

  // False, with `job` untouched, if the queue is full.
  bool Push(WriteJob&& job);
  // Takes the first job; false if there is none.
  bool Take(WriteJob& job);
  // Counts as work once, without a job.
  void Nudge();
  // Ends the waiting for work; false if it has ended before. Only what the queued jobs call may
  // still push.
  bool Stop();

  // Waits until there is work; false if there is none and the queue has stopped.
  bool WaitForWork();
  // Waits until there is a job, patient or not, or that time has come; false as above.
  bool WaitUntil(std::chrono::steady_clock::time_point time);
  // Whether there is work now.
  bool TakeWork();

  size_t games() const { return games_; }  // of the queued jobs

 private:
  // Waits for other jobs while only patient ones are queued.
  void Gather() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the transaction must begin now.
  bool MustWrite() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends a wait; its result.
  bool EndWait() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;

  Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<WriteJob> jobs_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> games_ = 0;                 // changed under mutex_
  size_t impatient_ ABSL_GUARDED_BY(mutex_) = 0;  // jobs in the queue that are not patient
  bool nudged_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace joseki::coordinator
