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
// truth, memory the working copy; Start reads it back, so a killed coordinator goes on where its
// last commit was.
//
// Thread-safe. Verbs that must wait for a commit or for work take a callback; the others return at
// once. The callback runs exactly once, with no lock held: on the writer's or the maintenance
// thread, or on the calling one where nothing has to be waited for. Nothing is acknowledged before
// it is committed with synchronous=FULL.
//
// This class is the shell: threads, the writer, and a Gate to the tables. The meaning of an
// event is in coordinator/core/, which has none of these. Four kinds of threads come in:
//
//   callers       replay games, then change the tables and push jobs
//   the writer    commits, then applies what was committed and replies
//   maintenance   lets leases and waiting Acquires run out, writes checkpoints
//   rebuilding    computes a run's evidence anew when a worker's games leave it or come back, and
//                 the priors of large books
//
// A change in memory alone (an ended lease, a new stage, a poisoned line) is a debt to the database
// (coordinator/core/ledger.h). It is written last in the next transaction, whichever that is, so
// nothing that follows from it is committed before it.
class Coordinator {
 public:
  using Options = CoordinatorOptions;

  // Reads the database back, or makes an empty one, and starts the writer and maintenance threads.
  // Every lease that was live gets a full new term. FailedPrecondition "coordinator_running" if
  // another coordinator has the file open, "network_file_system" if its disk is another machine's.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options, const Rules& rules,
                                                            const Clock& clock = Clock::System());
  // Refuses new calls, commits what is queued, replies to every held call, joins its threads.
  ~Coordinator();

  // For simulations and Start, which take the lock and read the epoch. Open reads everything back
  // and starts the threads; it is called once, before any verb.
  Coordinator(Options options, const Rules& rules, const Clock& clock, book::FileLock lock,
              std::string epoch);
  absl::Status Open();
  // Does on the calling thread what writer and maintenance would do now. REQUIRES:
  // !Options::own_threads; then nothing else of this class happens but inside the verbs, which must
  // come from one thread.
  void Step();

  // Workers (proto/joseki/v1/worker.proto).
  void Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done);
  void Acquire(AcquireInput input, std::function<void(absl::StatusOr<AcquireOutput>)> done);
  // Games are replayed on the calling thread, before the queue. Where slots are wanted, their
  // leases are granted after the games are committed, and the reply waits for both.
  void Submit(SubmitInput input, std::function<void(absl::StatusOr<SubmitOutput>)> done);
  absl::StatusOr<BeatOutput> Beat(SessionId session, const std::vector<LeaseProgress>& progress);
  // For the status. Nothing if the session is unknown.
  void NoteCost(SessionId session, const WorkerCost& cost);
  void Leave(SessionId session, std::vector<SlotRef> unplayed,
             std::function<void(absl::Status)> done);
  // Whose session it is; empty if unknown or superseded.
  std::string WorkerOf(SessionId session) const;

  // Operators (operator.proto). These block until the change is committed.
  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  absl::StatusOr<CreatedRun> CreateRun(const RunSpec& spec, const std::string& request_id);
  // Keeps a shipped book (book/play_book.h) for runs whose opponent plays from it; its SHA-256.
  // "bad_snapshot" for other bytes, FailedPrecondition "empty_book".
  absl::StatusOr<Sha256> PutBook(const std::string& bytes);
  absl::StatusOr<std::string> PauseRun(RunId run);  // the new state
  absl::StatusOr<std::string> ResumeRun(RunId run);
  absl::StatusOr<std::string> StopRun(RunId run);
  // More to play, as RunState::Extend says; NotFound "unknown_run", FailedPrecondition
  // "book_changed" (where the same book is asked for) or "games_dropped".
  absl::StatusOr<ExtendedRun> ExtendRun(RunId run, const MoreToPlay& more);
  // From the next lease on; weight 0 leaves it. The share now.
  absl::StatusOr<Share> SetPriority(RunId run, uint32_t priority, uint32_t weight);
  // Gives lines out again that are left out because they failed, or withheld from somebody: one,
  // or, without it, all of the run's. What failed until now counts no more. How many there were;
  // NotFound "line_not_left_out" for one that is not.
  absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::vector<Move>>& line);
  // Empty = all, and all that come. How many of those that are connected it concerns.
  int Drain(const std::string& worker);
  int Undrain(const std::string& worker);
  bool draining() const;
  // How many of its leases ended. A worker that is blocked already stays so. NotFound
  // "unknown_worker" for a name that this book has never seen, unless `unseen` says that it is
  // meant.
  absl::StatusOr<int> BlockWorker(const std::string& worker, const std::string& reason,
                                  bool unseen = false);
  // FailedPrecondition "not_blocked" if nothing of the worker is out.
  absl::Status UnblockWorker(const std::string& worker, bool keep_games_out);

  // Readers (reader.proto). From memory; never wait for the writer.
  ClusterStatus GetStatus(RunId run) const;
  // The coordinator alone, without runs and workers.
  ClusterStatus GetOwnStatus() const;
  // ResourceExhausted, with when to come back, while watches and listings have to give way.
  absl::Status AdmitReader();
  absl::StatusOr<PositionEvidence> GetPosition(RunId run, const std::string& position) const;

  // Artefacts (artefact.proto). What leads a worker from version `have` of a run's weights to
  // `version`, as KeptWeights::Delta gives it; blocks while it is encoded or read. NotFound.
  absl::StatusOr<std::string> WeightsDelta(RunId run, uint32_t have, uint32_t version);
  // How many workers have a session.
  uint64_t workers() const;

 private:
  // Threads and time (coordinator.cc).
  Moment MomentNow() const;
  void Perform(Effects& effects);
  void Maintain();
  // True if the next one should come at once.
  bool Tick();
  void WatchDisk();
  // Makes copies that runs with re-entry want, and works them out.
  void CopyWeights();
  void NoteStorage(const absl::Status& status);

  // Games and leases on their way through the writer (coordinator_workers.cc).
  void WriteAndHandOut(Effects::Work work);
  void HandOut(const std::vector<Granted>& leases, const AcquireDone& done, AcquireOutput output,
               absl::Status status);
  void GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies);
  void GamesFailed(const Submission& submission, absl::Status status);
  static void GiveReplies(std::vector<SubmitReply>& replies);
  // The status, with a time after which the same call may be made again.
  absl::Status Postpone(absl::Status status);

  // Changes of runs and workers (coordinator_operator.cc).
  absl::StatusOr<std::string> ChangeState(RunId run, const std::string& state);
  // NotFound "unknown_worker" for a name that never joined.
  absl::Status CheckSeen(const std::string& worker) const;
  // Waits for a transaction that pays every debt made so far. Not from a callback.
  absl::Status Flush();
  // Waits for what a job's `done` will tell. Not from a callback.
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
  // To the games of the last transaction. Given all together, so that whoever sends them is woken
  // once.
  std::vector<SubmitReply> replies_;

  std::unique_ptr<book::WalBackfill>
      backfill_;  // of the writer's commits; none without own threads
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Checkpointer> checkpointer_;
  std::thread maintenance_;
};

}  // namespace joseki::coordinator
