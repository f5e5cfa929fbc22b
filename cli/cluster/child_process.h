#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki::cli {

// A program that runs beside this one: in a process group of its own, so that the terminal's Ctrl-C
// reaches only us, with no signal blocked, output added to a log file, and told to end (SIGTERM)
// should we die without a word. Not thread-safe; start children from the main thread, whose life
// is the one that counts.
class ChildProcess {
 public:
  // `arguments[0]` is the program's path. NotFound or another code if it cannot be started.
  static absl::StatusOr<ChildProcess> Start(const std::vector<std::string>& arguments,
                                            const std::string& log_path);
  // Kills it, if it still runs.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t pid() const { return pid_; }
  const std::string& log_path() const { return log_path_; }

  // Whether it still runs. Does not block.
  bool Running();
  // How it ended: "exit status 1", "signal 9". REQUIRES: !Running().
  std::string Ending() const;
  // Whether it ended with exit status 0. REQUIRES: !Running().
  bool EndedWell() const;
  // No more than a signal; nothing if it has ended.
  void Terminate();
  void Kill();

  // The last line of the log that is not empty; what a program that fails says.
  std::string LastWords() const;

 private:
  ChildProcess(pid_t pid, std::string log_path) : pid_(pid), log_path_(std::move(log_path)) {}

  pid_t pid_;
  std::string log_path_;
  std::optional<int> wait_status_;
};

}  // namespace joseki::cli
