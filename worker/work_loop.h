#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "base/rng.h"
#include "book/reentry.h"
#include "engine/core/rules.h"
#include "worker/coordinator_port.h"
#include "worker/held_leases.h"
#include "worker/play/cost.h"
#include "worker/play/player.h"
#include "worker/spool.h"

namespace joseki::worker {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
// Receives one event, "name key=value ...". Called on any thread.
using LogSink = std::function<void(LogLevel, const std::string&)>;

// Makes the player of a run's games for seat number `seat`, counted from 0, on that seat's own
// thread. Thread-safe. An error names what the run requires in vain.
using PlayerFactory =
    std::function<absl::StatusOr<std::unique_ptr<Player>>(const PlaySpec&, size_t seat)>;

// Gets the book that a slot of a run with re-entry follows. Blocks, calls `progress` regularly
// while bytes arrive, and returns Cancelled soon after `stop`. Thread-safe.
using BookProvider = std::function<absl::StatusOr<std::shared_ptr<const book::AnswerBook>>(
    const Assignment& assignment, const std::function<void()>& progress, std::stop_token stop)>;

// Decides whether to retry an untrusted coordinator. The first failure is not final, since the
// certificate may be about to be replaced. Ten in a row, some minutes with the usual back-off, mean
// that the coordinator or our own certificate belongs to another cluster.
class Mistrust {
 public:
  static constexpr int kMost = 10;

  // To be called after each failed call.
  bool IsFinal(const absl::Status& status);

 private:
  int times_ = 0;
};

// The main loop of a worker: fetches slots, plays them, and submits the games, until it is drained.
//
// Threads, all started and joined by Run:
// - one per slot, which plays one game at a time with a player of its own;
// - fetch, with at most one Acquire outstanding;
// - submit, with at most one Submit outstanding;
// - beat.
// They share the held leases and the spool. Only the spool must survive a kill.
//
// All retries of the worker are here. Any error of the port is retried without limit, with jittered
// back-off and not sooner than the error asks for. Two errors end the loop: a refusal to Join, and
// a coordinator that is repeatedly not our authority's (Mistrust). After a lost session the worker
// joins again, at a time that a hash of its name picks, and held leases continue. A changed epoch
// is another database, so held leases are dropped.
//
// Slots come with the replies to Submit, or by Acquire if there is nothing to submit, but never by
// both at once. After a Join the spool's games are sent before any slot is requested.
class WorkLoop {
 public:
  struct Options {
    JoinInput join;
    size_t batch_games = 32;
    uint64_t batch_bytes = uint64_t{64} << 10;
    absl::Duration batch_delay = absl::Seconds(1);   // after the first game of a batch
    absl::Duration drain_grace = absl::Seconds(30);  // for games in play
    absl::Duration flush_grace = absl::Seconds(10);  // then for games that wait for a reply
    absl::Duration exit_when_idle = absl::InfiniteDuration();  // leave after this long without work
    // The delay after a player that could not be made, or a game that ended by a fault. Doubles up
    // to backoff.most, until a game is played to its end.
    absl::Duration player_retry = absl::Seconds(1);
    Backoff::Options backoff;
    uint64_t seed = 0;  // of the back-off's jitter
  };

  // All arguments must outlive the loop.
  WorkLoop(Options options, RulesFinder rules_of, PlayerFactory make_player, CoordinatorPort& port,
           Spool& spool, LogSink log, BookProvider books = nullptr);

  // Works until it is drained by Drain, by the coordinator, or by idleness; blocks. OK after a
  // clean end: every game submitted, every other slot given back. Otherwise an error; unsubmitted
  // games stay in the spool. REQUIRES: called once.
  absl::Status Run();

  // Takes no new slot, finishes the games that end within the grace, and gives the rest back.
  // Callable from any thread.
  void Drain();
  // Aborts the games and leaves without notice: their slots are granted again when the leases
  // expire. Callable from any thread.
  void Interrupt();

  // Cost of the worker's process up to now. Callable from any thread.
  WorkerCost cost() const { return meter_.Read(); }

 private:
  // Modes in order of progress; the loop never goes back.
  enum class Mode { kWork, kFinishHeld, kFinishPlaying, kStop };

  // The players of a slot's games: one for both sides, or one for the run's side and one for the
  // opponent's.
  struct Crew {
    std::unique_ptr<Player> player;
    PlaySpec opponent_play;
    std::unique_ptr<Player> opponent;  // null: none
  };

  // The game in play on a slot's thread; guarded by mutex_.
  struct Seat {
    Player* player = nullptr;
    std::shared_ptr<SharedLease> state;
  };

  void FetchLoop();
  void SubmitLoop();
  void BeatLoop();
  void SeatLoop(size_t seat);

  void Advance(Mode mode);
  void Fail(absl::Status status);

  // The session; joins if there is none. Blocks; Cancelled after `stop`, even while another thread
  // is joining.
  absl::StatusOr<Session> CurrentSession(std::stop_token stop);
  // Retries until it is admitted, refused or stopped. Waits first, for a time within `spread`.
  absl::StatusOr<Session> Join(absl::Duration spread, const std::stop_token& stop);
  void Adopt(const Session& session);
  // Handles an error of a call made in `session`: forgets a session that the coordinator does not
  // know. Returns true if the call is to be repeated at once.
  bool Forget(SessionId session, const absl::Status& status);

  void TakeWork(const Session& session, AcquireOutput work);
  std::optional<Assignment> NextAssignment();
  // The book of a slot with re-entry, retried until it is here. Null: the game is no longer wanted,
  // or there are no books here.
  std::shared_ptr<const book::AnswerBook> AwaitBook(const Assignment& assignment);
  // nullopt: aborted, because the loop or the coordinator no longer wants the game.
  std::optional<FinishedGame> PlayAssignment(size_t seat, const Assignment& assignment,
                                             const Crew& crew, const book::AnswerBook* book);
  void Dismiss(size_t seat, Crew& crew);
  absl::StatusOr<Crew> MakeCrew(const PlaySpec& play, size_t seat) const;
  void FinishAssignment(const Assignment& assignment, std::optional<FinishedGame> game);
  // Submits the batch, handles its verdicts, and takes the slots in the reply. An error leaves the
  // batch pending.
  absl::Status SubmitBatch(const Session& session, const std::vector<Spool::Entry>& batch);
  // Makes the next request for slots, if any; they count as requested until EndAsking.
  AcquireInput Ask();
  void EndAsking();
  // Waits until the mode changes. Advances it if the worker has been idle for exit_when_idle, even
  // if the coordinator still holds a call for work.
  void WaitWhileThereIsWork(std::unique_lock<std::mutex>& lock);
  // Time since the last lease was held.
  absl::Duration IdleFor();
  void Acknowledge(const std::vector<Spool::Entry>& batch);
  void AbandonLease(LeaseId lease);
  void NoteRoom();

  // Waits this long, or until `stop`; returns false after `stop`.
  bool Pause(absl::Duration duration, const std::stop_token& stop);
  // Waits before a call that failed with `status` is retried. Returns early when the worker has
  // joined again, since there is a coordinator then. Returns false after `stop`.
  bool PauseAfter(const absl::Status& status, absl::Duration wait, const std::stop_token& stop);
  // The wait after an error: the back-off, or longer if the error asks for it.
  static absl::Duration WaitAfter(const absl::Status& status, Backoff& backoff, Rng& rng);

  // REQUIRES, for the functions below: mutex_ is held.
  size_t Wanted() const;
  bool MayFetch() const;
  void StopPlayers();

  // Constant after construction.
  const Options options_;
  const RulesFinder rules_of_;
  const PlayerFactory make_player_;
  CoordinatorPort& port_;
  Spool& spool_;
  const LogSink log_;
  const BookProvider books_;
  CostMeter meter_;

  std::stop_source fetch_stop_;  // from kFinishHeld on
  std::stop_source stop_;        // from kStop on, and at the end of Run

  // Guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable changed_;
  Mode mode_ = Mode::kWork;
  bool breaking_off_ = false;
  bool done_ = false;
  absl::Status failure_;
  std::optional<Session> session_;
  bool joining_ = false;  // one thread at a time
  uint64_t joins_ = 0;
  bool lost_session_ = false;           // the next Join follows a lost session
  std::optional<absl::Duration> beat_;  // from the last Beat
  absl::Duration spread_;
  bool asking_ = false;       // for slots, by an Acquire or a Submit
  bool backlog_ = false;      // games that the spool held at the last Join are not sent yet
  uint32_t ahead_ = 0;        // from the coordinator; 0: choose
  absl::Time worked_;         // the last time with work
  absl::Time asked_;          // the last time of a request
  LeaseId newest_lease_ = 0;  // of this epoch
  std::string epoch_;
  std::map<RunId, std::shared_ptr<const PlaySpec>> runs_;
  HeldLeases held_leases_;
  std::vector<Seat> seats_;
  std::vector<SlotRef> unplayed_;
  absl::Status room_;
};

}  // namespace joseki::worker
