// What a disk that fills up stops, before anything fails; and a lock that is lost.

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "coordinator/coordinator.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kDiskCheck = absl::Seconds(1);

const char* Name(DiskLevel level) {
  switch (level) {
    case DiskLevel::kPlenty:
      return "plenty";
    case DiskLevel::kLow:
      return "low";
    case DiskLevel::kFull:
      return "full";
  }
  return "";
}

}  // namespace

void Coordinator::CheckDisk() {
  const absl::Time now = clock_.Now();
  if (now < next_disk_check_) return;
  next_disk_check_ = now + kDiskCheck;
  // For good: what is in memory is no longer what is in the database.
  if (lock_lost_) return;
  if (const absl::Status kept = lock_.Keep(); !kept.ok()) return LoseLock(kept);
  const absl::StatusOr<DiskSpace> space = options_.disk_space(options_.db_path);
  if (!space.ok()) return;  // what cannot be measured is not low: writing will tell
  const DiskLevel level = LevelOf(*space, options_.disk_marks);
  const std::string problem =
      level == DiskLevel::kPlenty
          ? ""
          : absl::StrCat("the disk of the book is nearly full: ", space->free >> 20,
                         " MiB are free; no further games are given out");
  bool changed = false;
  {
    const std::lock_guard lock(mutex_);
    changed = disk_level_ != level;
    disk_level_ = level;
    disk_problem_ = problem;
  }
  if (!changed) return;
  spdlog::log(level == DiskLevel::kPlenty ? spdlog::level::info : spdlog::level::warn,
              "disk_space level={} free_mib={}", Name(level), space->free >> 20);
}

void Coordinator::LoseLock(const absl::Status& status) {
  lock_lost_ = true;
  spdlog::error("lock_lost reason=\"{}\"", std::string(status.message()));
  {
    const std::lock_guard lock(mutex_);
    disk_level_ = DiskLevel::kFull;
    disk_problem_ = absl::StrCat("another coordinator has taken the book; nothing is given out: ",
                                 status.message());
  }
  if (options_.lock_lost) options_.lock_lost();
}

absl::Status Coordinator::RefuseOnFullDisk() const {
  if (disk_level_ != DiskLevel::kFull) return absl::OkStatus();
  return MakeProblem({.code = "disk_low",
                      .found = disk_problem_,
                      .expected = "the same call again when there is room; games are still taken"},
                     absl::StatusCode::kResourceExhausted);
}

}  // namespace joseki::coordinator
