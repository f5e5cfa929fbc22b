#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "base/rng.h"
#include "cli/load/latency.h"
#include "cli/load/payload.h"
#include "cli/load/timers.h"
#include "worker/coordinator_client.h"
#include "worker/coordinator_port.h"

namespace joseki::cli {

// Workers without engines: each takes leases through the library of real workers, over a connection
// of its own, and submits games of a LoadPayload. Like a real worker, each has at most one Acquire
// and one Submit in flight, and at most one of them asks for slots.
// They share their cores with the coordinator under test, and so have no threads. Each next step
// begins in the callback of a call or a timer.
class LoadWorkers {
 public:
  struct Options {
    int workers = 64;
    int games_per_call = 1;
    int seats_per_worker = 64;  // slots acquired ahead and not yet submitted
    double rate = 0;            // games per second of all workers; 0: as fast as replies come
    // Whether slots are asked for by Acquire alone. Else, as a real worker does, by Submit where
    // there are games to submit.
    bool acquire_apart = false;
    // Rates of faults as shares of the calls, 0 to 1. A lost reply never reaches the worker, which
    // repeats the call. A duplicate call is sent twice at once. A reordered batch is sent after the
    // worker's next call.
    double lost_replies = 0;
    double duplicates = 0;
    double reorder = 0;
    uint64_t seed = 1;
  };
  using MakeClient = std::function<std::unique_ptr<worker::AsyncCoordinatorClient>(int worker)>;

  LoadWorkers(Options options, LoadPayload& payload, MakeClient make_client);
  ~LoadWorkers();
  LoadWorkers(const LoadWorkers&) = delete;
  LoadWorkers& operator=(const LoadWorkers&) = delete;

  void Start();
  // Turns the counting of calls on or off.
  void Measure(bool on) { measuring_ = on; }
  // Starts no further calls, and finishes or cancels those in flight.
  void Stop();

  // Games acknowledged as committed, each counted once.
  uint64_t accepted() const { return accepted_; }

  using Key = std::pair<worker::LeaseId, uint32_t>;  // lease and slot
  struct Totals {
    Latencies acknowledged;  // by Submit; with a rate, from the time when the call was due
    Latencies acquired;
    uint64_t games = 0;                            // new ones, in measured calls
    uint64_t plies = 0;                            // of these
    std::map<worker::Verdict, uint64_t> verdicts;  // of all calls
    uint64_t failed_calls = 0;                     // ended by an error, and retried
    uint64_t lost_replies = 0;
    uint64_t duplicates = 0;
    uint64_t reordered = 0;
    absl::Status first_failure;  // why a worker could not join
    std::string first_refusal;   // reason of the first game that was refused
    std::vector<Key> committed;  // games that the replies report as committed
  };
  // REQUIRES: Stop was called.
  Totals Collect();

 private:
  struct Work {
    worker::RunId run = 0;
    worker::LeaseId lease = 0;
    worker::Slot slot;
  };
  // Games to submit in one call, and the faults to inject.
  struct Batch {
    std::vector<worker::FinishedGame> games;
    absl::Time due;
    int attempt = 0;
    bool measured = false;
    bool lost = false;   // whether the first reply gets lost
    bool twice = false;  // whether it is sent twice
    bool asks = false;   // whether the attempt in flight asks for slots
  };
  struct Worker {
    Worker(int number, const Rng& rng);

    const int number;
    std::unique_ptr<worker::AsyncCoordinatorClient> client;
    std::mutex mutex;
    // Guarded by mutex.
    std::shared_ptr<const worker::Session> session;
    bool joining = false;   // a Join is in flight, or the pause after one
    bool fetching = false;  // an Acquire is in flight, the pause after one, or a Submit that asks
                            // for slots
    bool sending = false;   // `batch` is in flight, or waits for its time
    bool resend = false;    // `batch` waits for a session
    std::deque<Work> stock;
    std::set<worker::RunId> runs;
    std::optional<worker::LeaseId> newest_lease;
    Batch batch;
    std::vector<worker::FinishedGame> put_off;  // sent after the next batch
    Rng rng;
    Backoff join_backoff;
    Backoff fetch_backoff;
    Backoff send_backoff;
    Totals totals;
  };
  using Lock = std::unique_lock<std::mutex>;

  // REQUIRES, for each of the following: the caller holds the worker's mutex.

  // Starts the calls that are possible: a Join, or an Acquire and a Submit.
  void Continue(Worker& worker);
  void Join(Worker& worker);
  // Whether the stock has room for enough slots to ask for more.
  bool NeedsSlots(const Worker& worker) const;
  worker::AcquireInput Wish(const Worker& worker) const;
  void Fetch(Worker& worker);
  void Joined(Worker& worker, absl::StatusOr<worker::Session> session);
  void Fetched(Worker& worker, const worker::Session& session, absl::Time began,
               absl::StatusOr<worker::AcquireOutput> work);
  void AddStock(Worker& worker, worker::AcquireOutput work);
  // Fills `batch` from the stock. False if there are not enough slots.
  bool TakeBatch(Worker& worker);
  void SendNext(Worker& worker);
  void Deliver(Worker& worker);
  void SendFirst(Worker& worker);
  void Send(Worker& worker);
  void Sent(Worker& worker, const worker::Session& session,
            absl::StatusOr<worker::SubmitOutput> reply);
  void Note(Worker& worker, const std::vector<worker::GameVerdict>& verdicts);
  static void Forget(Worker& worker, const worker::Session& session, const absl::Status& status);
  // Calls `then` after `wait`, with the mutex held, unless Stop comes first.
  void After(Worker& worker, absl::Duration wait, std::function<void()> then);

  const Options options_;
  LoadPayload& payload_;
  const MakeClient make_client_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> measuring_ = false;
  std::atomic<uint64_t> accepted_ = 0;
  std::atomic<uint64_t> arrivals_ = 0;
  absl::Time began_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<Timers> timers_;  // from Start to Stop
};

}  // namespace joseki::cli
