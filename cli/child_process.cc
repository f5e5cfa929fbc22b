#include "cli/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"

namespace joseki::cli {
namespace {

absl::Status CannotStart(int error, const std::string& path, const std::string& expected) {
  return MakeProblem(
      {.code = "cannot_start", .file = path, .found = std::strerror(error), .expected = expected},
      absl::ErrnoToStatusCode(error));
}

// In the child, between fork and exec: nothing but system calls, as other threads of the parent may
// have held any lock. Returns only if the program cannot be run.
void Become(char* const* argv, int input, int log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(argv[0], argv);
}

}  // namespace

absl::StatusOr<ChildProcess> ChildProcess::Start(const std::vector<std::string>& arguments,
                                                 const std::string& log_path) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int log = open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) return CannotStart(errno, log_path, "a file that can be written");
  const auto close_log = absl::MakeCleanup([log] { close(log); });
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0) return CannotStart(errno, "/dev/null", "a readable file");
  const auto close_input = absl::MakeCleanup([input] { close(input); });
  // Closed by a successful exec; otherwise it tells why there was none.
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return CannotStart(errno, arguments[0], "a free descriptor");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    Become(argv.data(), input, log, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failure[1], &error, sizeof error);
    _exit(127);
  }
  const int fork_error = errno;
  close(failure[1]);
  const auto close_failure = absl::MakeCleanup([&failure] { close(failure[0]); });
  if (pid < 0) return CannotStart(fork_error, arguments[0], "room for a process");
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(failure[0], &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  ChildProcess child(pid, log_path);
  if (got > 0) return CannotStart(error, arguments[0], "a program that can be run");
  return child;
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0 || !Running()) return;
  Kill();
  waitpid(pid_, nullptr, 0);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      log_path_(std::move(other.log_path_)),
      wait_status_(other.wait_status_) {}

bool ChildProcess::Running() {
  if (wait_status_) return false;
  int status = 0;
  const pid_t got = waitpid(pid_, &status, WNOHANG);
  if (got == pid_) wait_status_ = status;
  return !wait_status_;
}

std::string ChildProcess::Ending() const {
  return WIFEXITED(*wait_status_) ? absl::StrCat("exit status ", WEXITSTATUS(*wait_status_))
                                  : absl::StrCat("signal ", WTERMSIG(*wait_status_));
}

bool ChildProcess::EndedWell() const {
  return WIFEXITED(*wait_status_) && WEXITSTATUS(*wait_status_) == 0;
}

void ChildProcess::Terminate() {
  if (Running()) kill(pid_, SIGTERM);
}

void ChildProcess::Kill() {
  if (Running()) kill(pid_, SIGKILL);
}

std::string ChildProcess::LastWords() const {
  const absl::StatusOr<std::string> log = ReadFile(log_path_);
  if (!log.ok()) return "";
  size_t end = log->find_last_not_of("\n ");
  if (end == std::string::npos) return "";
  const size_t begin = log->rfind('\n', end);
  return log->substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace joseki::cli
