#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/write_queue.h"

namespace joseki::coordinator {

// The single writer of a database: one thread, one connection, one queue. A transaction takes jobs
// until the queue is empty, it has `batch_games`, or `batch_time` has passed. It is committed with
// synchronous=FULL; only then are the jobs' callbacks called, in order. It begins late if only
// patient jobs wait (WriteQueue), as a commit costs many times as much as a game in it.
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
    WriteQueue::Options queue;
    size_t batch_games = 4'096;
    absl::Duration batch_time = absl::Milliseconds(5);
    absl::Duration retry = absl::Seconds(1);
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
  bool Push(WriteJob&& job) { return queue_.Push(std::move(job)); }
  // Waits until `job` is written; its `done` may be empty. ResourceExhausted if the queue is full.
  // Must not be called from a callback.
  absl::Status Commit(WriteJob job);
  // Starts the thread. Before that, Commit and Stop do the pending work on the calling thread, and
  // so does RunQueued.
  void Start();
  // Writes the queue and the jobs that its callbacks push, and joins the thread. Nothing may be
  // pushed afterwards. Must not be called from a callback.
  void Stop();
  // Makes a transaction happen soon even without a job, for Hooks::before.
  void Nudge() { queue_.Nudge(); }
  // Does the pending work until none is left. REQUIRES: the thread was not started.
  void RunQueued();

  size_t queued_games() const { return queue_.games(); }
  // Since the start; a job without games counts one.
  uint64_t written_games() const { return written_; }
  // Duration of the last commit, sync included.
  absl::Duration last_commit() const { return absl::FromChrono(last_commit_.load()); }

 private:
  void Run();
  // Waits until there is work; false if there is none and the writer stops.
  bool WaitForWork();
  // Writes a batch, or probes a failing storage.
  void RunOnce();
  void RunBatch();
  // Writes and commits; after an error nothing is written.
  absl::Status Write(std::vector<WriteJob>& jobs, bool gather);
  void Finish(std::vector<WriteJob>& jobs, const absl::Status& status);
  void CallBack(std::vector<WriteJob>& jobs, const absl::Status& status);
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

  WriteQueue queue_;
  // Changed by the writer's thread.
  std::atomic<uint64_t> written_ = 0;
  std::atomic<std::chrono::nanoseconds> last_commit_ = std::chrono::nanoseconds(0);

  bool started_ = false;  // set before any other thread calls
  std::thread thread_;
};

}  // namespace joseki::coordinator
