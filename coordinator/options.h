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
  // Where browsers see it, as whoever finds the book taken is told; empty: nowhere, or not known.
  std::string page = {};
  absl::Duration acquire_wait = absl::Seconds(45);  // how long an Acquire is held
  absl::Duration lease_term = absl::Minutes(1);     // at least; lease_pace.h
  uint32_t slots_per_lease = 256;                   // at most
  Pressure::Options pressure;                       // the Beats' interval, marks of the queue
  uint64_t seed = 0;                                // for the jitter of retries, and nothing else
  int attempts_per_line = 3;                        // lost_lines.h
  // Workers are quarantined whose results would come up with less than this chance if all played
  // alike (residuals.h); 0: never, they are only shown.
  double quarantine_outliers = 0;
  // How far the checkpoint of a run may lag behind: so long, and so many games. What a restart
  // has to read bounds the games; where they come slowly, moves are written once for many games.
  absl::Duration checkpoint = absl::Minutes(1);
  uint64_t checkpoint_games = 20'000;
  size_t checkpoint_rows = 250;  // written, and copied under the mutex, at once
  size_t batch_games = 4096;     // in one commit, at most; 1: each call commits by itself
  // How long a game waits for others to be committed with, where few come. What a lease waits for
  // is committed at once.
  absl::Duration gather = absl::ZeroDuration();
  DiskMarks disk_marks;
  // A book on a file system that other machines serve is refused unless this is set; then whoever
  // runs it vouches that no other machine opens it.
  bool allow_network_file_system = false;
  // How the two are found out.
  std::function<absl::StatusOr<DiskSpace>(const std::string& path)> disk_space = SpaceFor;
  std::function<std::string(const std::string& path)> network_file_system = NetworkFileSystemOf;
  // Called once if another coordinator has taken the book: this one gives out nothing more and
  // should end. On the maintenance thread; may be null.
  std::function<void()> lock_lost;
  // The clock of the rows' dates; null: the clock that all else goes by. That one should be a
  // steady one (base/steady_clock.h): a clock that is set would use up the time of runs.
  const Clock* wall = nullptr;
  bool own_threads = true;  // without: Coordinator::Step, for simulations
  // Reads the book back for the readers' calls alone: it has no threads, nothing is written, and no
  // time of a run is used up. No other verb may be called.
  bool only_looks = false;
};

}  // namespace joseki::coordinator
