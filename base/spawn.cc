#include "base/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/problem.h"

namespace joseki {
namespace {

absl::Status CannotStart(int error, const std::string& path, const std::string& expected) {
  return MakeProblem(
      {.code = "cannot_start", .file = path, .found = std::strerror(error), .expected = expected},
      absl::ErrnoToStatusCode(error));
}

// Runs in the child, between fork and exec. Only system calls are allowed: other threads of the
// parent may have held any lock. Returns only if the program cannot be run.
void Become(const SpawnOptions& options, char* const* argv, const cpu_set_t* cores, pid_t parent) {
  setpgid(0, 0);
  if (options.death_signal != 0) {
    prctl(PR_SET_PDEATHSIG, options.death_signal);
    if (getppid() != parent) _exit(127);  // the parent died before prctl
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) return;
  if (cores != nullptr) sched_setaffinity(0, sizeof *cores, cores);
  if (options.memory_bytes > 0) {
    const rlimit limit{options.memory_bytes, options.memory_bytes};
    setrlimit(RLIMIT_DATA, &limit);
  }
  const int from[] = {options.input, options.output, options.error};
  for (int to = 0; to < 3; ++to) {
    if (dup2(from[to], to) < 0) return;
  }
  execv(argv[0], argv);
}

}  // namespace

absl::StatusOr<pid_t> Spawn(const SpawnOptions& options) {
  const std::string& path = options.arguments.front();
  std::vector<char*> argv;
  for (const std::string& argument : options.arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (const int core : options.cores) {
    if (core >= 0 && core < CPU_SETSIZE) CPU_SET(static_cast<size_t>(core), &cores);
  }
  // A pipe that a successful exec closes; otherwise the child writes the errno.
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return CannotStart(errno, path, "a free descriptor");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    Become(options, argv.data(), options.cores.empty() ? nullptr : &cores, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failure[1], &error, sizeof error);
    _exit(127);
  }
  const int fork_error = errno;
  close(failure[1]);
  int error = 0;
  ssize_t got = 0;
  if (pid > 0) {
    do {
      got = read(failure[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
  }
  close(failure[0]);
  if (pid < 0) return CannotStart(fork_error, path, "room for a process");
  if (got > 0) {
    waitpid(pid, nullptr, 0);
    return CannotStart(error, path,
                       options.folder.empty() ? "a program that can be run"
                                              : "a program that can be run in " + options.folder);
  }
  return pid;
}

}  // namespace joseki
