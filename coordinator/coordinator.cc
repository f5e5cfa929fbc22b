#include "coordinator/coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/core/refusals.h"
#include "coordinator/restore.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(20);
constexpr book::NodeId kWeighedAtOnce = 4096;  // positions, before others get the mutex

void Log(const Effects::Line& line) {
  switch (line.severity) {
    case Effects::Severity::kInfo:
      spdlog::info("{}", line.text);
      return;
    case Effects::Severity::kWarn:
      spdlog::warn("{}", line.text);
      return;
    case Effects::Severity::kError:
      spdlog::error("{}", line.text);
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

}  // namespace

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(Options options, const Rules& rules,
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
    spdlog::warn("network_file_system kind={} db={}: no other machine may open the book", served,
                 options.db_path);
  }
  // Open the store before taking the lock: a migration takes the lock for itself.
  const book::OpenMode mode =
      options.only_looks ? book::OpenMode::kReadOnly : book::OpenMode::kCreate;
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(options.db_path, mode, rules.game()));
  ASSIGN_OR_RETURN(book::FileLock lock, book::FileLock::Take(options.db_path, options.page));
  auto coordinator = std::make_unique<Coordinator>(std::move(options), rules, clock,
                                                   std::move(lock), store->epoch());
  RETURN_IF_ERROR(coordinator->Open());
  return coordinator;
}

Coordinator::Coordinator(Options options, const Rules& rules, const Clock& clock,
                         book::FileLock lock, std::string epoch)
    : options_(std::move(options)),
      rules_(rules),
      clock_(clock),
      wall_(options_.wall == nullptr ? clock : *options_.wall),
      epoch_(std::move(epoch)),
      started_(clock.Now()),
      weights_(options_.db_path),
      gate_(rules_, SettingsOf(options_), started_,
            {.moment = [this] { return MomentNow(); },
             .perform = [this](Effects& effects) { Perform(effects); }}),
      rebuilder_(options_.db_path, rules_, clock_, gate_),
      upkeep_(started_, options_.checkpoint),
      disk_watch_(options_.db_path, options_.disk_marks, options_.disk_space, std::move(lock)),
      payer_(gate_),
      game_writer_(gate_) {}

absl::Status Coordinator::Open() {
  ASSIGN_OR_RETURN(
      std::unique_ptr<book::Store> store,
      book::Store::Open(options_.db_path, options_.only_looks ? book::OpenMode::kReadOnly
                                                              : book::OpenMode::kReadWrite));
  uint64_t commit_seq = 0;
  RETURN_IF_ERROR(gate_.Do([&](Tables& tables) {
    const absl::Status restored = RestoreTables(*store, options_.attempts_per_line, tables);
    commit_seq = tables.marks.commit_seq;
    return restored;
  }));
  Writer::Hooks hooks;
  hooks.before = [this](RunStore& rows) { return payer_.PayAll(rows); };
  hooks.after = [this](bool committed) {
    game_writer_.EndTransaction();
    payer_.EndTransaction(committed);
  };
  hooks.finished = [this] { GiveReplies(replies_); };
  hooks.on_health = [this](const absl::Status& status) { NoteStorage(status); };
  Writer::Options writing;
  writing.batch_games = options_.batch_games;
  writing.gather = options_.gather;
  writing.gather_games = std::min(writing.gather_games, options_.batch_games);
  if (!options_.own_threads || options_.only_looks) {
    // Results must not depend on the speed of this machine.
    writing.batch_time = absl::Hours(1);
    writing.retry = absl::ZeroDuration();
    writing.own_thread = false;
  } else {
    ASSIGN_OR_RETURN(backfill_, book::WalBackfill::Start(*store));
  }
  writer_ = std::make_unique<Writer>(std::move(store), commit_seq, writing, std::move(hooks));
  checkpointer_ =
      std::make_unique<Checkpointer>(Checkpointer::Options{.every = options_.checkpoint,
                                                           .games = options_.checkpoint_games,
                                                           .rows = options_.checkpoint_rows},
                                     gate_, *writer_);
  if (options_.only_looks) return absl::OkStatus();
  WatchDisk();
  writer_->Nudge();
  if (options_.own_threads) {
    maintenance_ = std::thread([this] { Maintain(); });
    rebuilder_.Start();
  }
  return absl::OkStatus();
}

Coordinator::~Coordinator() {
  std::vector<Waiter> held = gate_.Do([](Tables& tables) {
    tables.stopping = true;
    return tables.waiters.TakeAll();
  });
  maintenance_waker_.Wake();
  if (maintenance_.joinable()) maintenance_.join();
  rebuilder_.Stop();
  for (const Waiter& waiter : held) waiter.done(ShuttingDown());
  if (writer_ == nullptr || options_.only_looks) return;
  checkpointer_->Push(gate_.Do([&](Tables& tables) -> Checkpointer::Sweeps {
    if (disk_watch_.lock_lost()) {
      tables.ledger = {};  // the book belongs to another coordinator: drop the debts
      return {};
    }
    for (const auto& [id, run] : tables.runs) tables.ledger.Owe(run.state.row());
    return Checkpointer::BeginAll(tables);
  }));
  writer_->Nudge();
  writer_->Stop();  // its callbacks still push slices of checkpoints
}

Moment Coordinator::MomentNow() const {
  return {.now = clock_.Now(),
          .wall_ms = absl::ToUnixMillis(wall_.Now()),
          .queued_games = writer_ == nullptr ? 0 : writer_->queued_games(),
          .written_games = writer_ == nullptr ? 0 : writer_->written_games()};
}

void Coordinator::Perform(Effects& effects) {
  for (const Effects::Line& line : effects.log) Log(line);
  for (Effects::KeptVersion& kept : effects.weights) {
    weights_.Put(kept.run, kept.version, std::move(kept.weights));
  }
  for (Effects::Work& work : effects.work) WriteAndHandOut(std::move(work));
  if (effects.write) writer_->Nudge();
  if (effects.rebuild) rebuilder_.Wake();
  if (effects.again) maintenance_waker_.Wake();
  for (const std::function<void()>& reply : effects.replies) reply();
}

void Coordinator::NoteStorage(const absl::Status& status) {
  gate_.Do([&](Tables& tables) {
    tables.storage.problem = std::string(status.message());
    if (status.ok()) tables.leases.RenewAll(tables.moment.now);
  });
  if (status.ok()) {
    spdlog::info("storage_works");
  } else {
    spdlog::error("storage_fails reason=\"{}\"", std::string(status.message()));
  }
}

void Coordinator::Maintain() {
  for (;;) {
    maintenance_waker_.Sleep(kTick);
    if (gate_.Look([](const Tables& tables) { return tables.stopping; })) return;
    Tick();
    WatchDisk();
    CopyWeights();
    gate_.LetOthers();
  }
}

void Coordinator::Step() {
  WatchDisk();
  while (Tick()) {
  }
  while (rebuilder_.RunOne()) {
  }
  CopyWeights();
  writer_->RunQueued();
}

bool Coordinator::Tick() {
  gate_.DoInPieces([this](Tables& tables) { return upkeep_.CountSome(tables); });
  Checkpointer::Sweeps sweeps;
  const bool again = gate_.Do([&](Tables& tables) {
    const Upkeep::Done done = upkeep_.Tick(tables);
    if (done.chores) sweeps = checkpointer_->BeginDue(tables);
    return done.again;
  });
  checkpointer_->Push(std::move(sweeps));
  return again;
}

void Coordinator::WatchDisk() {
  std::optional<DiskWatch::Finding> finding = disk_watch_.Look(clock_.Now());
  if (!finding) return;
  gate_.Do([&](Tables& tables) {
    tables.storage.disk = finding->level;
    tables.storage.disk_problem = std::move(finding->problem);
  });
  if (disk_watch_.lock_lost() && options_.lock_lost) options_.lock_lost();
}

void Coordinator::CopyWeights() {
  for (;;) {
    RunId id = 0;
    const std::shared_ptr<const book::Weights> of =
        gate_.Look([&](const Tables& tables) -> std::shared_ptr<const book::Weights> {
          for (const auto& [run_id, run] : tables.runs) {
            id = run_id;
            if (!run.state.row().running()) continue;
            if (auto wanted = run.state.evidence().weights().WantsCopy()) return wanted;
          }
          return nullptr;
        });
    if (of == nullptr) break;
    book::Weights copy = *of;
    gate_.Do([&](Tables& tables) {
      tables.runs.at(id).state.evidence().weights().GiveCopy(of, std::move(copy));
    });
  }
  gate_.DoInPieces([](Tables& tables) {
    return std::any_of(tables.runs.begin(), tables.runs.end(), [](auto& entry) {
      RunState& state = entry.second.state;
      return state.row().running() && state.evidence().weights().WeighSome(kWeighedAtOnce);
    });
  });
}

}  // namespace joseki::coordinator
