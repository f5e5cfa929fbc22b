#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "coordinator/coordinator.h"
#include "engine/core/rules.h"
#include "tests/simulation/stage.h"
#include "tests/support/fault_vfs.h"

namespace joseki::testing {

using SlotKey = std::pair<uint64_t, uint32_t>;  // lease and slot: leases are numbered over all runs

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

// The real coordinator over real SQLite on a disk that can fail, stepped by the simulation's clock;
// it is stopped, killed and started again.
class SimCoordinator {
 public:
  // Who wants to look when it is there again.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void Started() = 0;       // at every start
    virtual void StartedAgain() = 0;  // then, at every one but the first
  };
  // The database is in `folder`.
  SimCoordinator(Stage& stage, const Rules& rules, const std::string& folder, uint64_t seed,
                 Watcher& watcher);

  // A violation unless there is trouble, if it does not start.
  bool Start();
  // After a while, and again until it starts.
  void StartLater();
  // Does what is due, now and from now on.
  void Step();
  void Kill(bool power);
  void Stop();
  // Ends it without a word, at the end.
  void End();

  // The next write of some kind, or one of those after it, kills it.
  void DieWhileWriting();
  // The disk is full for a while, or fails some of what it is asked.
  void FailDisk();
  // The disk works, now and from now on.
  void MendDisk();

  bool running() const { return coordinator_ != nullptr; }
  // It runs and can be asked.
  bool up() const { return running() && control_.struck == 0; }
  // REQUIRES: running.
  coordinator::Coordinator& get() { return *coordinator_; }
  // Counts its lives. What it says in a life that is over, nobody hears.
  uint64_t life() const { return life_; }
  bool Speaks(uint64_t life) const { return life == life_ && control_.dead == 0; }

  const std::string& path() const { return path_; }
  const std::string& epoch() const { return epoch_; }
  void set_epoch(std::string epoch) { epoch_ = std::move(epoch); }
  FaultControl& control() { return control_; }
  // The games that the database has, or has acknowledged.
  std::set<SlotKey> Stored() const;

 private:
  // It is dead, and its files can be had again.
  void Bury();

  Stage& stage_;
  const Rules& rules_;
  Watcher& watcher_;
  const std::string path_;
  FaultControl control_;
  FaultVfs vfs_;
  std::unique_ptr<coordinator::Coordinator> coordinator_;  // null: it is down
  uint64_t life_ = 0;
  std::string epoch_;
};

}  // namespace joseki::testing
