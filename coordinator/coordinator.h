#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "book/database/file_lock.h"
#include "book/database/store.h"
#include "book/database/wal_backfill.h"
#include "coordinator/checkpointer.h"
#include "coordinator/core/tables.h"
#include "coordinator/gate.h"
#include "coordinator/maintenance.h"
#include "coordinator/operator_calls.h"
#include "coordinator/options.h"
#include "coordinator/payment.h"
#include "coordinator/reader_calls.h"
#include "coordinator/rebuilder.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/setting.h"
#include "coordinator/store/writer.h"
#include "coordinator/worker_calls.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The coordinator without its wire: leases, selection, intake, the single writer. SQLite is the
// truth and memory the working copy; Start reads it back, so a killed coordinator resumes at its
// last commit.
//
// This class is the shell: threads, the writer, and a Gate to the tables. The meaning of an event
// is in coordinator/core/, which has none of these. There are four kinds of threads:
//
//   callers       replay games, then change the tables and push jobs
//   the writer    commits, then applies what was committed and replies
//   maintenance   expires leases and waiting Acquires, begins checkpoints
//   rebuilding    recomputes a run's evidence when a worker's games leave it or come back, and
//                 the priors of large books
//
// A change in memory alone (an ended lease, a new stage, a poisoned line) is a debt to the database
// (coordinator/core/ledger.h). Debts are written last in the next transaction, whichever that is,
// so no consequence of one is committed before it.
class Coordinator {
 public:
  using Options = CoordinatorOptions;

  // Reads the database back, or makes an empty one. Every live lease gets a full new term.
  // FailedPrecondition "coordinator_running" if another coordinator has the file open,
  // "network_file_system" if its disk is another machine's.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Open(Options options, const Rules& rules,
                                                           const Clock& clock = Clock::System());
  // Opens a book that exists and whose lock the caller has taken.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Open(Options options, const Rules& rules,
                                                           const Clock& clock, book::FileLock lock);
  // Opens a book as the first Open does, and starts the threads.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options, const Rules& rules,
                                                            const Clock& clock = Clock::System());
  // Refuses new calls, commits the queue, replies to every held call, and joins its threads.
  ~Coordinator();

  WorkerCalls& workers() { return workers_; }
  OperatorCalls& operators() { return operators_; }
  ReaderCalls& readers() { return readers_; }
  KeptWeights& weights() { return weights_; }  // of runs with re-entry

  // Starts the threads that do the pending work from now on.
  absl::Status StartThreads();
  // Does the pending work of all of them on the calling thread. REQUIRES: they were not started,
  // and every call comes from this thread.
  void Step();

 private:
  // State that Open has read.
  struct Restored {
    Tables tables;
    std::unique_ptr<book::Store> store;
    book::FileLock lock;
  };
  Coordinator(Setting setting, Restored restored);

  Moment MomentNow() const;
  void Perform(Effects& effects);
  Writer::Hooks WriterHooks();
  void NoteStorage(const absl::Status& status);

  const Setting setting_;
  KeptWeights weights_;
  Gate gate_;
  Rebuilder rebuilder_;
  Payer payer_;                                  // used by the writer's thread
  book::Store& store_;                           // the writer's
  std::unique_ptr<book::WalBackfill> backfill_;  // null: the writer copies pages itself
  Writer writer_;
  Checkpointer checkpointer_;
  Maintenance maintenance_;
  WorkerCalls workers_;
  OperatorCalls operators_;
  ReaderCalls readers_;
};

}  // namespace joseki::coordinator
