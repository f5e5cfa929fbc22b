#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/cluster/child_process.h"
#include "cli/cluster/local_cluster.h"

namespace joseki::cli {

// Time until a write of 4 KiB to the end of a file in `folder` is on the disk, in ms: median and
// 99th percentile.
struct SyncLatency {
  double p50_ms = 0;
  double p99_ms = 0;
};
absl::StatusOr<SyncLatency> MeasureSync(const std::string& folder);

// A coordinator in a folder, for a load test; it can be killed and restarted. The kernel chooses
// its port, so address() changes at a restart.
class LoadCoordinator {
 public:
  // `program` empty: the coordinator beside this program.
  LoadCoordinator(std::string folder, std::string program, std::vector<std::string> arguments)
      : folder_(std::move(folder)),
        program_(std::move(program)),
        arguments_(std::move(arguments)) {}

  // Returns once the coordinator listens. Cancelled after a signal to end.
  absl::Status Start(SignalWait& signals);
  void Kill(SignalWait& signals);
  // Lets the coordinator commit and end; an error if its exit status is not 0.
  absl::Status Stop(SignalWait& signals);

  absl::StatusOr<std::string> address() const;
  bool Running() { return process_->Running(); }
  // REQUIRES: the coordinator was started.
  pid_t pid() const { return process_->pid(); }
  std::string database() const { return folder_ + "/load.sqlite"; }

 private:
  absl::Status Ended() const;
  std::string address_file() const { return folder_ + "/address"; }

  std::string folder_;
  std::string program_;
  std::vector<std::string> arguments_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace joseki::cli
