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

// Faults of the storage on demand. A program that is put together for tests (tests/kill/) asks an
// injector at every write, sync, truncation and rename what shall become of it; a test says so
// through a FaultControl, which two processes may share.
namespace joseki::testing {

// Where a fault can strike, and so how near to it a process can be killed.
enum class FaultPoint : uint32_t {
  kNone,
  kWalWrite,       // inside a commit: frames go to the write-ahead log
  kWalSync,        // inside a commit: its sync
  kDbWrite,        // inside a checkpoint: pages go to the database file
  kDbSync,         // inside a checkpoint: its sync
  kDbTruncate,     // database or log is cut
  kExportRead,     // a connection that only reads, as exports use, reads the database file
  kSpoolWrite,     // a worker writes games to its spool
  kSpoolSync,      // and syncs it
  kSpoolTruncate,  // and empties it
  kSpoolRename,    // and puts a rewritten one in its place
};
inline constexpr size_t kFaultPoints = 11;
std::string_view Name(FaultPoint point);

// How far an operation gets before the process is killed.
enum class FaultMoment : uint32_t { kBefore, kHalfWay, kAfter };

// What a program shall do to its files. Zero everywhere: nothing. Any thread, any process.
struct FaultControl {
  template <typename Value>
  using ForEachPoint = std::array<std::atomic<Value>, kFaultPoints>;

  std::atomic<uint32_t> sync_us{0};  // a sync takes at least so long
  std::atomic<uint32_t> full{0};     // 1: no file may grow
  // So many of the next operations at a point fail with EIO, and of all others so many in a
  // million, by chance.
  ForEachPoint<uint32_t> fail{};
  ForEachPoint<uint32_t> fail_ppm{};
  std::atomic<uint32_t> torn{0};  // 1: half of a write that fails is done

  // The process ends at this point, once so many others were let pass. `struck` says that it did.
  std::atomic<uint32_t> kill_at{0};
  std::atomic<uint32_t> kill_skip{0};
  std::atomic<uint32_t> kill_moment{0};
  std::atomic<uint32_t> struck{0};
  // Where the process is a part of a simulation: nothing that it does to its files has an effect
  // any more.
  std::atomic<uint32_t> dead{0};

  ForEachPoint<uint64_t> seen{};    // operations at each point
  ForEachPoint<uint64_t> failed{};  // those that were made to fail

  // The next operations at `point`, `skip` others let pass, are the process's last.
  void KillAt(FaultPoint point, uint32_t skip, FaultMoment moment);
  void Fail(FaultPoint point, uint32_t times) { fail[static_cast<size_t>(point)] = times; }
  void FailByChance(FaultPoint point, uint32_t ppm) { fail_ppm[static_cast<size_t>(point)] = ppm; }
  uint64_t Seen(FaultPoint point) const { return seen[static_cast<size_t>(point)]; }
  uint64_t Failed(FaultPoint point) const { return failed[static_cast<size_t>(point)]; }
};

// A FaultControl in a file that other processes map too.
class SharedFaultControl {
 public:
  // Makes the file where there is none; what is there stays.
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

// Decides by a FaultControl. Thread-safe.
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
    bool dead = false;  // no effect, and an error
    bool fail = false;
    bool half = false;        // of a write that fails or is the last
    bool kill_after = false;  // also of one that is done by half
  };
  // To be asked once for each operation at a point. Does not return where the process ends before.
  Decision Next(FaultPoint point);
  // To be called when the operation is over. Does not return where the process ends after; false
  // if it does so in a simulation, where nobody may learn that the operation was done.
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
