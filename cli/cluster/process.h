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

// How long a write of 4 KiB at the end of a file of `folder` takes until it is on the disk: the
// milliseconds of half of them, and of 99 in a hundred.
struct SyncLatency {
  double p50_ms = 0;
  double p99_ms = 0;
};
absl::StatusOr<SyncLatency> MeasureSync(const std::string& folder);

// A coordinator of our own in a folder, for a load test: started from beside this program, killed
// and started again at will. It listens where the kernel likes; address() is asked anew.
class LoadCoordinator {
 public:
  // `program` empty: the one beside this program.
  LoadCoordinator(std::string folder, std::string program, std::vector<std::string> arguments)
      : folder_(std::move(folder)),
        program_(std::move(program)),
        arguments_(std::move(arguments)) {}

  // Returns once it listens. Cancelled if `signals` told us to end.
  absl::Status Start(SignalWait& signals);
  void Kill(SignalWait& signals);
  // Lets it commit and end; an error if it did not end well.
  absl::Status Stop(SignalWait& signals);

  absl::StatusOr<std::string> address() const;
  bool Running() { return process_->Running(); }
  // REQUIRES: it was started.
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
