#include "coordinator/maintenance.h"

#include <optional>
#include <utility>

#include "coordinator/core/recompute.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(20);

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
  for (bool again = false;;) {
    if (!again) waker_.Sleep(kTick);
    if (gate_.Look([](const Tables& tables) { return tables.holds.stopping; })) return;
    again = Tick();
    WatchDisk();
    CopyWeights();
    gate_.LetOthers();
  }
}

bool Maintenance::Tick() {
  waker_.TakeWake();  // this tick is what it asked for
  gate_.DoInPieces([this](Tables& tables) { return upkeep_.CountSome(tables); });
  gate_.Do([this](Tables& tables) { upkeep_.BeginTick(tables); });
  const bool chores = gate_.Do([this](Tables& tables) { return upkeep_.EndTick(tables); });
  if (chores) checkpointer_.WriteDue();
  return waker_.TakeWake();
}

void Maintenance::WatchDisk() {
  std::optional<DiskWatch::Finding> finding = disk_watch_.Look(setting_.clock.Now());
  if (!finding) return;
  gate_.Do([&](Tables& tables) {
    NoteDisk(tables, finding->level, std::move(finding->problem));
    tables.holds.book_lost = disk_watch_.lock_lost();
  });
  if (disk_watch_.lock_lost() && setting_.options.lock_lost) setting_.options.lock_lost();
}

void Maintenance::CopyWeights() {
  while (const std::optional<DueCopy> due =
             gate_.Look([](const Tables& tables) { return FindCopy(tables); })) {
    book::Weights copy = *due->of;
    gate_.Do([&](Tables& tables) { GiveCopy(tables, *due, std::move(copy)); });
  }
  gate_.DoInPieces([](Tables& tables) { return WeighSome(tables); });
}

}  // namespace joseki::coordinator
