#include "tests/simulation/sim_coordinator.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/database/store.h"

namespace joseki::testing {

using coordinator::Coordinator;

namespace {

constexpr absl::Duration kStep = absl::Milliseconds(50);
constexpr absl::Duration kAcquireWait = absl::Seconds(20);

}  // namespace

SimCoordinator::SimCoordinator(Stage& stage, const Rules& rules, const std::string& folder,
                               uint64_t seed, Watcher& watcher)
    : stage_(stage),
      rules_(rules),
      watcher_(watcher),
      path_(folder + "/book.sqlite"),
      vfs_(control_, {.power_loss = true,
                      .real_sync = false,
                      .wal_pages = 100,
                      .death = FaultInjector::Death::kSimulated,
                      .seed = seed}) {}

bool SimCoordinator::Start() {
  Coordinator::Options options;
  options.db_path = path_;
  options.acquire_wait = kAcquireWait;
  options.lease_term = absl::Seconds(90);
  options.slots_per_lease = 4;
  options.checkpoint = absl::Seconds(5);
  options.batch_time = absl::Hours(1);  // the speed of the machine does not count
  options.storage_retry = absl::ZeroDuration();
  auto started = [&]() -> absl::StatusOr<std::unique_ptr<Coordinator>> {
    ASSIGN_OR_RETURN(book::FileLock lock, book::FileLock::Take(path_));
    ASSIGN_OR_RETURN(const auto store, book::Store::Open(path_, book::OpenMode::kReadWrite));
    epoch_ = store->epoch();
    return Coordinator::Open(options, rules_, stage_.world, std::move(lock));
  }();
  ++life_;
  if (control_.struck != 0) {
    started = absl::UnavailableError("killed while it started");
    Bury();
  }
  if (!started.ok()) {
    // A failing disk may be the reason; the start is then retried.
    stage_.world.Trace("coordinator cannot start");
    if (!stage_.trouble()) stage_.Violation(absl::StrCat("no start: ", started.status().message()));
    return false;
  }
  coordinator_ = *std::move(started);
  stage_.world.Trace("coordinator starts");
  watcher_.Started();
  return true;
}

void SimCoordinator::StartLater() {
  const absl::Duration down = stage_.world.Chance(0.3)
                                  ? stage_.world.Between(absl::Seconds(10), absl::Seconds(60))
                                  : stage_.world.Between(absl::Milliseconds(100), absl::Seconds(5));
  stage_.world.After(down, [this] {
    if (Start()) {
      watcher_.StartedAgain();
    } else if (stage_.report.violations.empty()) {
      StartLater();
    }
  });
}

void SimCoordinator::Step() {
  if (coordinator_ != nullptr) {
    coordinator_->Step();
    if (control_.struck != 0) {
      Kill(stage_.world.Chance(0.5));
      StartLater();
    }
  }
  stage_.world.After(kStep, [this] { Step(); });
}

void SimCoordinator::Kill(bool power) {
  control_.dead = 1;
  ++life_;
  coordinator_.reset();
  Bury();
  if (power) {
    ++stage_.report.power_losses;
    const absl::Status lost = LosePower(path_, stage_.world.rng);
    if (!lost.ok()) stage_.Violation(std::string(lost.message()));
  }
  stage_.world.Trace("coordinator killed", power ? ", power lost" : "");
}

void SimCoordinator::Stop() {
  stage_.world.Trace("coordinator stops");
  coordinator_.reset();
  if (control_.struck != 0) Bury();
}

void SimCoordinator::End() {
  ++life_;
  coordinator_.reset();
}

void SimCoordinator::Bury() {
  ++stage_.report.coordinator_deaths;
  if (control_.struck != 0) {
    ++stage_.report.deaths_while_writing;
    stage_.world.Trace("coordinator dies at ",
                       std::string(Name(static_cast<FaultPoint>(control_.struck.load()))));
  }
  control_.dead = 0;
  control_.struck = 0;
  control_.kill_at = 0;
}

void SimCoordinator::DieWhileWriting() {
  constexpr std::array kPoints = {FaultPoint::kWalWrite, FaultPoint::kWalSync, FaultPoint::kDbWrite,
                                  FaultPoint::kDbSync};
  Rng& rng = stage_.world.rng;
  const FaultPoint point = kPoints[rng.Below(kPoints.size())];
  control_.KillAt(point, static_cast<uint32_t>(rng.Below(8)),
                  static_cast<FaultMoment>(rng.Below(3)));
}

void SimCoordinator::FailDisk() {
  World& world = stage_.world;
  ++stage_.report.storage_faults;
  world.Trace("the disk fails");
  if (world.Chance(0.5)) {
    control_.full = 1;
    world.After(world.Between(absl::Seconds(1), absl::Seconds(20)), [this] { control_.full = 0; });
    return;
  }
  constexpr std::array kPoints = {FaultPoint::kWalWrite, FaultPoint::kWalSync, FaultPoint::kDbWrite,
                                  FaultPoint::kDbSync, FaultPoint::kDbTruncate};
  control_.torn = static_cast<uint32_t>(world.rng.Below(2));
  control_.Fail(kPoints[world.rng.Below(kPoints.size())],
                1 + static_cast<uint32_t>(world.rng.Below(20)));
}

void SimCoordinator::MendDisk() {
  control_.kill_at = 0;
  control_.full = 0;
  control_.torn = 0;
  for (auto& fail : control_.fail) fail = 0;
}

std::set<SlotKey> SimCoordinator::Stored() const {
  SQLite::Database db(path_, SQLite::OPEN_READONLY);
  // Copies replayed by a second worker are acknowledged too, and are no games of the run.
  SQLite::Statement games(db,
                          "SELECT lease, slot FROM games UNION ALL"
                          " SELECT lease, slot FROM checks WHERE state <> 0");
  std::set<SlotKey> stored;
  while (games.executeStep()) {
    stored.emplace(static_cast<uint64_t>(games.getColumn(0).getInt64()),
                   static_cast<uint32_t>(games.getColumn(1).getInt64()));
  }
  return stored;
}

}  // namespace joseki::testing
