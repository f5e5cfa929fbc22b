#pragma once

#include <thread>

#include "book/database/file_lock.h"
#include "coordinator/checkpointer.h"
#include "coordinator/core/upkeep.h"
#include "coordinator/disk_watch.h"
#include "coordinator/gate.h"
#include "coordinator/setting.h"
#include "coordinator/waker.h"

namespace joseki::coordinator {

// Periodic work: expires leases and held calls, begins checkpoints, and watches the disk. Once
// started, a thread does it every 20 ms, or when it is woken; before, the caller does.
class Maintenance {
 public:
  // `setting`, `gate` and `checkpointer` must outlive this object. `lock`: of the book.
  Maintenance(const Setting& setting, book::FileLock lock, Gate& gate, Checkpointer& checkpointer);

  void Start();
  void Wake() { waker_.Wake(); }
  // Joins the thread. REQUIRES: Tables::stopping.
  void Stop();

  // Tells the tables how much room the disk has, and the options if the book's lock is lost.
  void WatchDisk();
  // Returns true if the next tick should come at once.
  bool Tick();
  // Copies weights for runs with re-entry, and recomputes the copies after new priors.
  void CopyWeights();

  // Whether the book belongs to another coordinator. REQUIRES: the thread does not run.
  bool lock_lost() const { return disk_watch_.lock_lost(); }

 private:
  void Run();

  const Setting& setting_;
  Gate& gate_;
  Checkpointer& checkpointer_;
  Waker waker_;
  // Used by the thread, once that runs.
  Upkeep upkeep_;
  DiskWatch disk_watch_;
  std::thread thread_;
};

}  // namespace joseki::coordinator
