#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "book/database/file_lock.h"
#include "coordinator/store/disk.h"

namespace joseki::coordinator {

// Looks once a second whether the book's disk has room, and whether the book is still ours. Of one
// thread.
class DiskWatch {
 public:
  using Measure = std::function<absl::StatusOr<DiskSpace>(const std::string& path)>;

  DiskWatch(std::string db_path, DiskMarks marks, Measure measure, book::FileLock lock)
      : db_path_(std::move(db_path)),
        marks_(marks),
        measure_(std::move(measure)),
        lock_(std::move(lock)) {}

  struct Finding {
    DiskLevel level = DiskLevel::kPlenty;
    std::string problem;  // for people; empty where there is plenty of room
  };
  // Nullopt where it was not yet time, or nothing could be measured: writing will tell. Logs where
  // the level changes. A lock that is lost, to another coordinator, counts as a full disk: it is
  // found once, and nothing is found after it.
  std::optional<Finding> Look(absl::Time now);
  // For good: memory is no longer what the database holds.
  bool lock_lost() const { return lock_lost_; }

 private:
  const std::string db_path_;
  const DiskMarks marks_;
  const Measure measure_;
  book::FileLock lock_;
  absl::Time next_ = absl::InfinitePast();
  DiskLevel level_ = DiskLevel::kPlenty;
  bool lock_lost_ = false;
};

}  // namespace joseki::coordinator
