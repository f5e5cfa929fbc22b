#include "cli/cluster/child_process.h"

#include <fcntl.h>
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
#include "base/spawn.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

absl::Status CannotStart(int error, const std::string& path, const std::string& expected) {
  return MakeProblem(
      {.code = "cannot_start", .file = path, .found = std::strerror(error), .expected = expected},
      absl::ErrnoToStatusCode(error));
}

}  // namespace

absl::StatusOr<ChildProcess> ChildProcess::Start(const std::vector<std::string>& arguments,
                                                 const std::string& log_path) {
  const int log = open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) return CannotStart(errno, log_path, "a file that can be written");
  const auto close_log = absl::MakeCleanup([log] { close(log); });
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0) return CannotStart(errno, "/dev/null", "a readable file");
  const auto close_input = absl::MakeCleanup([input] { close(input); });
  ASSIGN_OR_RETURN(const pid_t pid, Spawn({.arguments = arguments,
                                           .input = input,
                                           .output = log,
                                           .error = log,
                                           .death_signal = SIGTERM}));
  return ChildProcess(pid, log_path);
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
