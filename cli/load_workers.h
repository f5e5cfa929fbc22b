#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/rng.h"
#include "cli/latency.h"
#include "cli/load_payload.h"
#include "worker/coordinator_port.h"

namespace joseki::cli {

// Workers that play nothing: each takes leases through the library that real workers use, and hands
// in games of a LoadPayload. One thread of a worker acquires ahead, one submits, as in the real
// one.
class LoadWorkers {
 public:
  struct Options {
    int workers = 64;
    int games_per_call = 1;
    int slots_per_worker = 64;  // acquired ahead and not yet handed in
    double rate = 0;            // games a second of all workers; 0: as fast as answers come
    // Shares of the calls, 0 to 1. A lost reply is one that the worker never sees: the call is
    // broken off and sent again. A duplicate is sent twice at once. What is put off is sent after
    // the worker's next call.
    double lost_replies = 0;
    double duplicates = 0;
    double reorder = 0;
    uint64_t seed = 1;
  };
  using MakePort = std::function<std::unique_ptr<worker::CoordinatorPort>(int worker)>;

  LoadWorkers(Options options, LoadPayload& payload, MakePort make_port);
  ~LoadWorkers();
  LoadWorkers(const LoadWorkers&) = delete;
  LoadWorkers& operator=(const LoadWorkers&) = delete;

  void Start();
  // Whether calls are counted from now on.
  void Measure(bool on) { measuring_ = on; }
  // No further calls; those that run are finished or broken off.
  void Stop();

  // Games answered for as committed, in all, of those that were new.
  uint64_t accepted() const { return accepted_; }

  using Key = std::pair<worker::LeaseId, uint32_t>;  // lease and slot
  struct Totals {
    Latencies acknowledged;  // of Submit; with a rate, from when the call was due
    Latencies acquired;
    uint64_t games = 0;                            // new ones, in measured calls
    uint64_t plies = 0;                            // of these
    std::map<worker::Verdict, uint64_t> verdicts;  // of all calls
    uint64_t failed_calls = 0;                     // answered by an error, and tried again
    uint64_t lost_replies = 0;
    uint64_t duplicates = 0;
    uint64_t reordered = 0;
    std::string first_refusal;   // the reason of the first game that was not taken
    std::vector<Key> committed;  // what the answers said is in the database
  };
  // After Stop.
  Totals Collect();

 private:
  struct Work {
    worker::RunId run = 0;
    worker::LeaseId lease = 0;
    worker::Slot slot;
  };
  struct Worker {
    int number = 0;
    std::unique_ptr<worker::CoordinatorPort> port;
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<worker::Session> session;
    std::deque<Work> stock;
    std::set<worker::RunId> runs;
    Totals totals;  // but for `acquired`: of the submitting thread
    Latencies acquired;
    std::thread fetch;
    std::thread submit;
  };
  using Batch = std::vector<worker::FinishedGame>;

  std::optional<worker::Session> SessionOf(Worker& worker);
  void Forget(Worker& worker, const worker::Session& session, const absl::Status& status);
  void FetchLoop(Worker& worker);
  void SubmitLoop(Worker& worker);
  Batch TakeBatch(Worker& worker);
  // Sends until it is answered; false once stopped.
  bool Send(Worker& worker, const Batch& batch, absl::Time due, Rng& rng);
  void SendAtOnce(Worker& worker, const Batch& batch);
  void Note(Worker& worker, const Batch& batch, const std::vector<worker::GameVerdict>& verdicts,
            absl::Time due, bool measured);
  bool Pause(Worker& worker, absl::Duration wait);

  const Options options_;
  LoadPayload& payload_;
  const MakePort make_port_;
  std::stop_source stop_;
  std::atomic<bool> measuring_ = false;
  std::atomic<uint64_t> accepted_ = 0;
  std::atomic<uint64_t> arrivals_ = 0;
  absl::Time began_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace joseki::cli
