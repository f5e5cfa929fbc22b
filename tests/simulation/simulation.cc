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
#include "coordinator/offline/invariants.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_backup.h"
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

// While it lives, no fault of the disk strikes.
class WorkingDisk {
 public:
  explicit WorkingDisk(FaultControl& control)
      : control_(control), kill_at_(control.kill_at.exchange(0)), full_(control.full.exchange(0)) {
    for (size_t i = 0; i < fail_.size(); ++i) fail_[i] = control_.fail[i].exchange(0);
  }
  ~WorkingDisk() {
    for (size_t i = 0; i < fail_.size(); ++i) control_.fail[i] = fail_[i];
    control_.full = full_;
    control_.kill_at = kill_at_;
  }
  WorkingDisk(const WorkingDisk&) = delete;
  WorkingDisk& operator=(const WorkingDisk&) = delete;

 private:
  FaultControl& control_;
  const uint32_t kill_at_;
  const uint32_t full_;
  std::array<uint32_t, kFaultPoints> fail_{};
};

// ---- Between the worker's and the coordinator's words, as the wire would ----

coordinator::JoinInput Translated(const worker::JoinInput& input) {
  coordinator::JoinInput out;
  out.worker = input.worker;
  out.protocol = coordinator::kProtocol;
  out.slots = input.slots;
  out.process = input.process;
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

coordinator::AcquireInput Translated(worker::SessionId session, const worker::AcquireInput& input) {
  return {.session = session,
          .want_slots = input.want_slots,
          .known_runs = input.known_runs,
          .after_lease = input.after_lease};
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
  out.ahead = output.ahead;
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

worker::SubmitOutput Translated(const coordinator::SubmitOutput& output) {
  worker::SubmitOutput out;
  for (const coordinator::GameVerdict& verdict : output.verdicts) {
    out.verdicts.push_back(Translated(verdict));
  }
  if (output.work) out.work = Translated(*output.work);
  return out;
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
  void Submit(int worker, worker::SessionId session, std::vector<worker::FinishedGame> games,
              worker::AcquireInput work, Done<worker::SubmitOutput> done) override;
  void Beat(int worker, worker::SessionId session, std::vector<worker::LeaseProgress> leases,
            Done<worker::BeatOutput> done) override;
  void Leave(int worker, worker::SessionId session, std::vector<worker::SlotRef> unplayed,
             Done<bool> done) override;

  // The books.
  void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) override;
  void OfALostEpoch(const worker::FinishedGame& game) override;
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

  // A coordinator that can be asked.
  bool Up() const { return coordinator_ != nullptr && control_.struck == 0; }
  // Every run that is wanted and not there yet.
  void CreateRuns();
  void MoveShare();
  void StopARun();
  void BlockAWorker();
  void UnblockThoseOfTheOperator();
  void BackUpNow();
  void RestoreLast();
  std::set<Key> Stored() const;
  // What an operator was told must still be so.
  void CheckOperators();

  bool trouble() const { return world_.Now() < trouble_until_; }
  // Lets `what` happen at random times, so often on average, while there is trouble.
  void Sometimes(absl::Duration mean, std::function<void()> what);
  void MakeTrouble();
  void StopTrouble();
  SimWorker& AnyWorker() { return *workers_[world_.rng.Below(workers_.size())]; }
  void StartWorkerLater(SimWorker& worker);
  bool Finished();
  std::string Unfinished();
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
  std::string epoch_;
  std::vector<coordinator::RunSpec> wanted_;  // runs, each with a name of its own
  std::vector<std::unique_ptr<SimWorker>> workers_;
  std::vector<Link> links_;
  absl::Time trouble_until_;
  // What somebody was told, and the database must know.
  struct Told {
    std::map<Key, std::vector<Move>> games;
    std::set<std::string> created;  // runs, by name
    std::set<std::string> stopped;
    // Of a run: what it may be, for a change whose answer did not come may have been made.
    std::map<std::string, std::vector<coordinator::Share>> shares;
  };
  Told told_;
  struct Backup {
    std::string path;
    Told told;  // when it was begun
  };
  std::optional<Backup> backup_;
  std::set<Key> lost_;  // games of leases that the backup did not have: none may come back
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
  const coordinator::AcquireInput asked = Translated(session.session, input);
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

void Simulation::Submit(int worker, worker::SessionId session,
                        std::vector<worker::FinishedGame> games, worker::AcquireInput work,
                        Done<worker::SubmitOutput> done) {
  coordinator::SubmitInput input;
  input.session = session;
  input.epoch = games.front().epoch;
  for (const worker::FinishedGame& game : games) input.games.push_back(Translated(game));
  input.want_slots = work.want_slots;
  input.known_runs = std::move(work.known_runs);
  input.after_lease = work.after_lease;
  Call<worker::SubmitOutput>(
      worker, "submit", 3 * kDeadline,
      [this, input](CoordinatorImpl& coordinator, Done<worker::SubmitOutput> reply) {
        coordinator.Submit(input,
                           Turned<coordinator::SubmitOutput>(
                               std::move(reply), [this](const coordinator::SubmitOutput& output) {
                                 if (output.work) {
                                   report_.leases_with_answers += output.work->leases.size();
                                 }
                                 return Translated(output);
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
    epoch_ = store->epoch();
    auto made = std::make_unique<CoordinatorImpl>(options, rules_, world_, std::move(lock), epoch_);
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
  CheckOperators();
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

std::set<Key> Simulation::Stored() const {
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
  return stored;
}

// Nothing acknowledged may be missing, at any time, and nothing that was lost may come back.
void Simulation::CheckStored() {
  const std::set<Key> stored = Stored();
  for (const auto& [key, unused] : told_.games) {
    if (!stored.contains(key)) {
      Violation(
          absl::StrCat("an acknowledged game is lost: lease ", key.first, " slot ", key.second));
    }
  }
  for (const Key& key : lost_) {
    if (stored.contains(key)) {
      Violation(absl::StrCat("a game of a lost epoch: lease ", key.first, " slot ", key.second));
    }
  }
  world_.Trace("stored ", stored.size());
}

void Simulation::CheckOperators() {
  std::set<std::string> names;
  for (const coordinator::RunStatus& run : coordinator_->GetStatus(0).runs) {
    const std::string& name = run.spec.name;
    if (!names.insert(name).second) Violation(absl::StrCat("run ", name, " was created twice"));
    if (told_.stopped.contains(name) && run.state != "stopped") {
      Violation(absl::StrCat("run ", name, " was stopped, and is ", run.state));
    }
    const auto shares = told_.shares.find(name);
    if (shares != told_.shares.end() && std::find(shares->second.begin(), shares->second.end(),
                                                  run.spec.share) == shares->second.end()) {
      Violation(absl::StrCat("run ", name, " has priority ", run.spec.share.priority,
                             " and weight ", run.spec.share.weight));
    }
  }
  for (const std::string& name : told_.created) {
    if (!names.contains(name)) Violation(absl::StrCat("run ", name, " is gone"));
  }
}

void Simulation::Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) {
  report_.duplicates += verdict == worker::Verdict::kDuplicate;
  report_.stale += verdict == worker::Verdict::kStaleAccepted;
  if (game.epoch != epoch_) return;  // that was before the database went back
  const auto [at, fresh] = told_.games.try_emplace({game.lease, game.slot}, game.moves);
  if (!fresh && at->second != game.moves) Violation("two games under one key acknowledged");
}

void Simulation::OfALostEpoch(const worker::FinishedGame& game) {
  ++report_.of_lost_epochs;
  if (game.epoch == epoch_) Violation("a game of this epoch was refused as one of another");
}

// ---- The operator ----

void Simulation::CreateRuns() {
  for (const coordinator::RunSpec& spec : wanted_) {
    if (!Up()) return;
    const auto created = coordinator_->CreateRun(spec, spec.name);
    const bool known = Up() && created.ok();
    world_.Trace("create ", spec.name, known ? "" : " failed");
    if (!known) continue;
    told_.created.insert(spec.name);
    told_.shares.try_emplace(spec.name, 1, spec.share);
  }
}

void Simulation::MoveShare() {
  if (!Up()) return;
  const std::vector<coordinator::RunStatus> runs = coordinator_->GetStatus(0).runs;
  if (runs.empty()) return;
  const coordinator::RunStatus& run = runs[world_.rng.Below(runs.size())];
  const auto shares = told_.shares.find(run.spec.name);
  if (shares == told_.shares.end()) return;
  const coordinator::Share wanted{.priority = static_cast<uint32_t>(world_.rng.Below(3)),
                                  .weight = 1 + static_cast<uint32_t>(world_.rng.Below(300))};
  const auto share = coordinator_->SetPriority(run.run, wanted.priority, wanted.weight);
  const bool known = Up() && share.ok();
  world_.Trace("share ", run.spec.name, known ? "" : " failed");
  if (known) shares->second.clear();
  shares->second.push_back(wanted);
}

// The last of them: the others are to come to their end.
void Simulation::StopARun() {
  if (!Up()) return;
  for (const coordinator::RunStatus& run : coordinator_->GetStatus(0).runs) {
    if (run.spec.name != wanted_.back().name) continue;
    const auto stopped = coordinator_->StopRun(run.run);
    const bool known = Up() && stopped.ok() && *stopped == "stopped";
    world_.Trace("stop ", run.spec.name, known ? "" : " failed");
    if (known) told_.stopped.insert(run.spec.name);
  }
}

void Simulation::BlockAWorker() {
  if (!Up()) return;
  const std::string worker = absl::StrCat("w", world_.rng.Below(workers_.size()));
  const auto blocked = coordinator_->BlockWorker(worker, "by the operator");
  world_.Trace("block ", worker, blocked.ok() ? "" : " failed");
  report_.blocks += blocked.ok();
}

void Simulation::UnblockThoseOfTheOperator() {
  for (const coordinator::WorkerStatus& worker : coordinator_->GetStatus(0).workers) {
    if (worker.state != "quarantined" || worker.reason != "by the operator") continue;
    if (!Up()) return;
    const bool keep_out = world_.Chance(0.5);
    const absl::Status unblocked = coordinator_->UnblockWorker(worker.worker, keep_out);
    world_.Trace("unblock ", worker.worker, keep_out ? ", games stay out" : "",
                 unblocked.ok() ? "" : " failed");
  }
}

// By another process, whose disk works.
void Simulation::BackUpNow() {
  if (!Up()) return;
  const WorkingDisk working(control_);
  const std::string path = absl::StrCat(options_.folder, "/backup-", report_.backups);
  const auto made = coordinator::BackUp(path_, path);
  if (!made.ok()) return Violation(absl::StrCat("no backup: ", made.status().message()));
  ++report_.backups;
  world_.Trace("backup of ", made->games);
  backup_ = Backup{path, told_};
}

void Simulation::RestoreLast() {
  if (!backup_) return;
  if (coordinator_ != nullptr) {
    if (world_.Chance(0.5)) {
      KillCoordinator(/*power=*/false);
    } else {
      StopCoordinator();
    }
    StartLater();
  }
  const WorkingDisk working(control_);
  const auto restored = coordinator::RestoreBackup(backup_->path, path_);
  if (!restored.ok()) return Violation(absl::StrCat("no restore: ", restored.status().message()));
  // What the model of the power noted of the book that was moved aside is none of this one's.
  for (const char* const suffix : {"", "-wal", "-journal"}) {
    std::filesystem::remove(absl::StrCat(path_, suffix, ".undo"));
  }
  ++report_.restores;
  world_.Trace("restored ", restored->games);
  epoch_ = restored->epoch;
  std::map<Key, std::vector<Move>> acknowledged = std::exchange(told_, backup_->told).games;
  CheckStored();
  const std::set<Key> stored = Stored();
  const auto newest =
      static_cast<uint64_t>(SQLite::Database(path_, SQLite::OPEN_READONLY)
                                .execAndGet("SELECT coalesce(max(lease), 0) FROM leases")
                                .getInt64());
  for (auto& [key, moves] : acknowledged) {
    if (stored.contains(key)) {
      told_.games.try_emplace(key, std::move(moves));
    } else if (key.first > newest) {
      lost_.insert(key);  // slots of a lease that is there still are played again
    }
  }
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
    if (!Up()) return;
    const std::vector<coordinator::RunStatus> runs = coordinator_->GetStatus(0).runs;
    if (runs.empty()) return;
    const coordinator::RunId run = runs[world_.rng.Below(runs.size())].run;
    const auto paused = coordinator_->PauseRun(run);
    world_.Trace("pause ", run, paused.ok() ? "" : " refused");
  });
  Sometimes(absl::Seconds(20), [this] {
    if (!Up()) return;
    for (const auto& run : coordinator_->GetStatus(0).runs) {
      (void)coordinator_->ResumeRun(run.run);
    }
  });
  Sometimes(absl::Seconds(10), [this] { CreateRuns(); });
  Sometimes(absl::Seconds(8), [this] { MoveShare(); });
  Sometimes(absl::Seconds(15), [this] { BlockAWorker(); });
  Sometimes(absl::Seconds(40), [this] {
    if (Up()) UnblockThoseOfTheOperator();
  });
  Sometimes(absl::Seconds(30), [this] {
    if (!Up()) return;
    const std::string worker = absl::StrCat("w", world_.rng.Below(workers_.size()));
    world_.Trace("drain ", worker, " ", coordinator_->Drain(worker));
  });
  Sometimes(absl::Seconds(60), [this] {
    if (Up()) coordinator_->Undrain("");
  });
  Sometimes(absl::Seconds(40), [this] { BackUpNow(); });
  if (world_.Chance(0.5)) {
    world_.After(world_.Between(absl::Seconds(60), kTrouble), [this] { RestoreLast(); });
  }
  if (world_.Chance(0.5)) {
    world_.After(world_.Between(absl::Seconds(60), kTrouble), [this] { StopARun(); });
  }
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
  if (!Up() || trouble()) return false;
  CreateRuns();
  coordinator_->Undrain("");
  UnblockThoseOfTheOperator();
  const std::vector<coordinator::RunStatus> runs = coordinator_->GetStatus(0).runs;
  if (runs.size() < wanted_.size()) return false;
  for (const coordinator::RunStatus& run : runs) {
    if (run.state == "paused") (void)coordinator_->ResumeRun(run.run);
    if ((run.state != "done" && run.state != "stopped") || run.slots_in_flight != 0) return false;
  }
  return std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->running() && worker->pending() == 0;
  });
}

// What is still to be waited for, in words.
std::string Simulation::Unfinished() {
  if (!Up()) return "no coordinator";
  std::string words;
  for (const coordinator::RunStatus& run : coordinator_->GetStatus(0).runs) {
    if (run.state == "done" || run.state == "stopped") continue;
    absl::StrAppend(&words, " run ", run.spec.name, " is ", run.state, ", stage ", run.stage, ", ",
                    run.games_done, " games, ", run.slots_in_flight, " slots in flight, ",
                    run.poisoned_lines, " lines poisoned, ", run.reason);
  }
  for (size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i]->pending() > 0) absl::StrAppend(&words, " w", i, " has games");
  }
  return words;
}

void Simulation::FinalChecks() {
  CheckStored();
  CheckOperators();
  const coordinator::ClusterStatus status = coordinator_->GetStatus(0);
  uint64_t done = 0;
  uint64_t faults = 0;
  uint64_t excluded = 0;
  for (const coordinator::RunStatus& run : status.runs) {
    done += run.games_done;
    faults += run.faults;
    excluded += run.games_excluded;
    report_.checks += run.checks;
    const bool stopped = run.state == "stopped";
    if (stopped && run.spec.name != wanted_.back().name) Violation("a run stopped by itself");
    // Who is blocked afterwards takes games out of a run that is over.
    if (!stopped && run.games_done + run.games_excluded < options_.games) {
      Violation("a run ended with too few games");
    }
    if (run.conflicts != 0) Violation("a conflict between honest workers");
    if (run.leases != 0) Violation("a lease is left over");
  }
  StopCoordinator();
  const auto store = coordinator::Store::Open(path_, coordinator::OpenMode::kReadOnly);
  if (!store.ok()) return Violation(std::string(store.status().message()));
  SQLite::Database& db = (*store)->db();
  const auto count = [&](const std::string& of) {
    return static_cast<uint64_t>(db.execAndGet("SELECT count(*) FROM " + of).getInt64());
  };
  report_.games = count("games");
  report_.faults = count("games WHERE termination >= 32");
  if (report_.games != done + faults + excluded || faults > report_.faults ||
      report_.faults > faults + excluded) {
    Violation(absl::StrCat("memory counts ", done, " games, ", faults, " faults and ", excluded,
                           " that are out, the database ", report_.games, " with ", report_.faults,
                           " faults"));
  }
  report_.quarantines = count("trust_changes WHERE by_check = 1 AND worker = 'w0'");
  if (count("trust_changes WHERE by_check = 1 AND worker <> 'w0'") != 0) {
    Violation("an honest worker was quarantined");
  }
  std::vector<Key> acknowledged;
  for (const auto& [key, unused] : told_.games) acknowledged.push_back(key);
  const auto checked = coordinator::CheckInvariants(**store, rules_, std::move(acknowledged));
  if (!checked.ok()) return Violation(std::string(checked.status().message()));
  for (const std::string& violation : checked->first) Violation(violation);
}

SimulationReport Simulation::Run() {
  WriteToyBook(path_);
  for (int i = 0; i < options_.workers; ++i) {
    const SimWorker::Kind kind = i == 0       ? SimWorker::Kind::kWrong
                                 : i % 5 == 0 ? SimWorker::Kind::kPlain
                                              : SimWorker::Kind::kOrdinary;
    workers_.push_back(std::make_unique<SimWorker>(
        i, kind, 1 + static_cast<uint32_t>(world_.rng.Below(4)), world_, *this, *this, rules_));
  }
  links_.resize(workers_.size());
  trouble_until_ = world_.Now() + kTrouble;
  if (!StartCoordinator()) return report_;
  coordinator::RunSpec staged = ToySpec(options_.games, "result-driven");
  staged.name = "staged";
  staged.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
  staged.verify_percent = 3;
  coordinator::RunSpec online = ToySpec(options_.games, "sample-average");
  online.name = "online";
  coordinator::RunSpec urgent = ToySpec(options_.games, "sample-average");
  urgent.name = "urgent";
  urgent.share = {.priority = 9, .weight = 100};
  urgent.verify_percent = 3;
  coordinator::RunSpec stopped = ToySpec(options_.games, "sample-average");
  stopped.name = "stopped";
  stopped.share.weight = 20;
  wanted_ = {staged, online, urgent, stopped};
  for (size_t i = 0; i < wanted_.size(); ++i) wanted_[i].seed = options_.seed + i;
  CreateRuns();
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
    if (world_.Now() > give_up) Violation("the runs do not come to their end: " + Unfinished());
  }
  report_.trace = world_.trace();
  report_.simulated_seconds = world_.seconds();
  report_.acknowledged = told_.games.size();
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
