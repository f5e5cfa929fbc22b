#include "tests/simulation/simulation.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/database/store.h"
#include "coordinator/offline/invariants.h"
#include "gtest/gtest.h"
#include "tests/simulation/lossy_network.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/sim_operator.h"
#include "tests/simulation/sim_worker.h"
#include "tests/simulation/stage.h"
#include "tests/support/toy_run.h"

namespace joseki::testing {
namespace {

constexpr absl::Duration kTrouble = absl::Minutes(4);  // how long things go wrong
constexpr absl::Duration kPatience = absl::Hours(2);   // for the end

// Lets things go wrong for a while, then waits for the end of all runs, and counts.
class Simulation final : public SimLedger, public SimCoordinator::Watcher {
 public:
  explicit Simulation(const SimulationOptions& options)
      : options_(options),
        stage_(options.seed),
        coordinator_(stage_, rules_, options.folder, options.seed, *this),
        network_(stage_, coordinator_, options.workers),
        operator_(stage_, coordinator_, options.folder, options.workers) {
    stage_.world.print = options.print;
  }

  SimulationReport Run();

  void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) override {
    operator_.Acknowledged(game, verdict);
  }
  void OfALostEpoch(const worker::FinishedGame& game) override { operator_.OfALostEpoch(game); }
  void Violation(const std::string& what) override { stage_.Violation(what); }

  void Started() override { operator_.CheckTold(); }
  void StartedAgain() override { operator_.CheckStored(); }

 private:
  // Lets `what` happen at random times, so often on average, while there is trouble.
  void Sometimes(absl::Duration mean, std::function<void()> what);
  void MakeTrouble();
  void TroubleTheCoordinator();
  void TroubleWorkers();
  void StopTrouble();
  void StartWorkerLater(SimWorker& worker);
  bool Finished();
  // The conditions that are still awaited, in words.
  std::string Unfinished();
  void FinalChecks();

  const SimulationOptions options_;
  const ToyRules rules_{};
  Stage stage_;
  SimCoordinator coordinator_;
  LossyNetwork network_;
  SimOperator operator_;
  std::vector<std::unique_ptr<SimWorker>> workers_;
};

// ---- What goes wrong ----

void Simulation::Sometimes(absl::Duration mean, std::function<void()> what) {
  stage_.world.After(stage_.world.Between(absl::ZeroDuration(), 2 * mean), [this, mean, what] {
    if (!stage_.trouble()) return;
    what();
    Sometimes(mean, what);
  });
}

void Simulation::StartWorkerLater(SimWorker& worker) {
  stage_.world.After(stage_.world.Between(absl::Milliseconds(200), absl::Seconds(40)), [&worker] {
    if (!worker.running()) worker.Start();
  });
}

void Simulation::TroubleTheCoordinator() {
  if (!coordinator_.running()) return;
  if (stage_.world.Chance(0.2)) {
    coordinator_.Stop();
  } else {
    coordinator_.Kill(stage_.world.Chance(0.5));
  }
  coordinator_.StartLater();
}

void Simulation::TroubleWorkers() {
  SimWorker& worker = *workers_[stage_.world.rng.Below(workers_.size())];
  if (!worker.running()) return;
  switch (stage_.world.rng.Below(4)) {
    case 0:
      ++stage_.report.worker_deaths;
      worker.Kill();
      return StartWorkerLater(worker);
    case 1:
      worker.Drain();
      return;  // started again by the next round that finds it gone
    case 2:
      return worker.Freeze(stage_.world.Between(absl::Seconds(5), absl::Minutes(3)));
    default:
      for (const auto& gone : workers_) {
        if (!gone->running() && stage_.world.Chance(0.5)) StartWorkerLater(*gone);
      }
  }
}

void Simulation::MakeTrouble() {
  World& world = stage_.world;
  Sometimes(absl::Seconds(25), [this] { TroubleTheCoordinator(); });
  Sometimes(absl::Seconds(15), [this] { coordinator_.DieWhileWriting(); });
  Sometimes(absl::Seconds(20), [this] { coordinator_.FailDisk(); });
  Sometimes(absl::Seconds(1), [this] { TroubleWorkers(); });
  Sometimes(absl::Seconds(2), [this] { network_.CutSomebodyOff(); });
  Sometimes(absl::Seconds(60), [this] { operator_.PauseARun(); });
  Sometimes(absl::Seconds(20), [this] {
    if (!coordinator_.up()) return;
    for (const auto& run : coordinator_.get().readers().GetStatus(0).runs) {
      (void)coordinator_.get().operators().ResumeRun(run.run);
    }
  });
  Sometimes(absl::Seconds(10), [this] { operator_.CreateRuns(); });
  Sometimes(absl::Seconds(8), [this] { operator_.MoveShare(); });
  Sometimes(absl::Seconds(30), [this] { operator_.ExtendARun(); });
  Sometimes(absl::Seconds(15), [this] { operator_.BlockAWorker(); });
  Sometimes(absl::Seconds(40), [this] {
    if (coordinator_.up()) operator_.UnblockThoseOfTheOperator();
  });
  Sometimes(absl::Seconds(30), [this] { operator_.DrainAWorker(); });
  Sometimes(absl::Seconds(60), [this] {
    if (coordinator_.up()) coordinator_.get().operators().Undrain("").IgnoreError();
  });
  Sometimes(absl::Seconds(40), [this] { operator_.BackUpNow(); });
  if (world.Chance(0.5)) {
    world.After(world.Between(absl::Seconds(60), kTrouble), [this] { operator_.RestoreLast(); });
  }
  if (world.Chance(0.5)) {
    world.After(world.Between(absl::Seconds(60), kTrouble), [this] { operator_.StopARun(); });
  }
}

void Simulation::StopTrouble() {
  stage_.world.Trace("trouble is over");
  coordinator_.MendDisk();
  network_.Mend();
}

// ---- From beginning to end ----

bool Simulation::Finished() {
  if (!coordinator_.up() || stage_.trouble()) return false;
  operator_.CreateRuns();
  coordinator_.get().operators().Undrain("").IgnoreError();
  operator_.UnblockThoseOfTheOperator();
  const std::vector<coordinator::RunStatus> runs = coordinator_.get().readers().GetStatus(0).runs;
  if (runs.size() < operator_.wanted().size()) return false;
  for (const coordinator::RunStatus& run : runs) {
    if (run.state == "paused") (void)coordinator_.get().operators().ResumeRun(run.run);
    if ((run.state != "done" && run.state != "stopped") || run.slots_in_flight != 0) return false;
  }
  return std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->running() && worker->pending() == 0;
  });
}

std::string Simulation::Unfinished() {
  if (!coordinator_.up()) return "no coordinator";
  std::string words;
  for (const coordinator::RunStatus& run : coordinator_.get().readers().GetStatus(0).runs) {
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
  operator_.CheckStored();
  operator_.CheckTold();
  const coordinator::ClusterStatus status = coordinator_.get().readers().GetStatus(0);
  uint64_t done = 0;
  uint64_t faults = 0;
  uint64_t excluded = 0;
  for (const coordinator::RunStatus& run : status.runs) {
    done += run.games_done;
    faults += run.faults;
    excluded += run.games_excluded;
    stage_.report.copies += run.copies;
    const bool stopped = run.state == "stopped";
    if (stopped && run.spec.name != operator_.wanted().back().name)
      stage_.Violation("a run stopped by itself");
    // A block after the run's end removes games from it.
    if (!stopped && run.games_done + run.games_excluded < run.spec.games) {
      stage_.Violation("a run ended with too few games");
    }
    if (run.conflicts != 0) stage_.Violation("a conflict between honest workers");
    if (run.leases != 0) stage_.Violation("a lease is left over");
  }
  coordinator_.Stop();
  const auto store = book::Store::Open(coordinator_.path(), book::OpenMode::kReadOnly);
  if (!store.ok()) return stage_.Violation(std::string(store.status().message()));
  SQLite::Database& db = (*store)->db();
  const auto count = [&](const std::string& of) {
    return static_cast<uint64_t>(db.execAndGet("SELECT count(*) FROM " + of).getInt64());
  };
  stage_.report.games = count("games");
  stage_.report.faults = count("games WHERE termination >= 32");
  if (stage_.report.games != done + faults + excluded || faults > stage_.report.faults ||
      stage_.report.faults > faults + excluded) {
    stage_.Violation(absl::StrCat("memory counts ", done, " games, ", faults, " faults and ",
                                  excluded, " that are out, the database ", stage_.report.games,
                                  " with ", stage_.report.faults, " faults"));
  }
  stage_.report.quarantines = count("trust_changes WHERE by_check = 1 AND worker = 'w0'");
  if (count("trust_changes WHERE by_check = 1 AND worker <> 'w0'") != 0) {
    stage_.Violation("an honest worker was quarantined");
  }
  std::vector<SlotKey> acknowledged;
  for (const auto& [key, unused] : operator_.acknowledged()) acknowledged.push_back(key);
  const auto checked = coordinator::CheckInvariants(**store, rules_, std::move(acknowledged));
  if (!checked.ok()) return stage_.Violation(std::string(checked.status().message()));
  for (const std::string& violation : checked->first) stage_.Violation(violation);
}

SimulationReport Simulation::Run() {
  WriteToyBook(coordinator_.path());
  for (int i = 0; i < options_.workers; ++i) {
    const SimWorker::Kind kind = i == 0       ? SimWorker::Kind::kWrong
                                 : i % 5 == 0 ? SimWorker::Kind::kPlain
                                              : SimWorker::Kind::kOrdinary;
    workers_.push_back(
        std::make_unique<SimWorker>(i, kind, 1 + static_cast<uint32_t>(stage_.world.rng.Below(4)),
                                    stage_.world, network_, *this, rules_));
  }
  stage_.trouble_until = stage_.world.Now() + kTrouble;
  if (!coordinator_.Start()) return stage_.report;
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
  std::vector wanted = {staged, online, urgent, stopped};
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i].seed = options_.seed + i;
  operator_.Want(std::move(wanted));
  operator_.CreateRuns();
  for (const auto& worker : workers_) {
    stage_.world.After(stage_.world.Between(absl::ZeroDuration(), absl::Seconds(20)),
                       [&worker] { worker->Start(); });
  }
  coordinator_.Step();
  MakeTrouble();
  stage_.world.After(kTrouble, [this] { StopTrouble(); });
  const absl::Time give_up = stage_.trouble_until + kPatience;
  absl::Time look = stage_.trouble_until;
  while (stage_.world.Step() && stage_.report.violations.empty()) {
    if (stage_.world.Now() < look) continue;
    look = stage_.world.Now() + absl::Seconds(1);
    for (const auto& worker : workers_) {
      if (!worker->running()) worker->Start();
    }
    if (Finished()) {
      FinalChecks();
      break;
    }
    if (stage_.world.Now() > give_up)
      stage_.Violation("the runs do not come to their end: " + Unfinished());
  }
  stage_.report.trace = stage_.world.trace();
  stage_.report.simulated_seconds = stage_.world.seconds();
  stage_.report.acknowledged = operator_.acknowledged().size();
  coordinator_.End();
  return stage_.report;
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
