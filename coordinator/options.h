#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/scheduling/pressure.h"
#include "coordinator/store/disk.h"

namespace joseki::coordinator {

struct CoordinatorOptions {
  std::string db_path;
  // The URL of the page, for errors of others that find the book taken; empty: none, or unknown.
  std::string page = {};
  absl::Duration acquire_wait = absl::Seconds(45);  // how long an Acquire is held
  absl::Duration lease_term = absl::Minutes(1);     // minimum; see lease_pace.h
  uint32_t slots_per_lease = 256;                   // maximum
  Pressure::Options pressure;                       // interval of Beats, marks of the queue
  uint64_t seed = 0;                                // for the jitter of retries alone
  int attempts_per_line = 3;                        // lost_lines.h
  // Quarantine workers whose results would have less than this probability if all played alike
  // (residuals.h); 0: never, outliers are only shown.
  double quarantine_outliers = 0;
  // The lag of a checkpoint is bounded by time and by games. A restart has to read the games since
  // then. Where games come slowly, the time lets one write cover many games.
  absl::Duration checkpoint = absl::Minutes(1);
  uint64_t checkpoint_games = 20'000;
  size_t checkpoint_rows = 250;  // written, and copied under the mutex, per slice
  size_t batch_games = 4096;     // most games of one commit; 1: each call has a commit of its own
  absl::Duration batch_time = absl::Milliseconds(5);  // most time for writing them
  absl::Duration storage_retry = absl::Seconds(1);    // how often failing storage is tried again
  // Longest time for which a game waits for others to share a commit with, under low load. Games
  // that a lease waits for are committed at once.
  absl::Duration gather = absl::ZeroDuration();
  DiskMarks disk_marks;
  // Whether to accept a book on a file system that other machines serve. The operator then
  // guarantees that no other machine opens it.
  bool allow_network_file_system = false;
  // Functions that determine disk space and file system.
  std::function<absl::StatusOr<DiskSpace>(const std::string& path)> disk_space = SpaceFor;
  std::function<std::string(const std::string& path)> network_file_system = NetworkFileSystemOf;
  // Called once if another coordinator has taken the book: this one grants nothing more and should
  // end. Runs on the maintenance thread; may be null.
  std::function<void()> lock_lost;
  // The clock for dates in rows; null: the same clock as for everything else. That one should be
  // steady (base/steady_clock.h): setting a clock would consume the time of runs.
  const Clock* wall = nullptr;
  // Read the book for readers' calls alone: nothing is written. No other call may be made, and no
  // threads are to be started.
  bool only_looks = false;
};

}  // namespace joseki::coordinator
