#include "tests/support/fault_control.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <type_traits>

#include "absl/strings/str_cat.h"

namespace joseki::testing {

static_assert(std::atomic<uint32_t>::is_always_lock_free &&
                  std::atomic<uint64_t>::is_always_lock_free,
              "two processes share them");
static_assert(std::is_trivially_destructible_v<FaultControl>);

std::string_view Name(FaultPoint point) {
  constexpr std::array<std::string_view, kFaultPoints> kNames = {
      "none",        "wal_write",   "wal_sync",   "db_write",       "db_sync",     "db_truncate",
      "export_read", "spool_write", "spool_sync", "spool_truncate", "spool_rename"};
  return kNames.at(static_cast<size_t>(point));
}

void FaultControl::KillAt(FaultPoint point, uint32_t skip, FaultMoment moment) {
  kill_skip = skip;
  kill_moment = static_cast<uint32_t>(moment);
  kill_at = static_cast<uint32_t>(point);  // last: it arms the others
}

absl::StatusOr<std::unique_ptr<SharedFaultControl>> SharedFaultControl::Map(
    const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(errno)));
  // A file of zeros is a control that asks for nothing.
  void* memory = MAP_FAILED;
  if (ftruncate(fd, sizeof(FaultControl)) == 0) {
    memory = mmap(nullptr, sizeof(FaultControl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  const int error = errno;
  close(fd);
  if (memory == MAP_FAILED) {
    return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(error)));
  }
  return std::unique_ptr<SharedFaultControl>(
      new SharedFaultControl(std::launder(static_cast<FaultControl*>(memory))));
}

SharedFaultControl::~SharedFaultControl() { munmap(control_, sizeof(FaultControl)); }

FaultInjector::Decision FaultInjector::Next(FaultPoint point) {
  Decision decision;
  decision.point = point;
  decision.dead = control_.dead != 0;
  if (decision.dead || point == FaultPoint::kNone) return decision;
  const auto index = static_cast<size_t>(point);
  const std::lock_guard lock(mutex_);
  ++control_.seen[index];
  if (control_.kill_at == static_cast<uint32_t>(point)) {
    if (control_.kill_skip > 0) {
      --control_.kill_skip;
    } else {
      const auto moment = static_cast<FaultMoment>(control_.kill_moment.load());
      if (moment == FaultMoment::kBefore) {
        Strike(point);
        decision.dead = true;
        return decision;
      }
      decision.half = moment == FaultMoment::kHalfWay;
      decision.kill_after = true;
      return decision;
    }
  }
  const uint32_t ppm = control_.fail_ppm[index];
  if (control_.fail[index] > 0) {
    --control_.fail[index];
    decision.fail = true;
  } else if (ppm > 0) {
    decision.fail = rng_.Below(1'000'000) < ppm;
  }
  if (decision.fail) {
    ++control_.failed[index];
    decision.half = control_.torn != 0;
  }
  return decision;
}

bool FaultInjector::Done(const Decision& decision) {
  if (!decision.kill_after) return true;
  Strike(decision.point);
  return false;
}

void FaultInjector::Strike(FaultPoint point) {
  control_.kill_at = static_cast<uint32_t>(FaultPoint::kNone);
  control_.struck = static_cast<uint32_t>(point);
  if (death_ == Death::kProcess) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  control_.dead = 1;
}

}  // namespace joseki::testing
