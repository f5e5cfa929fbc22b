#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/hash.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/pressure.h"
#include "coordinator/store/disk.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The coordinator without its wire: leases, selection, intake, the single writer. SQLite is the
// truth, memory the working copy; Start reads it back, so a killed coordinator goes on where its
// last commit was.
//
// Thread-safe. Verbs that must wait for a commit or for work take a callback, which runs exactly
// once, on the writer's or the maintenance thread or, where nothing has to be waited for, on the
// calling one, with no lock held; the others return at once.
// Nothing is acknowledged before it is committed with synchronous=FULL.
class Coordinator {
 public:
  struct Options {
    std::string db_path;
    absl::Duration acquire_wait = absl::Seconds(45);  // how long an Acquire is held
    absl::Duration lease_term = absl::Minutes(1);     // at least; pace.h
    uint32_t slots_per_lease = 256;                   // at most
    Pressure::Options pressure;                       // the Beats' interval, marks of the queue
    uint64_t seed = 0;                                // of the jitter of retries, and nothing else
    int attempts_per_line = 3;                        // lost_lines.h
    // Workers are quarantined whose results would come up with less than this chance if all played
    // alike (residuals.h); 0: never, they are only shown.
    double quarantine_outliers = 0;
    // How far the checkpoint of a run may lag behind: so long, and so many games. What a restart
    // has to read bounds the games; where they come slowly, moves are written once for many games.
    absl::Duration checkpoint = absl::Minutes(1);
    uint64_t checkpoint_games = 20'000;
    size_t checkpoint_rows = 250;  // written, and copied under the mutex, at once
    size_t batch_games = 4096;     // in one commit, at most; 1: each call commits by itself
    // How long a game waits for others to be committed with, where few come. What a lease waits for
    // is committed at once.
    absl::Duration gather = absl::ZeroDuration();
    DiskMarks disk_marks;
    // A book on a file system that other machines serve is refused unless this is set; then whoever
    // runs it answers for it that no other machine opens it.
    bool allow_network_file_system = false;
    // How the two are found out.
    std::function<absl::StatusOr<DiskSpace>(const std::string& path)> disk_space = SpaceFor;
    std::function<std::string(const std::string& path)> network_file_system = NetworkFileSystemOf;
    // What the dates of rows are by; null: the clock that all else goes by. That one should be a
    // steady one (base/steady_clock.h): a clock that is set would use up the time of runs.
    const Clock* wall = nullptr;
    bool own_threads = true;  // without: CoordinatorImpl::Step, for simulations
  };

  // Reads the database back, or makes an empty one, and starts the writer and maintenance threads.
  // Every lease that was live gets a full new term. FailedPrecondition "coordinator_running" if
  // another coordinator has the file open, "network_file_system" if its disk is another machine's.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options, const Rules& rules,
                                                            const Clock& clock = Clock::System());
  // Refuses new calls, commits what is queued, answers every held call, joins its threads.
  virtual ~Coordinator() = default;

  // Workers (proto/joseki/v1/worker.proto).
  virtual void Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done) = 0;
  virtual void Acquire(AcquireInput input,
                       std::function<void(absl::StatusOr<AcquireOutput>)> done) = 0;
  // Games are replayed on the calling thread, before the queue. Where slots are wanted, their
  // leases are granted after the games are committed, and the answer waits for both.
  virtual void Submit(SubmitInput input,
                      std::function<void(absl::StatusOr<SubmitOutput>)> done) = 0;
  virtual absl::StatusOr<BeatOutput> Beat(SessionId session,
                                          const std::vector<LeaseProgress>& progress) = 0;
  // For the status. Nothing if the session is unknown.
  virtual void NoteCost(SessionId session, const WorkerCost& cost) = 0;
  virtual void Leave(SessionId session, std::vector<SlotRef> unplayed,
                     std::function<void(absl::Status)> done) = 0;
  // Whose session it is; empty if unknown or superseded.
  virtual std::string WorkerOf(SessionId session) const = 0;

  // Operators (operator.proto). These block until the change is committed.
  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  virtual absl::StatusOr<CreatedRun> CreateRun(const RunSpec& spec,
                                               const std::string& request_id) = 0;
  // Keeps a shipped book (book/play_book.h) for runs whose opponent plays from it; its SHA-256.
  // "bad_snapshot" for other bytes, FailedPrecondition "empty_book".
  virtual absl::StatusOr<Sha256> PutBook(const std::string& bytes) = 0;
  virtual absl::StatusOr<std::string> PauseRun(RunId run) = 0;  // the new state
  virtual absl::StatusOr<std::string> ResumeRun(RunId run) = 0;
  virtual absl::StatusOr<std::string> StopRun(RunId run) = 0;
  // More to play, as RunState::Extend says; NotFound "unknown_run", FailedPrecondition
  // "book_changed" (where the same book is asked for) or "games_dropped".
  virtual absl::StatusOr<ExtendedRun> ExtendRun(RunId run, const MoreToPlay& more) = 0;
  // From the next lease on; weight 0 leaves it. The share now.
  virtual absl::StatusOr<Share> SetPriority(RunId run, uint32_t priority, uint32_t weight) = 0;
  // Gives lines out again that are left out because they failed, or withheld from somebody: one,
  // or, without it, all of the run's. What failed until now counts no more. How many there were;
  // NotFound "line_not_left_out" for one that is not.
  virtual absl::StatusOr<uint32_t> FreeLines(RunId run,
                                             const std::optional<std::vector<Move>>& line) = 0;
  // Empty = all, and all that come. How many of those that are connected it concerns.
  virtual int Drain(const std::string& worker) = 0;
  virtual int Undrain(const std::string& worker) = 0;
  virtual bool draining() const = 0;
  // How many of its leases ended. A worker that is blocked already stays so. NotFound
  // "unknown_worker" for a name that this book has never seen, unless `unseen` says that it is
  // meant.
  virtual absl::StatusOr<int> BlockWorker(const std::string& worker, const std::string& reason,
                                          bool unseen = false) = 0;
  // FailedPrecondition "not_blocked" if nothing of the worker is out.
  virtual absl::Status UnblockWorker(const std::string& worker, bool keep_games_out) = 0;

  // Readers (reader.proto). From memory; never wait for the writer.
  virtual ClusterStatus GetStatus(RunId run) const = 0;
  // ResourceExhausted, with when to come back, while watches and listings have to give way.
  virtual absl::Status AdmitReader() = 0;
  virtual absl::StatusOr<PositionEvidence> GetPosition(RunId run,
                                                       const std::string& position) const = 0;

  // Artefacts (artefact.proto). What leads a worker from version `have` of a run's weights to
  // `version`, as WeightsArchive::Delta gives it; blocks while it is encoded or read. NotFound.
  virtual absl::StatusOr<std::string> WeightsDelta(RunId run, uint32_t have, uint32_t version) = 0;
  // How many workers have a session.
  virtual uint64_t workers() const = 0;
};

}  // namespace joseki::coordinator
