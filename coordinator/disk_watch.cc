#include "coordinator/disk_watch.h"

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kEvery = absl::Seconds(1);

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

std::optional<DiskWatch::Finding> DiskWatch::Look(absl::Time now) {
  if (now < next_) return std::nullopt;
  next_ = now + kEvery;
  if (lock_lost_) return std::nullopt;
  if (const absl::Status kept = lock_.Keep(); !kept.ok()) {
    lock_lost_ = true;
    spdlog::error("event=lock_lost reason=\"{}\"", std::string(kept.message()));
    return Finding{DiskLevel::kFull,
                   absl::StrCat("another coordinator has taken the book; nothing is given out: ",
                                kept.message())};
  }
  const absl::StatusOr<DiskSpace> space = measure_(db_path_);
  if (!space.ok()) return std::nullopt;
  Finding finding{LevelOf(*space, marks_), {}};
  if (finding.level != DiskLevel::kPlenty) {
    finding.problem = absl::StrCat("the disk of the book is nearly full: ", space->free >> 20,
                                   " MiB are free; no further games are given out");
  }
  if (std::exchange(level_, finding.level) != finding.level) {
    spdlog::log(finding.level == DiskLevel::kPlenty ? spdlog::level::info : spdlog::level::warn,
                "disk_space level={} free_mib={}", Name(finding.level), space->free >> 20);
  }
  return finding;
}

}  // namespace joseki::coordinator
