#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace joseki::testing {

// Polls `condition` until it holds; false if it did not within `patience`. For effects of other
// processes.
bool Eventually(const std::function<bool()>& condition,
                std::chrono::seconds patience = std::chrono::seconds(120));

// One of our programs as a child process, with its output appended to a file. Killed with its
// owner.
class Child {
 public:
  // `name_space`: descriptor of its network namespace; -1: ours.
  Child(std::vector<std::string> arguments, const std::string& log_path, int name_space = -1);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal) const;
  // Sends SIGKILL and waits until the process is gone.
  void Kill();
  // Waits for it to end by itself. Returns the exit status, as in a shell 128 plus the signal that
  // ended it; -1 if it is still running.
  int Wait(std::chrono::seconds patience = std::chrono::seconds(120));
  bool Running();

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace joseki::testing
