#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/toy_rules.h"
#include "tests/worker/stones.h"
#include "worker/work_loop.h"

namespace joseki::worker {

// A wait that fails after this would have hung.
inline constexpr std::chrono::seconds kPatience{60};

inline absl::Status UnknownSession() {
  return MakeProblem({.code = "unknown_session", .found = "1", .expected = "a session"},
                     absl::StatusCode::kFailedPrecondition);
}

// A coordinator in memory that grants `total` slots, five to a lease, and keeps every game by its
// key. Hooks, which get the number of the call from 1, inject faults.
class FakeCoordinator final : public CoordinatorPort {
 public:
  using Key = std::tuple<std::string, LeaseId, uint32_t>;

  absl::StatusOr<Session> Join(const JoinInput&, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    ++joins;
    changed_.notify_all();
    if (on_join) {
      if (absl::Status status = on_join(joins); !status.ok()) return status;
    }
    Session session;
    session.session = static_cast<SessionId>(joins);
    session.epoch = epoch;
    session.beat = absl::Milliseconds(1);
    session.wait = absl::Seconds(1);
    session.spread = spread;
    return session;
  }

  absl::StatusOr<AcquireOutput> Acquire(const Session& session, const AcquireInput& input,
                                        std::stop_token stop) override {
    const std::stop_callback wake(stop, [this] { Wake(); });
    std::unique_lock lock(mutex_);
    ++acquires;
    changed_.notify_all();
    if (on_acquire) {
      if (absl::Status status = on_acquire(acquires); !status.ok()) return status;
    }
    if (given == total && !drain && hold_when_empty) {
      changed_.wait(lock, [&] {
        return stop.stop_requested() || given < total || drain || session.session < oldest_session;
      });
      if (stop.stop_requested()) return absl::CancelledError("stopped");
    }
    if (session.session < oldest_session) return UnknownSession();
    calls.push_back("acquire");
    return Grant(input);
  }

  AcquireOutput Grant(const AcquireInput& input) {
    if (epoch != received_epoch_) last_received = 0;
    received_epoch_ = epoch;
    EXPECT_EQ(input.after_lease, last_received) << "what it was given so far";
    AcquireOutput output;
    uint32_t slots = 0;
    while (given < total && slots < input.want_slots) {
      Lease lease;
      lease.lease = ++last_lease;
      lease.run = 1;
      for (uint32_t slot = 0; slot < 5 && given < total && slots < input.want_slots; ++slot) {
        Slot added;
        added.slot = slot;
        added.start = "9";
        added.seed = lease.lease * 100 + slot;
        lease.slots.push_back(added);
        ++given;
        ++slots;
      }
      output.leases.push_back(lease);
      last_received = lease.lease;
    }
    if (!std::count(input.known_runs.begin(), input.known_runs.end(), 1)) {
      ++specs_sent;
      output.runs[1].nodes = 100;
      output.runs[1].re_entry = re_entry;
    }
    output.retry = absl::Milliseconds(1);
    output.drain = drain && given == total;
    output.ahead = ahead;
    return output;
  }

  absl::StatusOr<SubmitOutput> Submit(SessionId session, const SubmitInput& input,
                                      std::stop_token) override {
    const std::span<const FinishedGame> games = input.games;
    const std::lock_guard lock(mutex_);
    ++submits;
    calls.push_back("submit");
    if (input.work.want_slots > 0) ++submits_that_ask;
    changed_.notify_all();
    if (on_submit) {
      if (absl::Status status = on_submit(submits, games); !status.ok()) return status;
    }
    if (session < oldest_session) return UnknownSession();
    std::vector<GameVerdict> verdicts;
    for (const FinishedGame& game : games) {
      EXPECT_EQ(game.epoch, input.epoch);
      const bool fresh = stored.emplace(Key{game.epoch, game.lease, game.slot}, game).second;
      duplicates += !fresh;
      verdicts.push_back({.lease = game.lease,
                          .slot = game.slot,
                          .verdict = fresh ? Verdict::kAccepted : Verdict::kDuplicate,
                          .reason = ""});
    }
    if (lose_reply && lose_reply(submits)) return absl::DeadlineExceededError("lost");
    SubmitOutput output{.verdicts = std::move(verdicts), .work = {}};
    if (reply_with_work && input.work.want_slots > 0) output.work = Grant(input.work);
    return output;
  }

  absl::StatusOr<BeatOutput> Beat(SessionId session, const BeatInput& input,
                                  std::stop_token) override {
    const std::lock_guard lock(mutex_);
    ++beats;
    changed_.notify_all();
    if (on_beat) {
      if (absl::Status status = on_beat(beats); !status.ok()) return status;
    }
    if (session < oldest_session) return UnknownSession();
    cost = input.cost;
    for (const LeaseProgress& lease : input.leases) progress[lease.lease] = lease.plies;
    return BeatOutput{.cancelled = cancelled, .drain = false};
  }

  absl::Status Leave(SessionId, std::span<const SlotRef> slots, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    ++leaves;
    for (const SlotRef& slot : slots) unplayed.emplace(slot.lease, slot.slot);
    return absl::OkStatus();
  }

  // Waits for a condition that must become true.
  void Await(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(changed_.wait_for(lock, kPatience, condition));
  }
  void With(const std::function<void()>& change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }

  // Guarded by the mutex while the loop runs.
  int total = 0;
  bool drain = false;
  bool hold_when_empty = true;
  bool re_entry = false;
  bool reply_with_work = false;
  uint32_t ahead = 0;
  absl::Duration spread;
  std::string epoch = "one";
  SessionId oldest_session = 1;  // earlier sessions are unknown
  std::vector<LeaseId> cancelled;
  std::function<absl::Status(int)> on_join;
  std::function<absl::Status(int)> on_acquire;
  std::function<absl::Status(int)> on_beat;
  std::function<absl::Status(int, std::span<const FinishedGame>)> on_submit;
  std::function<bool(int)> lose_reply;

  int given = 0;
  int joins = 0;
  int acquires = 0;
  int submits = 0;
  int beats = 0;
  int leaves = 0;
  int duplicates = 0;
  int specs_sent = 0;
  int submits_that_ask = 0;
  LeaseId last_received = 0;
  std::vector<std::string> calls;  // Submit and Acquire calls, in order
  LeaseId last_lease = 0;
  std::map<Key, FinishedGame> stored;
  std::map<LeaseId, uint32_t> progress;
  WorkerCost cost;
  std::set<std::pair<LeaseId, uint32_t>> unplayed;

 private:
  void Wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string received_epoch_;
};

// Holds players until they are released or stopped.
class Gate {
 public:
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  // Returns false if `stopped` was set first.
  bool Pass(const std::atomic<bool>& stopped) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_ || stopped; });
    --waiting_;
    return !stopped;
  }
  void Wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  void AwaitWaiting(int count) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(changed_.wait_for(lock, kPatience, [&] { return waiting_ >= count; }));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

// Takes one stone after passing the gate.
class GatedPlayer final : public Player {
 public:
  explicit GatedPlayer(Gate& gate) : gate_(gate) {}
  absl::Status NewGame(uint64_t) override {
    stopped_ = false;
    return absl::OkStatus();
  }
  absl::StatusOr<Choice> Choose(const GameLine&, const Limits&) override {
    if (!gate_.Pass(stopped_)) return absl::CancelledError("stopped");
    return Take(1);
  }
  void Stop() override {
    stopped_ = true;
    gate_.Wake();
  }

 private:
  Gate& gate_;
  std::atomic<bool> stopped_{false};
};

class WorkLoopTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::path(::testing::TempDir()) /
               ("loop-" + std::to_string(getpid()) + "-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string();
    std::filesystem::remove_all(folder_);
    options_.join.worker = "tester";
    options_.join.seats = 4;
    options_.batch_delay = absl::Milliseconds(1);
    options_.backoff = {.first = absl::Milliseconds(1), .most = absl::Milliseconds(4)};
    options_.player_retry = absl::Milliseconds(1);
    options_.drain_grace = absl::Seconds(60);
    options_.flush_grace = absl::Seconds(60);
    make_player_ = [](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
      return std::make_unique<ScriptedPlayer>(
          [](const GameLine&, const Limits&) { return Take(1); });
    };
    OpenSpool({});
  }
  void TearDown() override {
    if (thread_.joinable()) {
      gate_.Open();
      loop_->Interrupt();
      thread_.join();
    }
    spool_.reset();
    std::filesystem::remove_all(folder_);
  }

  void OpenSpool(Spool::Options options) {
    spool_.reset();
    spool_ = *Spool::Open(folder_, options);
  }
  void GatePlayers() {
    make_player_ = [this](const PlaySpec&, size_t) -> absl::StatusOr<std::unique_ptr<Player>> {
      return std::make_unique<GatedPlayer>(gate_);
    };
  }
  void Start() {
    port_.With([&] { port_.last_received = 0; });  // a new process has received nothing
    loop_ = std::make_unique<WorkLoop>(
        options_, testing::Always(rules_), make_player_, port_, *spool_,
        [this](LogLevel level, const std::string& line) {
          const std::lock_guard lock(log_mutex_);
          lines_.push_back(line);
          if (level >= LogLevel::kWarning) warnings_.push_back(line);
        },
        books_);
    thread_ = std::thread([this] { status_ = loop_->Run(); });
  }
  absl::Status Finish() {
    thread_.join();
    return status_;
  }
  absl::Status RunToTheEnd() {
    port_.With([&] { port_.drain = true; });
    Start();
    return Finish();
  }

  std::string folder_;
  WorkLoop::Options options_;
  StonesRules rules_;
  FakeCoordinator port_;
  Gate gate_;
  PlayerFactory make_player_;
  BookProvider books_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<WorkLoop> loop_;
  std::thread thread_;
  absl::Status status_;
  std::mutex log_mutex_;
  std::vector<std::string> lines_;
  std::vector<std::string> warnings_;  // lines of `lines_` that are warnings or worse
};

}  // namespace joseki::worker
