#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/hash.h"
#include "book/database/file_lock.h"
#include "book/database/wal_backfill.h"
#include "coordinator/checkpointer.h"
#include "coordinator/core/upkeep.h"
#include "coordinator/disk_watch.h"
#include "coordinator/game_writer.h"
#include "coordinator/gate.h"
#include "coordinator/model/messages.h"
#include "coordinator/options.h"
#include "coordinator/payment.h"
#include "coordinator/rebuilder.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/store/writer.h"
#include "coordinator/waker.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The coordinator without its wire: leases, selection, intake, the single writer. SQLite is the
// truth and memory the working copy; Start reads it back, so a killed coordinator resumes at its
// last commit.
//
// Thread-safe. Verbs that must wait for a commit or for work take a callback; the others return at
// once. The callback runs exactly once, with no lock held. It runs on the writer's or the
// maintenance thread, or on the caller's if there is nothing to wait for. Nothing is acknowledged
// before it is committed with synchronous=FULL.
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

  // Reads the database back, or makes an empty one, and starts the writer and maintenance threads.
  // Every live lease gets a full new term. FailedPrecondition "coordinator_running" if another
  // coordinator has the file open, "network_file_system" if its disk is another machine's.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options, const Rules& rules,
                                                            const Clock& clock = Clock::System());
  // Refuses new calls, commits the queue, replies to every held call, and joins its threads.
  ~Coordinator();

  // For simulations and Start, which take the lock and read the epoch. Open reads everything back
  // and starts the threads; call it once, before any verb.
  Coordinator(Options options, const Rules& rules, const Clock& clock, book::FileLock lock,
              std::string epoch);
  absl::Status Open();
  // Does the pending work of writer and maintenance on the calling thread. REQUIRES:
  // !Options::own_threads; all verbs then come from one thread, and do their work inside the call.
  void Step();

  // Workers (proto/joseki/v1/worker.proto).
  void Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done);
  void Acquire(AcquireInput input, std::function<void(absl::StatusOr<AcquireOutput>)> done);
  // Games are replayed on the calling thread, before the queue. If slots are wanted, their leases
  // are granted after the games are committed, and the reply waits for both.
  void Submit(SubmitInput input, std::function<void(absl::StatusOr<SubmitOutput>)> done);
  // `cost`: of the worker so far, for the status.
  absl::StatusOr<BeatOutput> Beat(SessionId session, const std::vector<LeaseProgress>& progress,
                                  const std::optional<WorkerCost>& cost = {});
  void Leave(SessionId session, std::vector<SlotRef> unplayed,
             std::function<void(absl::Status)> done);
  // The worker of a session; empty if the session is unknown or superseded.
  std::string WorkerOf(SessionId session) const;

  // Operators (operator.proto). These block until the change is committed.
  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  absl::StatusOr<CreatedRun> CreateRun(const RunSpec& spec, const std::string& request_id);
  // Stores a shipped book (book/play_book.h) for runs whose opponent plays from it; returns its
  // SHA-256. "bad_snapshot" for other bytes, FailedPrecondition "empty_book".
  absl::StatusOr<Sha256> PutBook(const std::string& bytes);
  absl::StatusOr<std::string> PauseRun(RunId run);  // the new state
  absl::StatusOr<std::string> ResumeRun(RunId run);
  absl::StatusOr<std::string> StopRun(RunId run);
  // Extends a run's budget by RunState::Extend. NotFound "unknown_run", FailedPrecondition
  // "book_changed" (if the same book is asked for) or "games_dropped".
  absl::StatusOr<ExtendedRun> ExtendRun(RunId run, const MoreToPlay& more);
  // Sets the share from the next lease on; `weight` 0 keeps the weight. Returns the new share.
  absl::StatusOr<Share> SetPriority(RunId run, uint32_t priority, uint32_t weight);
  // Grants poisoned lines again, and those withheld from some worker: `line`, or all lines of the
  // run. Earlier failures no longer count. Returns the number of lines. NotFound
  // "line_not_left_out" for a line that is not poisoned or withheld.
  absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::vector<Move>>& line);
  // `worker` empty: all workers, including those that join later. Returns the number of connected
  // workers affected.
  int Drain(const std::string& worker);
  int Undrain(const std::string& worker);
  bool draining() const;
  // Returns the number of its leases that ended. A blocked worker stays blocked. NotFound
  // "unknown_worker" for a name that this book has never seen, unless `unseen` allows it.
  absl::StatusOr<int> BlockWorker(const std::string& worker, const std::string& reason,
                                  bool unseen = false);
  // FailedPrecondition "not_blocked" if no game of the worker is out.
  absl::Status UnblockWorker(const std::string& worker, bool keep_games_out);

  // Readers (reader.proto). From memory; never wait for the writer.
  ClusterStatus GetStatus(RunId run) const;
  // The coordinator's own status, without runs and workers.
  ClusterStatus GetOwnStatus() const;
  // ResourceExhausted, with a delay for the retry, while the load leaves no room for watches and
  // listings.
  absl::Status AdmitReader();
  absl::StatusOr<PositionEvidence> GetPosition(RunId run, const std::string& position) const;

  // Artefacts (artefact.proto). The change of a run's weights from version `have` to `version`
  // (KeptWeights::Delta); blocks while it is encoded or read. NotFound.
  absl::StatusOr<std::string> WeightsDelta(RunId run, uint32_t have, uint32_t version);
  // The number of workers with a session.
  uint64_t workers() const;

 private:
  // Threads and time (coordinator.cc).
  Moment MomentNow() const;
  void Perform(Effects& effects);
  void Maintain();
  // Returns true if the next tick should come at once.
  bool Tick();
  void WatchDisk();
  // Copies weights for runs with re-entry, and recomputes the copies after new priors.
  void CopyWeights();
  void NoteStorage(const absl::Status& status);

  // Games and leases on their way through the writer (coordinator_workers.cc).
  void WriteAndHandOut(Effects::Work work);
  void HandOut(const std::vector<Granted>& leases, const AcquireDone& done, AcquireOutput output,
               absl::Status status);
  void GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies);
  void GamesFailed(const Submission& submission, absl::Status status);
  static void GiveReplies(std::vector<SubmitReply>& replies);
  // The status, with a delay before the retry.
  absl::Status Postpone(absl::Status status);

  // Changes of runs and workers (coordinator_operator.cc).
  absl::StatusOr<std::string> ChangeState(RunId run, const std::string& state);
  // NotFound "unknown_worker" for a name that never joined.
  absl::Status CheckSeen(const std::string& worker) const;
  // Waits for a transaction that pays every debt made so far. Must not be called from a callback.
  absl::Status Flush();
  // Waits for the result that a job's `done` sets. Must not be called from a callback.
  absl::Status Await(std::future<absl::Status> written);

  // Constant after construction.
  const Options options_;
  const Rules& rules_;
  const Clock& clock_;
  const Clock& wall_;  // for people and rows; it may be set
  const std::string epoch_;
  const absl::Time started_;

  std::mutex create_mutex_;  // one CreateRun or ExtendRun at a time; taken before the gate's
  KeptWeights weights_;      // for runs with re-entry
  Gate gate_;
  Rebuilder rebuilder_;

  // Used by the maintenance thread, once that runs.
  Upkeep upkeep_;
  DiskWatch disk_watch_;
  Waker maintenance_waker_;

  // Used by the writer's thread.
  Payer payer_;
  GameWriter game_writer_;
  // Replies to the games of the last transaction, sent together so that their receivers are woken
  // once.
  std::vector<SubmitReply> replies_;

  std::unique_ptr<book::WalBackfill>
      backfill_;  // of the writer's commits; none without own threads
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Checkpointer> checkpointer_;
  std::thread maintenance_;
};

}  // namespace joseki::coordinator
