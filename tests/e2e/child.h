#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace joseki::testing {

// Asks `condition` until it holds; false if it did not within `patience`. For what other processes
// do.
bool Eventually(const std::function<bool()>& condition,
                std::chrono::seconds patience = std::chrono::seconds(120));

// A program of ours as a child process; what it says goes to the end of a file. Killed with its
// owner.
class Child {
 public:
  // `name_space`: a descriptor of the network namespace that it is in; -1: ours.
  Child(std::vector<std::string> arguments, const std::string& log_path, int name_space = -1);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal) const;
  // SIGKILL, and waits until it is gone.
  void Kill();
  // Waits for it to end by itself: its exit status, as a shell has it 128 more than the signal that
  // ended it, -1 if it still runs.
  int Wait(std::chrono::seconds patience = std::chrono::seconds(120));
  bool Running();

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace joseki::testing
