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

// Checks once a second whether the book's disk has room, and whether this process still holds the
// book's lock. Used by one thread.
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
    std::string problem;  // for people; empty if there is plenty of room
  };
  // Nullopt if the second has not passed, or nothing could be measured: a write will show it. Logs
  // changes of the level. A lock lost to another coordinator counts as a full disk: it is found
  // once, and nothing is found after it.
  std::optional<Finding> Look(absl::Time now);
  // Whether the lock is lost. The loss is final: memory and database may differ from then on.
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
