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

// Workers that play nothing: each takes leases through the library that real workers use, over a
// connection of its own, and hands in games of a LoadPayload. As in a real one, one Acquire and one
// Submit at most are under way at a time, and one of them at most asks for slots. They share their
// cores with the coordinator that they measure, so they have no threads: what is to be done next is
// begun when a call gets its reply or a timer goes off.
class LoadWorkers {
 public:
  struct Options {
    int workers = 64;
    int games_per_call = 1;
    int seats_per_worker = 64;  // acquired ahead and not yet handed in
    double rate = 0;            // games a second of all workers; 0: as fast as replies come
    // Slots are always asked for by an Acquire. Otherwise, as by a real worker, with the games that
    // are handed in, where there are any.
    bool acquire_apart = false;
    // Shares of the calls, 0 to 1. A lost reply is one that the worker never sees: the call is
    // broken off and sent again. A duplicate is sent twice at once. What is put off is sent after
    // the worker's next call.
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
  // Whether calls are counted from now on.
  void Measure(bool on) { measuring_ = on; }
  // No further calls; those that run are finished or broken off.
  void Stop();

  // Games acknowledged as committed, in all, of those that were new.
  uint64_t accepted() const { return accepted_; }

  using Key = std::pair<worker::LeaseId, uint32_t>;  // lease and slot
  struct Totals {
    Latencies acknowledged;  // of Submit; with a rate, from when the call was due
    Latencies acquired;
    uint64_t games = 0;                            // new ones, in measured calls
    uint64_t plies = 0;                            // of these
    std::map<worker::Verdict, uint64_t> verdicts;  // of all calls
    uint64_t failed_calls = 0;                     // ended by an error, and tried again
    uint64_t lost_replies = 0;
    uint64_t duplicates = 0;
    uint64_t reordered = 0;
    absl::Status first_failure;  // why a worker could not join
    std::string first_refusal;   // the reason of the first game that was not taken
    std::vector<Key> committed;  // what the replies said is in the database
  };
  // After Stop.
  Totals Collect();

 private:
  struct Work {
    worker::RunId run = 0;
    worker::LeaseId lease = 0;
    worker::Slot slot;
  };
  // Games on their way, and what shall go wrong with them.
  struct Batch {
    std::vector<worker::FinishedGame> games;
    absl::Time due;
    int attempt = 0;
    bool measured = false;
    bool lost = false;   // the first reply is
    bool twice = false;  // sent so
    bool asks = false;   // for slots, in the attempt that is under way
  };
  struct Worker {
    Worker(int number, const Rng& rng);

    const int number;
    std::unique_ptr<worker::AsyncCoordinatorClient> client;
    std::mutex mutex;
    // Guarded by mutex.
    std::shared_ptr<const worker::Session> session;
    bool joining = false;   // a call is under way, or the pause after one
    bool fetching = false;  // the same, or a Submit that asks for slots is
    bool sending = false;   // `batch` is under way, or waits for its time
    bool resend = false;    // `batch` waits for a session
    std::deque<Work> stock;
    std::set<worker::RunId> runs;
    std::optional<worker::LeaseId> newest_lease;
    Batch batch;
    std::vector<worker::FinishedGame> put_off;  // sent after the next
    Rng rng;
    Backoff join_backoff;
    Backoff fetch_backoff;
    Backoff send_backoff;
    Totals totals;
  };
  using Lock = std::unique_lock<std::mutex>;

  // Each of the following is called with the worker's mutex.

  // Begins what can be begun: a Join, or an Acquire and a Submit.
  void Continue(Worker& worker);
  void Join(Worker& worker);
  // Whether so much of its stock is gone that more should be asked for.
  bool NeedsSlots(const Worker& worker) const;
  worker::AcquireInput Wish(const Worker& worker) const;
  void Fetch(Worker& worker);
  void Joined(Worker& worker, absl::StatusOr<worker::Session> session);
  void Fetched(Worker& worker, const worker::Session& session, absl::Time began,
               absl::StatusOr<worker::AcquireOutput> work);
  void AddStock(Worker& worker, worker::AcquireOutput work);
  // False if there are not enough slots.
  bool TakeBatch(Worker& worker);
  void SendNext(Worker& worker);
  void Deliver(Worker& worker);
  void SendFirst(Worker& worker);
  void Send(Worker& worker);
  void Sent(Worker& worker, const worker::Session& session,
            absl::StatusOr<worker::SubmitOutput> reply);
  void Note(Worker& worker, const std::vector<worker::GameVerdict>& verdicts);
  static void Forget(Worker& worker, const worker::Session& session, const absl::Status& status);
  // Calls `then` with the mutex after `wait`, unless it is stopped by then.
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
