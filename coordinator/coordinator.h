#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "book/database/file_lock.h"
#include "book/database/wal_backfill.h"
#include "coordinator/core/ledger.h"
#include "coordinator/disk_watch.h"
#include "coordinator/model/messages.h"
#include "coordinator/options.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/scheduling/fair_share.h"
#include "coordinator/scheduling/fault_rates.h"
#include "coordinator/scheduling/lease_pace.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/pressure.h"
#include "coordinator/scheduling/rate_meter.h"
#include "coordinator/scheduling/residuals.h"
#include "coordinator/scheduling/session_table.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/scheduling/verification.h"
#include "coordinator/scheduling/wait_list.h"
#include "coordinator/store/writer.h"
#include "coordinator/submission.h"
#include "coordinator/table_mutex.h"
#include "engine/core/rules.h"
#include "proto/limits.h"

namespace joseki::coordinator {

// The coordinator without its wire: leases, selection, intake, the single writer. SQLite is the
// truth, memory the working copy; Start reads it back, so a killed coordinator goes on where its
// last commit was.
//
// Thread-safe. Verbs that must wait for a commit or for work take a callback, which runs exactly
// once, on the writer's or the maintenance thread or, where nothing has to be waited for, on the
// calling one, with no lock held; the others return at once.
// Nothing is acknowledged before it is committed with synchronous=FULL.
//
// Inside, four kinds of threads come in:
//
//   callers       replay games, then change the tables and push jobs
//   the writer    commits, then applies what was committed and replies
//   maintenance   lets leases and waiting Acquires run out, writes checkpoints
//   rebuilding    computes a run's evidence anew when a worker's games leave it or come back, and
//                 the priors of large books
//
// One mutex guards all tables and is held for microseconds, at most about one millisecond; never
// while a callback runs, SQLite works or a game is replayed. What takes longer lets others have it
// in between (TableMutex::LetOthers). What must be called without it is gathered in `Calls` and run
// after. Lock order: mutex_, then the writer's own.
//
// What changes in memory alone (an ended lease, a new stage, a poisoned line) is a debt to the
// database: it is written first in the next transaction, whichever that is, so nothing that follows
// from it is committed before it.
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
  // Of the coordinator alone, without runs and workers.
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
  using Calls = std::vector<std::function<void()>>;

  struct Run {
    RunState state;
    std::string request_id;
    RateMeter rate;
    uint64_t duplicates = 0;  // since this coordinator started
    uint64_t conflicts = 0;   // that were kept
    Verification verification = Verification(0, 0);
    uint64_t copies = 0;      // copies that were the same game
    uint64_t mismatches = 0;  // and others
    uint32_t servers = 0;     // sessions that were heard of lately, can serve it and do not drain
    absl::Time swept = absl::InfinitePast();  // when its checkpoint was last begun
  };
  // What came of a worker's games, and of its copies of others', since this coordinator started.
  struct WorkerTally {
    uint64_t copies = 0;
    uint64_t mismatches = 0;
    uint32_t conflicts = 0;  // that were kept
  };
  // A worker that Join turned away.
  struct Refused {
    uint32_t seats = 0;
    std::string build;
    std::string reason;
    absl::Time seen;
  };
  struct Sweep;

  // Start-up (coordinator.cc).
  absl::Status RestoreRun(book::Store& store, RunStore& rows, RunId run, Graphs& graphs);
  absl::Status PayDebt(RunStore& rows);
  void DebtPaid(bool committed);
  void SetStorageHealth(const absl::Status& status);

  // Maintenance (coordinator.cc).
  void Maintain();
  void Tick(Calls& calls);
  void ExpireLeases(absl::Time now);
  void AddPlayedTime(absl::Time now);
  void TimeOutWaiters(absl::Time now, Calls& calls);
  // Looks at every session, some at a time: who serves what, who was heard of lately.
  void CountServers(absl::Time now);
  // Makes copies that runs with re-entry want, and works them out. Without mutex_.
  void CopyWeights();

  // Room on the disk, and the lock. The first without mutex_, of the maintenance thread; the second
  // with it.
  void CheckDisk();
  absl::Status RefuseOnFullDisk() const;

  // Checkpoints (coordinator_checkpoint.cc). The first three with mutex_ held, the next with or
  // without it, the others on the writer's thread without it. The second leaves the work for later,
  // the third does it.
  bool SweepIsDue(const Run& run, absl::Time now) const;
  void StartSweep(Run& run, Calls& calls);
  void SweepNow(Run& run);
  void PushSlice(std::shared_ptr<Sweep> sweep);
  absl::Status WriteSlice(Sweep& sweep, RunStore& rows);
  void SliceWritten(const std::shared_ptr<Sweep>& sweep, const absl::Status& status);

  // The rest is called with mutex_ held unless it says otherwise.
  void EndLeases(const std::vector<LeaseTable::Ended>& ended, LeaseState state);
  // After anything happened to a run: its next stage, and what the database is owed of it.
  void FollowUp(Run& run, bool changed = false);
  void ServeWaiters(Calls& calls);
  // Replies to the session's held call, if there is one, with what it will get: nothing.
  void ReplyToHeld(SessionId session, const absl::StatusOr<AcquireOutput>& reply, Calls& calls);
  // A session that is new, or a run that is or runs again: who serves which.
  void FindServed(Session& session);
  void FindServers(RunId run);
  // Whether the session stands in the `servers` of the runs that it serves.
  void CountAsServer(Session& session, bool counts);
  bool MustDrain(const Session& session) const;
  void NoteLoad(absl::Time now);
  // The session that a Join has opened; fences the worker's earlier one.
  void OpenSession(const SessionRow& row, const JoinInput& input, Calls& calls);
  // What an Acquire is told at once, before work is looked for; nullopt: nothing.
  std::optional<absl::StatusOr<AcquireOutput>> ReplyAtOnce(const AcquireInput& input);
  // Leases that were handed out to the session's process in a reply that never came.
  std::optional<AcquireOutput> LostLeases(const Session& session, const AcquireInput& input) const;
  GamePlace Locate(const SubmittedGame& game) const;
  // What the committed item means, in the tables and for the worker; `session` may be null.
  GameVerdict Apply(const SubmittedItem& item, Session* session);
  void ApplyEvaluation(Run& run, const SubmittedItem& item, bool open);
  // Charges a fault to its worker first, and quarantines one that breaks most of what it is given.
  void NoteFault(const GameRow& game);
  // Where the worker says that it cannot play the run: it gets no more of it in this session.
  void NoteCannotPlay(Session& session, const GameRow& game);
  // Runs with slots to give.
  std::vector<RunId> AvailableRuns() const;
  // Grants some of what there is for the session: as many slots as can be planned in the time that
  // others may have to wait. False if there is nothing (more).
  bool GrantSome(Granting& granting);
  static absl::Status WriteLeases(const std::vector<Granted>& leases, Writer::Batch& batch);
  // The leases are handed out by `done` after their commit. Also without mutex_.
  void WriteAndHandOut(Granting granting, AcquireDone done, Calls& calls);
  // Both. How many slots; 0, and `done` is not taken, if there is nothing.
  uint32_t TryGrant(const AcquireInput& input, const AcquireDone& done, Calls& calls);
  // Replies to a committed Submit that wants slots too.
  void ReplyWithWork(Submission& submission, std::vector<GameVerdict> verdicts, Calls& calls);
  // What every slot of the run shares, as a worker is told.
  static PlaySpec PlayOf(const Run& run);
  LeasePace PaceOf(const Run& run, const Session& session) const;
  RunStatus StatusOf(const Run& run, absl::Time now) const;
  // Of the clock, but never going back.
  absl::Time Now();
  Run* FindRun(RunId run);
  const Run* FindRun(RunId run) const;

  // Verification and trust (coordinator_trust.cc).
  absl::Status RestoreCopies(RunStore& rows, Run& run, const std::vector<CopyRow>& copies);
  void Restore(const std::vector<TrustChange>& changes);
  // Slots of other workers' games and new ones, as they come: nothing tells them apart.
  std::vector<PlannedSlot> PlanSlots(Run& run, const Session& session, LeaseId lease,
                                     uint32_t most);
  bool MayServe(const Session& session, const Run& run) const;
  // Whether the session could play somebody's game again now.
  bool HasCopies(const Run& run, const Session& session) const;
  bool IsThere(const Session& session) const;
  bool IsAlone(const Run& run, const std::string& worker) const;
  // The run must not end yet: a game is being verified or could be, or evidence is computed anew.
  bool MustWait(const Run& run) const;
  void LoseCopies(Run& run, const std::vector<PlannedSlot>& slots);
  // The game was credited; `expectation` as RunState::Credit returned it.
  void Observe(Run& run, const SubmittedItem& item, const std::optional<Expectation>& expectation);
  // The game or search was committed: another worker may have to make it again.
  void OfferToOthers(Run& run, const SubmittedItem& item);
  void ApplyCopy(Run& run, const SubmittedItem& item);
  // How many leases ended; 0 if the worker was blocked already.
  int Quarantine(const std::string& worker, const std::string& reason, bool automatic);
  // Without mutex_. NotFound "unknown_worker" for a name that never joined.
  absl::Status CheckSeen(const std::string& worker) const;
  void Change(TrustChange change);
  void QuarantineOutliers();
  // FailedPrecondition "engine" where the worker has an engine that a run wants, but another one of
  // that name, and no other run is left for it to serve.
  absl::Status CheckEngines(const JoinInput& input);
  // "name_in_use" where another worker of that name is at work: Unavailable while that is not sure.
  absl::Status CheckAlone(const JoinInput& input);
  std::string WhyNotServed(const Session& session) const;
  // How many workers cannot play for the run, and what they lack. Looks at every session.
  std::string WhyNotServed(const Run& run) const;
  void AddTrust(const Run& run, RunStatus& status) const;
  // Some sessions after `last`; the last of them, or nullopt where there were no more.
  std::optional<SessionId> AddSessions(ClusterStatus& status, SessionId last,
                                       const Residuals::Yardstick& yardstick, absl::Time now) const;
  // Workers without a session of which something is to be told.
  void AddOtherWorkers(ClusterStatus& status, const Residuals::Yardstick& yardstick,
                       absl::Time now) const;
  void AddTrust(const Residuals::Yardstick& yardstick, WorkerStatus& worker) const;
  // How long a worker may say nothing; one whose Acquire is held does for that long.
  absl::Duration Silence() const { return options_.acquire_wait + 3 * pressure_.beat(); }

  // Without mutex_.
  void Rebuild();
  // Rebuilds one run whose evidence is of an earlier trust; false if there is none.
  bool RebuildOne();
  // Makes the priors of one run where they are due; false if they are nowhere.
  bool MakePriors();
  // A refusal that says when to come back.
  absl::Status Later(absl::Status status);
  absl::Status Later(absl::Status status, const std::lock_guard<TableMutex>& lock);
  // An error is no fault of the game's: it should be sent again.
  absl::StatusOr<SubmittedItem> Examine(const std::string& worker, SubmittedGame&& game,
                                        GamePlace&& place);
  // Grants what a Submit wants before its games count, so that one commit has both, unless others
  // wait for it. False if the worker would have to wait if the commit did.
  bool GrantWithGames(Submission& submission);
  absl::Status WriteGames(Submission& submission, Writer::Batch& batch);
  absl::Status WriteEvaluation(SubmittedItem& item, Writer::Batch& batch);
  // Whether a conflict of the worker that sent it is still news. On the writer's thread.
  bool KeepsConflicts(const GameRow& game) const;
  // What the games mean is done at once, the reply is left in `replies`.
  void GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies);
  void GamesFailed(const Submission& submission, absl::Status status);
  static void GiveReplies(std::vector<SubmitReply>& replies);
  // `output` is all but the leases.
  void HandOut(const std::vector<Granted>& leases, const AcquireDone& done, AcquireOutput output,
               absl::Status status);
  absl::StatusOr<std::string> ChangeState(RunId run, const std::string& state);
  // Waits for a transaction that pays every debt made so far. Not from a callback.
  absl::Status Flush();
  // Waits for what a job's `done` will tell. Not from a callback.
  absl::Status Await(std::future<absl::Status> written);
  // For people and rows: of the wall clock, which may be set.
  int64_t NowMs() const { return absl::ToUnixMillis(wall_.Now()); }
  static void RunCalls(Calls& calls);
  absl::Status Busy();
  static absl::Status ShuttingDown();
  static absl::Status UnknownSession(SessionId session);

  // Constant after construction.
  const Options options_;
  const Rules& rules_;
  const Clock& clock_;
  const Clock& wall_;
  const std::string epoch_;
  const absl::Time started_;

  mutable TableMutex mutex_;
  // Guarded by mutex_.
  LeaseTable leases_;
  SessionTable sessions_;
  std::map<RunId, Run> runs_;
  WaitList waiters_;
  FairShare shares_;
  Pressure pressure_;
  Rng rng_;                        // of the jitter
  std::set<std::string> drained_;  // workers
  Ledger ledger_;
  RunStore::Marks marks_;
  std::set<RunId> sweeping_;  // whose checkpoint is being written
  bool draining_ = false;
  bool stopping_ = false;
  std::string storage_problem_;  // empty: writing works
  Trust trust_;
  Residuals residuals_;
  FaultRates fault_rates_;
  std::map<std::string, Refused> refused_;             // by worker
  std::map<std::string, WorkerTally> worker_tallies_;  // by worker
  std::condition_variable_any rebuild_wake_;
  std::string disk_problem_;  // empty: there is plenty of room
  DiskLevel disk_level_ = DiskLevel::kPlenty;
  absl::Time latest_;
  absl::Time last_tick_;
  absl::Time last_chores_;
  absl::Time last_count_ = absl::InfinitePast();
  bool tick_again_ = false;      // at once: more was to be done than may be with the mutex
  bool expiry_stopped_ = false;  // by load: nobody may lose a lease for what was not looked at
  std::condition_variable_any wake_;

  DiskWatch disk_watch_;  // of the maintenance thread, once that runs
  Debt paying_;           // of the writer's thread: in the open transaction
  // The same: conflicts that were kept, by run and worker.
  std::map<std::pair<RunId, std::string>, uint32_t> conflicts_now_;
  // Of the writer's thread: to the games of the last transaction. Given all together, so that
  // whoever sends them is woken once.
  std::vector<SubmitReply> replies_;

  std::mutex create_mutex_;  // one CreateRun or ExtendRun at a time; taken before mutex_

  KeptWeights weights_;  // of runs with re-entry

  std::unique_ptr<book::WalBackfill>
      backfill_;  // of the writer's commits; none without own threads
  std::unique_ptr<Writer> writer_;
  std::thread maintenance_;
  std::stop_source stop_rebuilding_;
  std::thread rebuilding_;
};

}  // namespace joseki::coordinator
