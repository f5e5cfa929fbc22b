// What a disk that fills up stops, before anything fails.

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
  const absl::Status kept = lock_.Keep();
  if (!kept.ok() && !lock_lost_) {
    spdlog::error("lock_lost reason=\"{}\"", std::string(kept.message()));
  }
  lock_lost_ = !kept.ok();
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

absl::Status Coordinator::RefuseOnFullDisk() const {
  if (disk_level_ != DiskLevel::kFull) return absl::OkStatus();
  return MakeProblem({.code = "disk_low",
                      .found = disk_problem_,
                      .expected = "the same call again when there is room; games are still taken"},
                     absl::StatusCode::kResourceExhausted);
}

}  // namespace joseki::coordinator
