#include "tests/simulation/simulation.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "coordinator/coordinator_impl.h"
#include "coordinator/invariants.h"
#include "coordinator/store.h"
#include "gtest/gtest.h"
#include "tests/simulation/sim_worker.h"
#include "tests/simulation/world.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/toy_run.h"

namespace joseki::testing {
namespace {

using coordinator::Coordinator;
using coordinator::CoordinatorImpl;

constexpr absl::Duration kStep = absl::Milliseconds(50);
constexpr absl::Duration kTrouble = absl::Minutes(4);  // how long things go wrong
constexpr absl::Duration kPatience = absl::Hours(2);   // for the end
constexpr absl::Duration kDeadline = absl::Seconds(10);
constexpr absl::Duration kAcquireWait = absl::Seconds(20);

// ---- Between the worker's and the coordinator's words, as the wire would ----

coordinator::JoinInput Translated(const worker::JoinInput& input) {
  coordinator::JoinInput out;
  out.worker = input.worker;
  out.protocol = coordinator::kProtocol;
  out.slots = input.slots;
  for (const worker::EngineIdentity& engine : input.engines) {
    out.engines.push_back(
        {engine.id, engine.name, engine.signature, engine.weights_sha256, engine.build});
  }
  return out;
}

worker::Session Translated(const coordinator::JoinOutput& output) {
  return {
      .session = output.session, .epoch = output.epoch, .beat = output.beat, .wait = output.wait};
}

worker::AcquireOutput Translated(const coordinator::AcquireOutput& output) {
  worker::AcquireOutput out;
  for (const coordinator::Lease& lease : output.leases) {
    worker::Lease& to = out.leases.emplace_back();
    to.lease = lease.lease;
    to.run = lease.run;
    to.term = lease.term;
    for (const coordinator::Slot& slot : lease.slots) {
      to.slots.push_back({.slot = slot.slot,
                          .start = slot.start,
                          .line = slot.line,
                          .excluded = slot.excluded,
                          .seed = slot.seed});
    }
  }
  for (const auto& [run, play] : output.runs) {
    worker::PlaySpec& to = out.runs[run];
    to.game = play.game;
    to.engine_id = play.engine_id;
    to.nodes = play.nodes;
    to.jitter_percent = play.jitter_percent;
    to.match = play.match;
  }
  out.retry = output.retry;
  out.drain = output.drain;
  return out;
}

coordinator::SubmittedGame Translated(const worker::FinishedGame& game) {
  coordinator::SubmittedGame out;
  out.run = game.run;
  out.lease = game.lease;
  out.slot = game.slot;
  out.moves = game.moves;
  out.claim = game.ending;
  out.nodes = game.nodes;
  out.think_ms = game.think_ms;
  out.fault = game.fault;
  return out;
}

worker::GameVerdict Translated(const coordinator::GameVerdict& verdict) {
  return {.lease = verdict.lease,
          .slot = verdict.slot,
          .verdict = static_cast<worker::Verdict>(verdict.verdict),
          .reason = verdict.reason};
}

using Key = std::pair<uint64_t, uint32_t>;  // lease and slot: leases are numbered over all runs

class Simulation final : public SimNetwork, public SimLedger {
 public:
  explicit Simulation(const SimulationOptions& options)
      : options_(options),
        world_(options.seed),
        path_(options.folder + "/book.sqlite"),
        vfs_(control_, {.power_loss = true,
                        .real_sync = false,
                        .wal_pages = 100,
                        .death = FaultInjector::Death::kSimulated,
                        .seed = options.seed}) {
    world_.print = options.print;
  }

  SimulationReport Run();

  // The network.
  void Join(int worker, worker::JoinInput input, Done<worker::Session> done) override;
  void Acquire(int worker, const worker::Session& session, worker::AcquireInput input,
               Done<worker::AcquireOutput> done) override;
  void Submit(int worker, worker::SessionId session, const std::string& epoch,
              std::vector<worker::FinishedGame> games,
              Done<std::vector<worker::GameVerdict>> done) override;
  void Beat(int worker, worker::SessionId session, std::vector<worker::LeaseProgress> leases,
            Done<worker::BeatOutput> done) override;
  void Leave(int worker, worker::SessionId session, std::vector<worker::SlotRef> unplayed,
             Done<bool> done) override;

  // The books.
  void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) override;
  void Violation(const std::string& what) override {
    world_.Trace("VIOLATION ", what);
    if (report_.violations.size() < 20) report_.violations.push_back(what);
  }

 private:
  // What the network does to one worker now, by direction: to the coordinator, and back.
  struct Link {
    std::array<absl::Time, 2> cut_until = {absl::InfinitePast(), absl::InfinitePast()};
  };
  enum Direction : size_t { kThere = 0, kBack = 1 };

  void Send(int worker, Direction direction, std::function<void()> deliver);
  template <typename Reply>
  void Call(int worker, const char* name, absl::Duration deadline,
            std::function<void(CoordinatorImpl&, Done<Reply>)> verb, Done<Reply> done);

  bool StartCoordinator();
  void StepCoordinator();
  void KillCoordinator(bool power);
  void StopCoordinator();
  void BuryCoordinator();
  void StartLater();
  void CheckStored();

  bool trouble() const { return world_.Now() < trouble_until_; }
  // Lets `what` happen at random times, so often on average, while there is trouble.
  void Sometimes(absl::Duration mean, std::function<void()> what);
  void MakeTrouble();
  void StopTrouble();
  SimWorker& AnyWorker() { return *workers_[world_.rng.Below(workers_.size())]; }
  void StartWorkerLater(SimWorker& worker);
  bool Finished();
  void FinalChecks();

  const SimulationOptions options_;
  World world_;
  const std::string path_;
  FaultControl control_;
  FaultVfs vfs_;
  const ToyRules rules_;
  SimulationReport report_;

  std::unique_ptr<CoordinatorImpl> coordinator_;  // null: it is down
  uint64_t life_ = 0;
  std::vector<coordinator::RunId> runs_;
  std::vector<std::unique_ptr<SimWorker>> workers_;
  std::vector<Link> links_;
  absl::Time trouble_until_;
  std::map<Key, std::vector<Move>> acknowledged_;
};

// ---- The network ----

void Simulation::Send(int worker, Direction direction, std::function<void()> deliver) {
  ++report_.messages;
  const Link& link = links_[static_cast<size_t>(worker)];
  if (world_.Now() < link.cut_until[direction]) {
    ++report_.lost;
    return;
  }
  int copies = 1;
  if (trouble()) {
    if (world_.Chance(0.02)) {
      ++report_.lost;
      return;
    }
    if (world_.Chance(0.02)) {
      ++report_.repeated;
      copies = 2;
    }
  }
  for (int copy = 0; copy < copies; ++copy) {
    absl::Duration delay = world_.Between(absl::Milliseconds(1), absl::Milliseconds(30));
    if (trouble() && world_.Chance(0.02)) {
      delay = world_.Between(absl::Seconds(1), absl::Minutes(2));
    }
    world_.After(delay, deliver);
  }
}

template <typename Reply>
void Simulation::Call(int worker, const char* name, absl::Duration deadline,
                      std::function<void(CoordinatorImpl&, Done<Reply>)> verb, Done<Reply> done) {
  const auto open = std::make_shared<bool>(true);
  const Done<Reply> answer = [open, done = std::move(done)](absl::StatusOr<Reply> reply) {
    if (std::exchange(*open, false)) done(std::move(reply));
  };
  world_.After(deadline, [answer] { answer(absl::DeadlineExceededError("no answer")); });
  Send(worker, kThere, [this, worker, name, verb = std::move(verb), answer] {
    world_.Trace(name, " of w", worker, coordinator_ == nullptr ? " refused" : "");
    if (coordinator_ == nullptr) {
      return Send(worker, kBack, [answer] { answer(absl::UnavailableError("nobody listens")); });
    }
    verb(*coordinator_, [this, worker, name, answer, life = life_](absl::StatusOr<Reply> reply) {
      // What a process that is dead meanwhile would have said, nobody hears.
      if (life != life_ || control_.dead != 0) return;
      world_.Trace("answer to ", name, " of w", worker, " ",
                   static_cast<int>(reply.status().code()));
      Send(worker, kBack, [answer, reply = std::move(reply)] { answer(reply); });
    });
  });
}

// An answer in the worker's words.
template <typename From, typename To, typename Make>
std::function<void(absl::StatusOr<From>)> Turned(std::function<void(absl::StatusOr<To>)> done,
                                                 Make make) {
  return [done = std::move(done), make](absl::StatusOr<From> reply) {
    if (!reply.ok()) return done(reply.status());
    done(make(*reply));
  };
}

void Simulation::Join(int worker, worker::JoinInput input, Done<worker::Session> done) {
  Call<worker::Session>(
      worker, "join", kDeadline,
      [input = Translated(input)](CoordinatorImpl& coordinator, Done<worker::Session> reply) {
        coordinator.Join(input, Turned<coordinator::JoinOutput>(
                                    std::move(reply), [](const coordinator::JoinOutput& output) {
                                      return Translated(output);
                                    }));
      },
      std::move(done));
}

void Simulation::Acquire(int worker, const worker::Session& session, worker::AcquireInput input,
                         Done<worker::AcquireOutput> done) {
  coordinator::AcquireInput asked;
  asked.session = session.session;
  asked.want_slots = input.want_slots;
  asked.known_runs = input.known_runs;
  Call<worker::AcquireOutput>(
      worker, "acquire", session.wait + kDeadline,
      [asked](CoordinatorImpl& coordinator, Done<worker::AcquireOutput> reply) {
        coordinator.Acquire(
            asked, Turned<coordinator::AcquireOutput>(std::move(reply),
                                                      [](const coordinator::AcquireOutput& output) {
                                                        return Translated(output);
                                                      }));
      },
      std::move(done));
}

void Simulation::Submit(int worker, worker::SessionId session, const std::string& epoch,
                        std::vector<worker::FinishedGame> games,
                        Done<std::vector<worker::GameVerdict>> done) {
  coordinator::SubmitInput input;
  input.session = session;
  input.epoch = epoch;
  for (const worker::FinishedGame& game : games) input.games.push_back(Translated(game));
  Call<std::vector<worker::GameVerdict>>(
      worker, "submit", 3 * kDeadline,
      [input](CoordinatorImpl& coordinator, Done<std::vector<worker::GameVerdict>> reply) {
        coordinator.Submit(
            input, Turned<coordinator::SubmitOutput>(std::move(reply),
                                                     [](const coordinator::SubmitOutput& output) {
                                                       std::vector<worker::GameVerdict> turned;
                                                       for (const auto& verdict : output.verdicts) {
                                                         turned.push_back(Translated(verdict));
                                                       }
                                                       return turned;
                                                     }));
      },
      std::move(done));
}

void Simulation::Beat(int worker, worker::SessionId session,
                      std::vector<worker::LeaseProgress> leases, Done<worker::BeatOutput> done) {
  std::vector<coordinator::LeaseProgress> progress;
  for (const worker::LeaseProgress& lease : leases) progress.push_back({lease.lease, lease.plies});
  Call<worker::BeatOutput>(
      worker, "beat", kDeadline,
      [session, progress](CoordinatorImpl& coordinator, Done<worker::BeatOutput> reply) {
        const auto output = coordinator.Beat(session, progress);
        if (!output.ok()) return reply(output.status());
        reply(worker::BeatOutput{.cancelled = output->cancelled, .drain = output->drain});
      },
      std::move(done));
}

void Simulation::Leave(int worker, worker::SessionId session, std::vector<worker::SlotRef> unplayed,
                       Done<bool> done) {
  std::vector<coordinator::SlotRef> slots;
  for (const worker::SlotRef& slot : unplayed) slots.push_back({slot.lease, slot.slot});
  Call<bool>(
      worker, "leave", kDeadline,
      [session, slots](CoordinatorImpl& coordinator, Done<bool> reply) {
        coordinator.Leave(session, slots, [reply](const absl::Status& status) {
          if (!status.ok()) return reply(status);
          reply(true);
        });
      },
      std::move(done));
}

// ---- The coordinator ----

bool Simulation::StartCoordinator() {
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = kAcquireWait;
  options.lease_term = absl::Seconds(90);
  options.slots_per_lease = 4;
  options.own_threads = false;
  auto started = [&]() -> absl::StatusOr<std::unique_ptr<CoordinatorImpl>> {
    ASSIGN_OR_RETURN(coordinator::FileLock lock, coordinator::FileLock::Take(path_));
    ASSIGN_OR_RETURN(const auto store,
                     coordinator::Store::Open(path_, coordinator::OpenMode::kReadWrite));
    auto made =
        std::make_unique<CoordinatorImpl>(options, rules_, world_, std::move(lock), store->epoch());
    RETURN_IF_ERROR(made->Open());
    return made;
  }();
  ++life_;
  if (control_.struck != 0) {
    started = absl::UnavailableError("killed while it started");
    BuryCoordinator();
  }
  if (!started.ok()) {
    // A disk that fails now may be the reason; then whoever starts coordinators tries again.
    world_.Trace("coordinator cannot start");
    if (!trouble()) Violation(absl::StrCat("no start: ", started.status().message()));
    return false;
  }
  coordinator_ = *std::move(started);
  world_.Trace("coordinator starts");
  return true;
}

void Simulation::StartLater() {
  const absl::Duration down = world_.Chance(0.3)
                                  ? world_.Between(absl::Seconds(10), absl::Seconds(60))
                                  : world_.Between(absl::Milliseconds(100), absl::Seconds(5));
  world_.After(down, [this] {
    if (StartCoordinator()) {
      CheckStored();
    } else if (report_.violations.empty()) {
      StartLater();
    }
  });
}

void Simulation::StepCoordinator() {
  if (coordinator_ != nullptr) {
    coordinator_->Step();
    if (control_.struck != 0) {
      KillCoordinator(world_.Chance(0.5));
      StartLater();
    }
  }
  world_.After(kStep, [this] { StepCoordinator(); });
}

void Simulation::KillCoordinator(bool power) {
  control_.dead = 1;
  ++life_;
  coordinator_.reset();
  BuryCoordinator();
  if (power) {
    ++report_.power_losses;
    const absl::Status lost = LosePower(path_, world_.rng);
    if (!lost.ok()) Violation(std::string(lost.message()));
  }
  world_.Trace("coordinator killed", power ? ", power lost" : "");
}

void Simulation::StopCoordinator() {
  world_.Trace("coordinator stops");
  coordinator_.reset();
  if (control_.struck != 0) BuryCoordinator();
}

// It is dead, and its files can be had again.
void Simulation::BuryCoordinator() {
  ++report_.coordinator_deaths;
  if (control_.struck != 0) {
    ++report_.deaths_while_writing;
    world_.Trace("coordinator dies at ",
                 std::string(Name(static_cast<FaultPoint>(control_.struck.load()))));
  }
  control_.dead = 0;
  control_.struck = 0;
  control_.kill_at = 0;
}

// Nothing acknowledged may be missing, at any time.
void Simulation::CheckStored() {
  SQLite::Database db(path_, SQLite::OPEN_READONLY);
  // What a second worker played again is answered for, and no game of the run.
  SQLite::Statement games(db,
                          "SELECT lease, slot FROM games UNION ALL"
                          " SELECT lease, slot FROM checks WHERE state <> 0");
  std::set<Key> stored;
  while (games.executeStep()) {
    stored.emplace(static_cast<uint64_t>(games.getColumn(0).getInt64()),
                   static_cast<uint32_t>(games.getColumn(1).getInt64()));
  }
  for (const auto& [key, unused] : acknowledged_) {
    if (!stored.contains(key)) {
      Violation(
          absl::StrCat("an acknowledged game is lost: lease ", key.first, " slot ", key.second));
    }
  }
  world_.Trace("stored ", stored.size());
}

void Simulation::Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) {
  report_.duplicates += verdict == worker::Verdict::kDuplicate;
  report_.stale += verdict == worker::Verdict::kStaleAccepted;
  const auto [at, fresh] = acknowledged_.try_emplace({game.lease, game.slot}, game.moves);
  if (!fresh && at->second != game.moves) Violation("two games under one key acknowledged");
}

// ---- What goes wrong ----

void Simulation::Sometimes(absl::Duration mean, std::function<void()> what) {
  world_.After(world_.Between(absl::ZeroDuration(), 2 * mean), [this, mean, what] {
    if (!trouble()) return;
    what();
    Sometimes(mean, what);
  });
}

void Simulation::StartWorkerLater(SimWorker& worker) {
  world_.After(world_.Between(absl::Milliseconds(200), absl::Seconds(40)), [&worker] {
    if (!worker.running()) worker.Start();
  });
}

void Simulation::MakeTrouble() {
  Sometimes(absl::Seconds(25), [this] {
    if (coordinator_ == nullptr) return;
    if (world_.Chance(0.2)) {
      StopCoordinator();
    } else {
      KillCoordinator(world_.Chance(0.5));
    }
    StartLater();
  });
  Sometimes(absl::Seconds(15), [this] {
    constexpr std::array kPoints = {FaultPoint::kWalWrite, FaultPoint::kWalSync,
                                    FaultPoint::kDbWrite, FaultPoint::kDbSync};
    const FaultPoint point = kPoints[world_.rng.Below(kPoints.size())];
    control_.KillAt(point, static_cast<uint32_t>(world_.rng.Below(8)),
                    static_cast<FaultMoment>(world_.rng.Below(3)));
  });
  Sometimes(absl::Seconds(20), [this] {
    ++report_.storage_faults;
    world_.Trace("the disk fails");
    if (world_.Chance(0.5)) {
      control_.full = 1;
      world_.After(world_.Between(absl::Seconds(1), absl::Seconds(20)),
                   [this] { control_.full = 0; });
      return;
    }
    constexpr std::array kPoints = {FaultPoint::kWalWrite, FaultPoint::kWalSync,
                                    FaultPoint::kDbWrite, FaultPoint::kDbSync,
                                    FaultPoint::kDbTruncate};
    control_.torn = static_cast<uint32_t>(world_.rng.Below(2));
    control_.Fail(kPoints[world_.rng.Below(kPoints.size())],
                  1 + static_cast<uint32_t>(world_.rng.Below(20)));
  });
  Sometimes(absl::Seconds(1), [this] {
    SimWorker& worker = AnyWorker();
    if (!worker.running()) return;
    switch (world_.rng.Below(4)) {
      case 0:
        ++report_.worker_deaths;
        worker.Kill();
        return StartWorkerLater(worker);
      case 1:
        worker.Drain();
        return;  // started again by the next round that finds it gone
      case 2:
        return worker.Freeze(world_.Between(absl::Seconds(5), absl::Minutes(3)));
      default:
        for (const auto& gone : workers_) {
          if (!gone->running() && world_.Chance(0.5)) StartWorkerLater(*gone);
        }
    }
  });
  Sometimes(absl::Seconds(2), [this] {
    Link& link = links_[world_.rng.Below(links_.size())];
    const absl::Time until = world_.Now() + world_.Between(absl::Seconds(5), absl::Minutes(2));
    const uint64_t which = world_.rng.Below(3);  // one way, the other, both
    if (which != 0) link.cut_until[kThere] = until;
    if (which != 1) link.cut_until[kBack] = until;
  });
  Sometimes(absl::Seconds(60), [this] {
    if (coordinator_ == nullptr || runs_.empty()) return;
    const coordinator::RunId run = runs_[world_.rng.Below(runs_.size())];
    const auto paused = coordinator_->PauseRun(run);
    world_.Trace("pause ", run, paused.ok() ? "" : " refused");
  });
  Sometimes(absl::Seconds(20), [this] {
    if (coordinator_ == nullptr) return;
    for (const coordinator::RunId run : runs_) (void)coordinator_->ResumeRun(run);
  });
}

void Simulation::StopTrouble() {
  world_.Trace("trouble is over");
  control_.kill_at = 0;
  control_.full = 0;
  control_.torn = 0;
  for (auto& fail : control_.fail) fail = 0;
  for (Link& link : links_) link = Link();
}

// ---- From beginning to end ----

bool Simulation::Finished() {
  if (coordinator_ == nullptr || trouble()) return false;
  for (const coordinator::RunStatus& run : coordinator_->GetStatus(0).runs) {
    if (run.state == "paused") (void)coordinator_->ResumeRun(run.run);
    if (run.state != "done" || run.slots_in_flight != 0) return false;
  }
  return std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->running() && worker->pending() == 0;
  });
}

void Simulation::FinalChecks() {
  CheckStored();
  const coordinator::ClusterStatus status = coordinator_->GetStatus(0);
  uint64_t done = 0;
  uint64_t faults = 0;
  for (const coordinator::RunStatus& run : status.runs) {
    done += run.games_done;
    faults += run.faults;
    if (run.games_done < options_.games) Violation("a run ended with too few games");
    if (run.conflicts != 0) Violation("a conflict between honest workers");
    if (run.leases != 0) Violation("a lease is left over");
  }
  StopCoordinator();
  const auto store = coordinator::Store::Open(path_, coordinator::OpenMode::kReadOnly);
  if (!store.ok()) return Violation(std::string(store.status().message()));
  SQLite::Database& db = (*store)->db();
  report_.games = static_cast<uint64_t>(db.execAndGet("SELECT count(*) FROM games").getInt64());
  report_.faults = static_cast<uint64_t>(
      db.execAndGet("SELECT count(*) FROM games WHERE termination >= 32").getInt64());
  if (report_.games - report_.faults != done || report_.faults != faults) {
    Violation(absl::StrCat("memory counts ", done, " games and ", faults, " faults, the database ",
                           report_.games - report_.faults, " and ", report_.faults));
  }
  std::vector<Key> acknowledged;
  for (const auto& [key, unused] : acknowledged_) acknowledged.push_back(key);
  const auto checked = coordinator::CheckInvariants(**store, rules_, std::move(acknowledged));
  if (!checked.ok()) return Violation(std::string(checked.status().message()));
  for (const std::string& violation : checked->first) Violation(violation);
}

SimulationReport Simulation::Run() {
  WriteToyBook(path_);
  for (int i = 0; i < options_.workers; ++i) {
    workers_.push_back(std::make_unique<SimWorker>(
        i, 1 + static_cast<uint32_t>(world_.rng.Below(4)), world_, *this, *this, rules_));
  }
  links_.resize(workers_.size());
  trouble_until_ = world_.Now() + kTrouble;
  if (!StartCoordinator()) return report_;
  coordinator::RunSpec staged = ToySpec(options_.games, "result-driven");
  staged.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
  staged.seed = options_.seed;
  coordinator::RunSpec online = ToySpec(options_.games, "sample-average");
  online.seed = options_.seed + 1;
  for (const coordinator::RunSpec& spec : {staged, online}) {
    const auto created = coordinator_->CreateRun(spec, "");
    if (!created.ok()) {
      Violation(std::string(created.status().message()));
      return report_;
    }
    runs_.push_back(created->run);
  }
  for (const auto& worker : workers_) {
    world_.After(world_.Between(absl::ZeroDuration(), absl::Seconds(20)),
                 [&worker] { worker->Start(); });
  }
  StepCoordinator();
  MakeTrouble();
  world_.After(kTrouble, [this] { StopTrouble(); });
  const absl::Time give_up = trouble_until_ + kPatience;
  absl::Time look = trouble_until_;
  while (world_.Step() && report_.violations.empty()) {
    if (world_.Now() < look) continue;
    look = world_.Now() + absl::Seconds(1);
    for (const auto& worker : workers_) {
      if (!worker->running()) worker->Start();
    }
    if (Finished()) {
      FinalChecks();
      break;
    }
    if (world_.Now() > give_up) Violation("the runs do not come to their end");
  }
  report_.trace = world_.trace();
  report_.simulated_seconds = world_.seconds();
  report_.acknowledged = acknowledged_.size();
  // Before its disk.
  ++life_;
  coordinator_.reset();
  return report_;
}

}  // namespace

SimulationReport Simulate(const SimulationOptions& options) {
  const auto level = spdlog::get_level();
  spdlog::set_level(spdlog::level::off);
  SimulationReport report;
  {
    Simulation simulation(options);
    report = simulation.Run();
  }
  spdlog::set_level(level);
  return report;
}

}  // namespace joseki::testing
