#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/backoff.h"
#include "engine/core/rules.h"
#include "tests/simulation/world.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"
#include "worker/loop/slot_requests.h"

namespace joseki::testing {

// The network as one worker sees it: each call is one attempt that gets exactly one reply, at the
// latest a DeadlineExceeded error.
class SimNetwork {
 public:
  template <typename Reply>
  using Done = std::function<void(absl::StatusOr<Reply>)>;

  virtual ~SimNetwork() = default;
  virtual void Join(int worker, worker::JoinInput input, Done<worker::Session> done) = 0;
  virtual void Acquire(int worker, const worker::Session& session, worker::AcquireInput input,
                       Done<worker::AcquireOutput> done) = 0;
  // All games belong to one epoch. The reply may bring slots if `work` asks for any.
  virtual void Submit(int worker, worker::SessionId session,
                      std::vector<worker::FinishedGame> games, worker::AcquireInput work,
                      Done<worker::SubmitOutput> done) = 0;
  virtual void Beat(int worker, worker::SessionId session,
                    std::vector<worker::LeaseProgress> leases, Done<worker::BeatOutput> done) = 0;
  virtual void Leave(int worker, worker::SessionId session, std::vector<worker::SlotRef> unplayed,
                     Done<bool> done) = 0;
};

// Receives a simulated worker's reports.
class SimLedger {
 public:
  virtual ~SimLedger() = default;
  // The worker received the acknowledgement of a committed game.
  virtual void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) = 0;
  // The worker's game was refused because its epoch is lost.
  virtual void OfALostEpoch(const worker::FinishedGame& game) = 0;
  // The worker experienced something that an honest worker never may.
  virtual void Violation(const std::string& what) = 0;
};

// A worker as a state machine over the simulated network. It follows the protocol of
// worker::WorkLoop: one Acquire and one Submit at a time, beats, back-off, lost sessions and
// rejoining, drain and leave. Slots may come with the reply to a Submit, and leases are granted
// again if their reply was lost. Held leases, requests, referee and spool format are the real ones.
// Its disk loses unsynced data on a kill.
class SimWorker {
 public:
  enum class Kind {
    kOrdinary,
    kPlain,  // asks for slots by Acquire only, and sends no process identity
    kWrong,  // its engine plays other games than the others' for equal slots
  };
  SimWorker(int index, Kind kind, uint32_t slots, World& world, SimNetwork& network,
            SimLedger& ledger, const Rules& rules);

  void Start();
  // SIGKILL.
  void Kill();
  // SIGTERM: finishes its games, submits, leaves and ends.
  void Drain();
  // Suspends the worker for `duration`, as on a suspended machine.
  void Freeze(absl::Duration duration);

  bool running() const { return running_; }
  bool idle() const { return pending_.empty() && held_leases_.empty(); }
  size_t pending() const { return pending_.size(); }
  uint64_t faults = 0;  // games reported as faults

 private:
  struct Pending {
    uint64_t ticket = 0;
    worker::FinishedGame game;
  };

  // Runs `what` after `delay` unless this life has ended by then; a suspended worker does it later.
  void After(absl::Duration delay, std::function<void()> what);
  // Wraps the handler of a reply in the same way.
  template <typename Reply>
  std::function<void(absl::StatusOr<Reply>)> InThisLife(
      std::function<void(absl::StatusOr<Reply>)> done);
  void WithSession(std::function<void(const worker::Session&)> then);
  void Join();
  void Forget(worker::SessionId session);
  static bool IsUnknownSession(const absl::Status& status);
  static bool IsOtherEpoch(const absl::Status& status);

  // The work to ask for, by a Submit or an Acquire; one request at a time.
  worker::AcquireInput Ask();
  void Fetch();
  void TakeWork(const worker::Session& session, worker::AcquireOutput work);
  void StartGames();
  void Finish(const worker::Assignment& assignment);
  void Beat();

  void LoadSpool();
  void Append(worker::FinishedGame game);
  void SubmitSoon();
  void Submit();
  void SubmitAgain(absl::Duration after);
  // Drops these games from the spool.
  void Forget(const std::vector<Pending>& batch);
  void TakeVerdicts(const std::vector<Pending>& batch, std::vector<worker::GameVerdict> verdicts);
  void EndWhenDrained();

  const int index_;
  const Kind kind_;
  const uint32_t slots_;
  World& world_;
  SimNetwork& network_;
  SimLedger& ledger_;
  const Rules& rules_;
  Rng rng_;

  // The disk.
  std::string file_;
  size_t synced_ = 0;

  // State of this life.
  bool running_ = false;
  uint64_t life_ = 0;
  absl::Time frozen_until_ = absl::InfinitePast();
  bool draining_ = false;
  bool leaving_ = false;
  absl::Time drain_until_;
  std::optional<worker::Session> session_;
  bool joining_ = false;
  std::vector<std::function<void(const worker::Session&)>> waiting_for_session_;
  worker::HeldLeases held_leases_;
  std::optional<worker::SlotRequests> requests_;
  uint64_t process_ = 0;
  bool fetching_ = false;
  bool submitting_ = false;
  bool submit_due_ = false;
  std::deque<Pending> pending_;
  uint64_t next_ticket_ = 1;
  std::optional<Backoff> join_backoff_, fetch_backoff_, submit_backoff_;
};

}  // namespace joseki::testing
