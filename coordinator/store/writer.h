#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// The single writer of a database: one thread, one connection, one queue. Jobs are gathered into
// one transaction until the queue is empty, `batch_games` are in it or `batch_time` has passed;
// then it is committed with synchronous=FULL, and only then are the jobs' callbacks called, in
// order. Where only patient jobs wait, the transaction begins when the first of them has waited for
// `gather`, or `gather_games` are there: a commit costs many times what a game in it does.
//
// All or nothing: where a commit fails for lack of room or another fault of the storage, nothing of
// the batch is in the database, every job in it and in the queue gets ResourceExhausted, and so do
// later ones until a probe, repeated every `retry`, could be written. A job that fails for a reason
// of its own fails alone: the rest of its batch is written without it.
//
// Thread-safe. Hooks and callbacks run on the writer's thread with no lock of this class held; they
// may Push, and must not block.
class Writer {
 public:
  struct Options {
    size_t queued_games = 65'536;  // Push refuses beyond
    size_t batch_games = 4'096;
    absl::Duration batch_time = absl::Milliseconds(5);
    absl::Duration gather = absl::ZeroDuration();
    size_t gather_games = 16;
    absl::Duration retry = absl::Seconds(1);
    bool own_thread = true;  // without: everything happens in RunQueued
  };
  // One open transaction.
  struct Batch {
    RunStore& rows;
    uint64_t commit_seq = 0;  // the last one used; a job that adds a game takes the next
  };
  struct Job {
    size_t games = 0;      // for the limits; a job without games weighs one
    bool urgent = false;   // taken even where the queue is full
    bool patient = false;  // may wait until others have come
    // Inside the transaction; called again if the batch has to be taken apart.
    std::function<absl::Status(Batch&)> write;
    // After the commit, or the failure. Every job gets a status of its own, shared with no thread.
    std::function<void(absl::Status)> done;
    std::chrono::steady_clock::time_point came = {};  // the writer's
  };
  struct Hooks {
    // Last in every transaction, before its commit: what memory owes the database. Jobs that follow
    // from a debt are never committed without it.
    std::function<absl::Status(RunStore&)> before;
    // After the transaction and before the callbacks: whether it was committed.
    std::function<void(bool)> after;
    // After the callbacks of a transaction; may be absent.
    std::function<void()> finished;
    // The storage fails, and why; or OK, it works again.
    std::function<void(const absl::Status&)> on_health;
  };

  // `commit_seq` is the last one of the database.
  Writer(std::unique_ptr<book::Store> store, uint64_t commit_seq, Options options, Hooks hooks);
  ~Writer();  // stops
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // False, and `job` is untouched, if the queue is full.
  bool Push(Job&& job);
  // Writes what is queued and what its callbacks push, and joins the thread. Nothing may be pushed
  // afterwards. Not from a callback.
  void Stop();
  // Lets a transaction happen soon though there is no job, for Hooks::before.
  void Nudge();
  // Does on the calling thread what the writer's own would do now, until nothing is left to do: for
  // simulations, where everything happens in an order that can be repeated. REQUIRES: no own
  // thread.
  void RunQueued();

  size_t queued_games() const { return queued_; }
  uint64_t written_games() const {
    return written_;
  }  // since the start; a job without games counts one
  // How long the last commit took, sync included.
  absl::Duration last_commit() const;

 private:
  void Run();
  // Waits for others where only patient jobs wait. `lock` holds mutex_.
  void Gather(std::unique_lock<std::mutex>& lock);
  // With mutex_ held: whether nothing more is to be waited for.
  bool MustWrite() const;
  // A batch, or an attempt to write at all.
  void RunOnce();
  void RunBatch();
  bool TakeJob(Job& job);
  // Writes and commits; on an error nothing is written.
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

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  // Guarded by mutex_.
  std::deque<Job> queue_;
  std::atomic<size_t> queued_ = 0;  // changed under mutex_; the next too
  std::atomic<uint64_t> written_ = 0;
  size_t impatient_ = 0;  // jobs in the queue
  bool nudged_ = false;
  bool stopping_ = false;
  absl::Duration last_commit_;

  std::thread thread_;  // none without Options::own_thread
};

}  // namespace joseki::coordinator
