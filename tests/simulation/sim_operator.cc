#include "tests/simulation/sim_operator.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/database/store_backup.h"

namespace joseki::testing {

void SimOperator::CheckStored() {
  const std::set<SlotKey> stored = coordinator_.Stored();
  for (const auto& [key, unused] : told_.games) {
    if (!stored.contains(key)) {
      stage_.Violation(
          absl::StrCat("an acknowledged game is lost: lease ", key.first, " slot ", key.second));
    }
  }
  for (const SlotKey& key : lost_) {
    if (stored.contains(key)) {
      stage_.Violation(
          absl::StrCat("a game of a lost epoch: lease ", key.first, " slot ", key.second));
    }
  }
  stage_.world.Trace("stored ", stored.size());
}

void SimOperator::CheckTold() {
  std::set<std::string> names;
  for (const coordinator::RunStatus& run : coordinator_.get().readers().GetStatus(0).runs) {
    const std::string& name = run.spec.name;
    if (!names.insert(name).second)
      stage_.Violation(absl::StrCat("run ", name, " was created twice"));
    if (told_.stopped.contains(name) && run.state != "stopped") {
      stage_.Violation(absl::StrCat("run ", name, " was stopped, and is ", run.state));
    }
    const auto shares = told_.shares.find(name);
    if (shares != told_.shares.end() && std::find(shares->second.begin(), shares->second.end(),
                                                  run.spec.share) == shares->second.end()) {
      stage_.Violation(absl::StrCat("run ", name, " has priority ", run.spec.share.priority,
                                    " and weight ", run.spec.share.weight));
    }
    const auto games = told_.games_of.find(name);
    if (games != told_.games_of.end() && run.spec.games < games->second) {
      stage_.Violation(absl::StrCat("run ", name, " has a budget of ", run.spec.games,
                                    " games, and had ", games->second));
    }
  }
  for (const std::string& name : told_.created) {
    if (!names.contains(name)) stage_.Violation(absl::StrCat("run ", name, " is gone"));
  }
}

void SimOperator::Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict) {
  stage_.report.duplicates += verdict == worker::Verdict::kDuplicate;
  stage_.report.stale += verdict == worker::Verdict::kStaleAccepted;
  if (game.epoch != coordinator_.epoch()) return;  // that was before the database went back
  const auto [at, fresh] = told_.games.try_emplace({game.lease, game.slot}, game.moves);
  if (!fresh && at->second != game.moves) stage_.Violation("two games under one key acknowledged");
}

void SimOperator::OfALostEpoch(const worker::FinishedGame& game) {
  ++stage_.report.of_lost_epochs;
  if (game.epoch == coordinator_.epoch())
    stage_.Violation("a game of this epoch was refused as one of another");
}

void SimOperator::CreateRuns() {
  for (const coordinator::RunSpec& spec : wanted_) {
    if (!coordinator_.up()) return;
    const auto created = coordinator_.get().operators().CreateRun(spec, spec.name);
    const bool known = coordinator_.up() && created.ok();
    stage_.world.Trace("create ", spec.name, known ? "" : " failed");
    if (!known) continue;
    told_.created.insert(spec.name);
    told_.shares.try_emplace(spec.name, 1, spec.share);
  }
}

void SimOperator::MoveShare() {
  if (!coordinator_.up()) return;
  const std::vector<coordinator::RunStatus> runs = coordinator_.get().readers().GetStatus(0).runs;
  if (runs.empty()) return;
  const coordinator::RunStatus& run = runs[stage_.world.rng.Below(runs.size())];
  const auto shares = told_.shares.find(run.spec.name);
  if (shares == told_.shares.end()) return;
  const coordinator::Share wanted{.priority = static_cast<uint32_t>(stage_.world.rng.Below(3)),
                                  .weight = 1 + static_cast<uint32_t>(stage_.world.rng.Below(300))};
  const auto share =
      coordinator_.get().operators().SetPriority(run.run, wanted.priority, wanted.weight);
  const bool known = coordinator_.up() && share.ok();
  stage_.world.Trace("share ", run.spec.name, known ? "" : " failed");
  if (known) shares->second.clear();
  shares->second.push_back(wanted);
}

void SimOperator::ExtendARun() {
  if (!coordinator_.up()) return;
  const std::vector<coordinator::RunStatus> runs = coordinator_.get().readers().GetStatus(0).runs;
  if (runs.empty()) return;
  const coordinator::RunStatus& run = runs[stage_.world.rng.Below(runs.size())];
  const uint64_t games = 1 + stage_.world.rng.Below(20);
  const auto extended =
      coordinator_.get().operators().ExtendRun(run.run, {.games = games, .request_id = {}});
  const bool known = coordinator_.up() && extended.ok();
  stage_.world.Trace("extend ", run.spec.name, " which is ", run.state, known ? "" : " failed");
  if (!known) return;
  told_.games_of[run.spec.name] = extended->spec.games;
  ++stage_.report.extensions;
}

void SimOperator::StopARun() {
  if (!coordinator_.up()) return;
  for (const coordinator::RunStatus& run : coordinator_.get().readers().GetStatus(0).runs) {
    if (run.spec.name != wanted_.back().name) continue;
    const auto stopped = coordinator_.get().operators().StopRun(run.run);
    const bool known = coordinator_.up() && stopped.ok() && *stopped == "stopped";
    stage_.world.Trace("stop ", run.spec.name, known ? "" : " failed");
    if (known) told_.stopped.insert(run.spec.name);
  }
}

void SimOperator::BlockAWorker() {
  if (!coordinator_.up()) return;
  const std::string worker = absl::StrCat("w", stage_.world.rng.Below(workers_));
  const auto blocked =
      coordinator_.get().operators().BlockWorker(worker, "by the operator", /*unseen=*/false);
  stage_.world.Trace("block ", worker, blocked.ok() ? "" : " failed");
  stage_.report.blocks += blocked.ok();
}

void SimOperator::UnblockThoseOfTheOperator() {
  for (const coordinator::WorkerStatus& worker :
       coordinator_.get().readers().GetStatus(0).workers) {
    if (worker.state != "quarantined" || worker.reason != "by the operator") continue;
    if (!coordinator_.up()) return;
    const bool keep_out = stage_.world.Chance(0.5);
    const absl::Status unblocked =
        coordinator_.get().operators().UnblockWorker(worker.worker, keep_out);
    stage_.world.Trace("unblock ", worker.worker, keep_out ? ", games stay out" : "",
                       unblocked.ok() ? "" : " failed");
  }
}

void SimOperator::BackUpNow() {
  if (!coordinator_.up()) return;
  const WorkingDisk working(coordinator_.control());
  const std::string path = absl::StrCat(folder_, "/backup-", stage_.report.backups);
  const auto made = book::BackUp(coordinator_.path(), path);
  if (!made.ok()) return stage_.Violation(absl::StrCat("no backup: ", made.status().message()));
  ++stage_.report.backups;
  stage_.world.Trace("backup of ", made->games);
  backup_ = Backup{path, told_};
}

void SimOperator::RestoreLast() {
  if (!backup_) return;
  if (coordinator_.running()) {
    if (stage_.world.Chance(0.5)) {
      coordinator_.Kill(/*power=*/false);
    } else {
      coordinator_.Stop();
    }
    coordinator_.StartLater();
  }
  const WorkingDisk working(coordinator_.control());
  const auto restored = book::RestoreBackup(backup_->path, coordinator_.path());
  if (!restored.ok())
    return stage_.Violation(absl::StrCat("no restore: ", restored.status().message()));
  // Notes of the power model about the book that was moved aside do not apply to this one.
  for (const char* const suffix : {"", "-wal", "-journal"}) {
    std::filesystem::remove(absl::StrCat(coordinator_.path(), suffix, ".undo"));
  }
  ++stage_.report.restores;
  stage_.world.Trace("restored ", restored->games);
  coordinator_.set_epoch(restored->epoch);
  std::map<SlotKey, std::vector<Move>> acknowledged = std::exchange(told_, backup_->told).games;
  CheckStored();
  const std::set<SlotKey> stored = coordinator_.Stored();
  const auto newest =
      static_cast<uint64_t>(SQLite::Database(coordinator_.path(), SQLite::OPEN_READONLY)
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

void SimOperator::PauseARun() {
  if (!coordinator_.up()) return;
  const std::vector<coordinator::RunStatus> runs = coordinator_.get().readers().GetStatus(0).runs;
  if (runs.empty()) return;
  const coordinator::RunId run = runs[stage_.world.rng.Below(runs.size())].run;
  const auto paused = coordinator_.get().operators().PauseRun(run);
  stage_.world.Trace("pause ", run, paused.ok() ? "" : " refused");
}

void SimOperator::DrainAWorker() {
  if (!coordinator_.up()) return;
  const std::string worker = absl::StrCat("w", stage_.world.rng.Below(workers_));
  stage_.world.Trace("drain ", worker, " ", coordinator_.get().operators().Drain(worker));
}

}  // namespace joseki::testing
