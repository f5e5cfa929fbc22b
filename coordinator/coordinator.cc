#include "coordinator/coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/upkeep.h"
#include "coordinator/restore.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

void Log(const Effects::Line& line) {
  switch (line.severity) {
    case Effects::Severity::kInfo:
      spdlog::info("event={}", line.text);
      return;
    case Effects::Severity::kWarn:
      spdlog::warn("event={}", line.text);
      return;
    case Effects::Severity::kError:
      spdlog::error("event={}", line.text);
      return;
  }
}

Tables::Settings SettingsOf(const CoordinatorOptions& options) {
  return {.acquire_wait = options.acquire_wait,
          .lease_term = options.lease_term,
          .slots_per_lease = options.slots_per_lease,
          .quarantine_outliers = options.quarantine_outliers,
          .pressure = options.pressure,
          .seed = options.seed};
}

Writer::Options WritingOptions(const CoordinatorOptions& options) {
  Writer::Options writing;
  writing.batch_games = options.batch_games;
  writing.batch_time = options.batch_time;
  writing.queue.gather = options.gather;
  writing.queue.gather_games = std::min(writing.queue.gather_games, options.batch_games);
  writing.retry = options.storage_retry;
  return writing;
}

book::OpenMode ModeOf(const CoordinatorOptions& options, book::OpenMode otherwise) {
  return options.only_looks ? book::OpenMode::kReadOnly : otherwise;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(Options options, const Rules& rules,
                                                                const Clock& clock) {
  ASSIGN_OR_RETURN(std::unique_ptr<Coordinator> coordinator,
                   Open(std::move(options), rules, clock));
  RETURN_IF_ERROR(coordinator->StartThreads());
  return coordinator;
}

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Open(Options options, const Rules& rules,
                                                               const Clock& clock) {
  if (const std::string served = options.network_file_system(options.db_path); !served.empty()) {
    if (!options.allow_network_file_system) {
      return MakeProblem(
          {.code = "network_file_system",
           .file = options.db_path,
           .found = absl::StrCat("a file system of kind ", served, ", served by another machine"),
           .expected = "a local disk (copy to shared storage with `joseki backup`), or "
                       "--allow-network-filesystem where no other machine opens the book"},
          absl::StatusCode::kFailedPrecondition);
    }
    spdlog::warn("event=network_file_system kind={} db={}: no other machine may open the book",
                 served, options.db_path);
  }
  // Open the store before taking the lock: a migration takes the lock for itself.
  ASSIGN_OR_RETURN(
      const std::unique_ptr<book::Store> store,
      book::Store::Open(options.db_path, ModeOf(options, book::OpenMode::kCreate), rules.game()));
  ASSIGN_OR_RETURN(book::FileLock lock,
                   options.only_looks ? book::FileLock::TakeToLook(options.db_path, options.page)
                                      : book::FileLock::Take(options.db_path, options.page));
  return Open(std::move(options), rules, clock, std::move(lock));
}

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Open(Options options, const Rules& rules,
                                                               const Clock& clock,
                                                               book::FileLock lock) {
  ASSIGN_OR_RETURN(std::unique_ptr<book::Store> store,
                   book::Store::Open(options.db_path, ModeOf(options, book::OpenMode::kReadWrite)));
  const Clock& wall = options.wall == nullptr ? clock : *options.wall;
  Tables tables(rules, SettingsOf(options), clock.Now());
  tables.moment.wall_ms = absl::ToUnixMillis(wall.Now());
  RETURN_IF_ERROR(RestoreTables(*store, options.attempts_per_line, tables));
  std::string epoch = store->epoch();
  const absl::Time started = tables.moment.now;
  std::unique_ptr<Coordinator> coordinator(
      new Coordinator({std::move(options), rules, clock, wall, std::move(epoch), started},
                      {std::move(tables), std::move(store), std::move(lock)}));
  if (!coordinator->setting_.options.only_looks) {
    coordinator->maintenance_.WatchDisk();
    coordinator->writer_.Nudge();
  }
  return coordinator;
}

Coordinator::Coordinator(Setting setting, Restored restored)
    : setting_(std::move(setting)),
      weights_(setting_.options.db_path),
      gate_(std::move(restored.tables),
            {.moment = [this] { return MomentNow(); },
             .perform = [this](Effects& effects) { Perform(effects); }}),
      rebuilder_(setting_.options.db_path, setting_.rules, gate_),
      payer_(gate_),
      store_(*restored.store),
      writer_(std::move(restored.store),
              gate_.Look([](const Tables& tables) { return tables.marks.commit_seq; }),
              WritingOptions(setting_.options), WriterHooks()),
      checkpointer_({.lag = {setting_.options.checkpoint, setting_.options.checkpoint_games},
                     .rows = setting_.options.checkpoint_rows},
                    gate_, writer_),
      maintenance_(setting_, std::move(restored.lock), gate_, checkpointer_),
      workers_(setting_, weights_, gate_, writer_),
      operators_(setting_, gate_, writer_),
      readers_(setting_, gate_, writer_) {
  gate_.Do([](Tables&) {});  // performs the effects of what was restored
}

Writer::Hooks Coordinator::WriterHooks() {
  return {.before = [this](RunStore& rows) { return payer_.PayAll(rows); },
          .after =
              [this](bool committed) {
                workers_.EndTransaction();
                payer_.EndTransaction(committed);
              },
          .finished = [this] { workers_.SendReplies(); },
          .on_health = [this](const absl::Status& status) { NoteStorage(status); }};
}

absl::Status Coordinator::StartThreads() {
  ASSIGN_OR_RETURN(backfill_, book::WalBackfill::Start(store_));
  writer_.Start();
  maintenance_.Start();
  rebuilder_.Start();
  return absl::OkStatus();
}

Coordinator::~Coordinator() {
  const std::vector<Waiter> held = gate_.Do([](Tables& tables) { return StopGranting(tables); });
  maintenance_.Stop();
  rebuilder_.Stop();
  for (const Waiter& waiter : held) waiter.done(ShuttingDown());
  if (setting_.options.only_looks) return;
  if (maintenance_.lock_lost()) {
    gate_.Do([](Tables& tables) { DropDebts(tables); });
  } else {
    gate_.Do([](Tables& tables) { OweRuns(tables); });
    checkpointer_.WriteAll();
  }
  writer_.Nudge();
  writer_.Stop();  // its callbacks still push slices of checkpoints
}

void Coordinator::Step() {
  maintenance_.WatchDisk();
  while (maintenance_.Tick()) {
  }
  while (rebuilder_.RunOne()) {
  }
  maintenance_.CopyWeights();
  writer_.RunQueued();
}

Moment Coordinator::MomentNow() const {
  return {.now = setting_.clock.Now(),
          .wall_ms = absl::ToUnixMillis(setting_.wall.Now()),
          .queued_games = writer_.queued_games(),
          .written_games = writer_.written_games()};
}

void Coordinator::Perform(Effects& effects) {
  for (const Effects::Line& line : effects.log) Log(line);
  for (Effects::KeptVersion& kept : effects.weights) {
    weights_.Put(kept.run, kept.version, std::move(kept.weights));
  }
  for (Effects::Work& work : effects.work) workers_.WriteAndHandOut(std::move(work));
  if (effects.write) writer_.Nudge();
  if (effects.rebuild) rebuilder_.Wake();
  if (effects.again) maintenance_.Wake();
  for (const std::function<void()>& reply : effects.replies) reply();
}

void Coordinator::NoteStorage(const absl::Status& status) {
  gate_.Do(
      [&](Tables& tables) { coordinator::NoteStorage(tables, std::string(status.message())); });
  if (status.ok()) {
    spdlog::info("event=storage_works");
  } else {
    spdlog::error("event=storage_fails reason=\"{}\"", std::string(status.message()));
  }
}

}  // namespace joseki::coordinator
