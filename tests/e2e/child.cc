#include "tests/e2e/child.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace joseki::testing {

bool Eventually(const std::function<bool()>& condition, std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (condition()) return true;
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Child::Child(std::vector<std::string> arguments, const std::string& log_path, int name_space) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int log = open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (name_space >= 0 && setns(name_space, CLONE_NEWNET) != 0) _exit(126);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(log);
}

Child::~Child() { Kill(); }

void Child::Signal(int signal) const {
  if (pid_ > 0 && !status_) kill(pid_, signal);
}

bool Child::Running() {
  if (status_ || pid_ <= 0) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return !status_;
}

void Child::Kill() {
  Signal(SIGKILL);
  Wait();
}

int Child::Wait(std::chrono::seconds patience) {
  Eventually([this] { return !Running(); }, patience);
  if (!status_) return -1;
  return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 128 + WTERMSIG(*status_);
}

}  // namespace joseki::testing
