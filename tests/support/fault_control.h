#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/rng.h"

// Faults of the storage on demand. Programs built for tests (tests/kill/) ask an injector before
// every write, sync, truncation and rename. A test sets the faults through a FaultControl, which
// two processes may share.
namespace joseki::testing {

// Points at which a fault can strike or the process can be killed.
enum class FaultPoint : uint32_t {
  kNone,
  kWalWrite,       // in a commit: a write of frames to the write-ahead log
  kWalSync,        // in a commit: its sync
  kDbWrite,        // in a checkpoint: a write of pages to the database file
  kDbSync,         // in a checkpoint: its sync
  kDbTruncate,     // a truncation of database or log
  kExportRead,     // a read of the database file by a read-only connection, as exports use
  kSpoolWrite,     // a worker's write of games to its spool
  kSpoolSync,      // its sync of the spool
  kSpoolTruncate,  // its truncation of the spool
  kSpoolRename,    // its renaming of a rewritten spool
};
inline constexpr size_t kFaultPoints = 11;
std::string_view Name(FaultPoint point);

// Part of an operation that is done before the process is killed.
enum class FaultMoment : uint32_t { kBefore, kHalfWay, kAfter };

// Faults of a program's files; all zero: none. May be used by any thread and process.
struct FaultControl {
  template <typename Value>
  using ForEachPoint = std::array<std::atomic<Value>, kFaultPoints>;

  std::atomic<uint32_t> sync_us{0};  // minimum duration of a sync, microseconds
  std::atomic<uint32_t> full{0};     // 1: no file may grow
  // fail: number of the next operations at a point that fail with EIO. The second array: failures
  // at random among all others, per million operations.
  ForEachPoint<uint32_t> fail{};
  ForEachPoint<uint32_t> fail_ppm{};
  std::atomic<uint32_t> torn{0};  // 1: half of a failing write is done

  // The process is killed at this point, after a number of other operations. `struck` records the
  // kill.
  std::atomic<uint32_t> kill_at{0};
  std::atomic<uint32_t> kill_skip{0};
  std::atomic<uint32_t> kill_moment{0};
  std::atomic<uint32_t> struck{0};
  // For a process inside a simulation: its operations on files have no effect any more.
  std::atomic<uint32_t> dead{0};

  ForEachPoint<uint64_t> seen{};    // operations at each point
  ForEachPoint<uint64_t> failed{};  // operations that were made to fail

  // Kills the process at `point`, after `skip` operations there.
  void KillAt(FaultPoint point, uint32_t skip, FaultMoment moment);
  void Fail(FaultPoint point, uint32_t times) { fail[static_cast<size_t>(point)] = times; }
  void FailByChance(FaultPoint point, uint32_t ppm) { fail_ppm[static_cast<size_t>(point)] = ppm; }
  uint64_t Seen(FaultPoint point) const { return seen[static_cast<size_t>(point)]; }
  uint64_t Failed(FaultPoint point) const { return failed[static_cast<size_t>(point)]; }
};

// A FaultControl in a file that other processes map too.
class SharedFaultControl {
 public:
  // Creates the file if it does not exist; existing content stays.
  static absl::StatusOr<std::unique_ptr<SharedFaultControl>> Map(const std::string& path);
  ~SharedFaultControl();
  SharedFaultControl(const SharedFaultControl&) = delete;
  SharedFaultControl& operator=(const SharedFaultControl&) = delete;

  FaultControl& operator*() { return *control_; }
  FaultControl* operator->() { return control_; }

 private:
  explicit SharedFaultControl(FaultControl* control) : control_(control) {}
  FaultControl* control_;
};

// Applies a FaultControl. Thread-safe.
class FaultInjector {
 public:
  enum class Death {
    kProcess,    // SIGKILL
    kSimulated,  // FaultControl::dead
  };
  FaultInjector(FaultControl& control, Death death, uint64_t seed)
      : control_(control), death_(death), rng_(seed) {}

  struct Decision {
    FaultPoint point = FaultPoint::kNone;
    bool dead = false;  // the operation has no effect and returns an error
    bool fail = false;
    bool half = false;        // for a write that fails or is the last: half of it is done
    bool kill_after = false;  // also set for a write that is half done
  };
  // Call once before each operation at a point. Does not return if the process is killed before it.
  Decision Next(FaultPoint point);
  // Call after the operation. Does not return if the process is killed after it. In a simulation
  // returns false instead; the operation's success must then stay unknown.
  bool Done(const Decision& decision);

  FaultControl& control() { return control_; }

 private:
  void Strike(FaultPoint point);

  FaultControl& control_;
  const Death death_;
  std::mutex mutex_;
  Rng rng_;  // guarded by mutex_
};

}  // namespace joseki::testing
