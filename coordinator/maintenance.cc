#include "coordinator/maintenance.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "book/graph.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(20);
constexpr book::NodeId kWeighedAtOnce = 4096;  // positions, before others get the mutex

}  // namespace

Maintenance::Maintenance(const Setting& setting, book::FileLock lock, Gate& gate,
                         Checkpointer& checkpointer)
    : setting_(setting),
      gate_(gate),
      checkpointer_(checkpointer),
      upkeep_(setting.started, setting.options.checkpoint),
      disk_watch_(setting.options.db_path, setting.options.disk_marks, setting.options.disk_space,
                  std::move(lock)) {}

void Maintenance::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Maintenance::Stop() {
  waker_.Wake();
  if (thread_.joinable()) thread_.join();
}

void Maintenance::Run() {
  for (;;) {
    waker_.Sleep(kTick);
    if (gate_.Look([](const Tables& tables) { return tables.stopping; })) return;
    Tick();
    WatchDisk();
    CopyWeights();
    gate_.LetOthers();
  }
}

bool Maintenance::Tick() {
  gate_.DoInPieces([this](Tables& tables) { return upkeep_.CountSome(tables); });
  Checkpointer::Sweeps sweeps;
  const bool again = gate_.Do([&](Tables& tables) {
    const Upkeep::Done done = upkeep_.Tick(tables);
    if (done.chores) sweeps = checkpointer_.BeginDue(tables);
    return done.again;
  });
  checkpointer_.Push(std::move(sweeps));
  return again;
}

void Maintenance::WatchDisk() {
  std::optional<DiskWatch::Finding> finding = disk_watch_.Look(setting_.clock.Now());
  if (!finding) return;
  gate_.Do([&](Tables& tables) {
    tables.storage.disk = finding->level;
    tables.storage.disk_problem = std::move(finding->problem);
  });
  if (disk_watch_.lock_lost() && setting_.options.lock_lost) setting_.options.lock_lost();
}

void Maintenance::CopyWeights() {
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
