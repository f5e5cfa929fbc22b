#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki::cli {

// A program that runs beside this one. The child has a process group of its own, so that the
// terminal's Ctrl-C reaches this process only. No signal is blocked in it, and its output is
// appended to a log file. The kernel sends it SIGTERM if the thread that started it ends, hence
// start children from the main thread. Not thread-safe.
class ChildProcess {
 public:
  // Starts a program; `arguments[0]` is its path. NotFound or another code if it cannot be started.
  static absl::StatusOr<ChildProcess> Start(const std::vector<std::string>& arguments,
                                            const std::string& log_path);
  // Kills the program if it still runs.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t pid() const { return pid_; }
  const std::string& log_path() const { return log_path_; }

  // Whether the program still runs. Does not block.
  bool Running();
  // The manner of its end: "exit status 1", "signal 9". REQUIRES: !Running().
  std::string Ending() const;
  // Whether its exit status was 0. REQUIRES: !Running().
  bool EndedWell() const;
  // Sends SIGTERM; does nothing if the program has ended.
  void Terminate();
  void Kill();

  // The last line of the log that is not empty: usually the error of a program that failed.
  std::string LastWords() const;

 private:
  ChildProcess(pid_t pid, std::string log_path) : pid_(pid), log_path_(std::move(log_path)) {}

  pid_t pid_;
  std::string log_path_;
  std::optional<int> wait_status_;
};

}  // namespace joseki::cli
