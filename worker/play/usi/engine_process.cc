#include "worker/play/usi/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/spawn.h"

namespace joseki::worker {
namespace {

constexpr size_t kReadBytes = size_t{16} << 10;
constexpr absl::Duration kReapGrace = absl::Milliseconds(500);

void Close(int& fd) {
  if (fd >= 0) close(std::exchange(fd, -1));
}

// A pipe; its destructor closes the ends that are still open.
struct Pipe {
  int read = -1;
  int write = -1;
  absl::Status Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      return MakeProblem(
          {.code = "cannot_start", .found = std::strerror(errno), .expected = "a free descriptor"},
          absl::StatusCode::kResourceExhausted);
    }
    read = ends[0];
    write = ends[1];
    return absl::OkStatus();
  }
  ~Pipe() {
    Close(read);
    Close(write);
  }
};

void DoNotBlock(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

// Like write, but without the SIGPIPE that ends a program whose reader is gone.
ssize_t WriteQuietly(int fd, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t n = write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (n < 0 && error == EPIPE && sigismember(&before, SIGPIPE) == 0) {
    const timespec now{};
    sigtimedwait(&pipe_signal, nullptr, &now);  // pending for this thread
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return n;
}

bool IsOver(EngineProcess::Deadline deadline) {
  return std::chrono::steady_clock::now() >= deadline;
}

int MillisecondsUntil(EngineProcess::Deadline deadline) {
  const absl::Duration left =
      std::clamp(absl::FromChrono(deadline - std::chrono::steady_clock::now()),
                 absl::ZeroDuration(), absl::Hours(1));
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
}

absl::Status TooLate(const std::string& path, const std::string& expected) {
  return MakeProblem({.code = "engine_silent",
                      .file = path,
                      .found = "nothing before the deadline",
                      .expected = expected},
                     absl::StatusCode::kDeadlineExceeded);
}

std::string EndingWords(int wait_status) {
  return WIFEXITED(wait_status) ? absl::StrCat("exit status ", WEXITSTATUS(wait_status))
                                : absl::StrCat("signal ", WTERMSIG(wait_status));
}

}  // namespace

EngineProcess::Deadline EngineProcess::After(absl::Duration wait) {
  constexpr absl::Duration kLongest = absl::Hours(24 * 365);
  return std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(std::min(wait, kLongest));
}

absl::StatusOr<std::unique_ptr<EngineProcess>> EngineProcess::Start(const Options& options) {
  // The constructor is private; from here on the destructor closes what is open.
  std::unique_ptr<EngineProcess> engine(new EngineProcess());
  engine->path_ = options.arguments.front();
  engine->quit_grace_ = options.quit_grace;
  if (!options.stderr_path.empty()) {
    engine->stderr_file_ =
        open(options.stderr_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (engine->stderr_file_ < 0) {
      return MakeProblem({.code = "cannot_start",
                          .file = options.stderr_path,
                          .found = std::strerror(errno),
                          .expected = "a file that can be written"},
                         absl::ErrnoToStatusCode(errno));
    }
  }
  engine->interrupt_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  Pipe input;
  Pipe output;
  Pipe error;
  for (Pipe* const pipe : {&input, &output, &error}) {
    if (const absl::Status opened = pipe->Open(); !opened.ok()) return opened;
  }
  const absl::StatusOr<pid_t> pid = Spawn({.arguments = options.arguments,
                                           .folder = options.folder,
                                           .input = input.read,
                                           .output = output.write,
                                           .error = error.write,
                                           .death_signal = SIGKILL,
                                           .cores = options.cores,
                                           .memory_bytes = options.memory_bytes});
  if (!pid.ok()) return pid.status();
  engine->pid_ = *pid;
  engine->input_ = std::exchange(input.write, -1);
  engine->output_ = std::exchange(output.read, -1);
  engine->error_ = std::exchange(error.read, -1);
  for (const int fd : {engine->input_, engine->output_, engine->error_}) DoNotBlock(fd);
  return engine;
}

EngineProcess::~EngineProcess() {
  if (pid_ > 0) {
    // Closing the pipe ends most engines that do not know "quit".
    if (input_ >= 0) WriteQuietly(input_, "quit\n");
    Close(input_);
    Reap(After(quit_grace_));
  }
  for (int* const fd : {&input_, &output_, &error_, &interrupt_, &stderr_file_}) Close(*fd);
}

absl::Status EngineProcess::Send(std::string_view line, Deadline deadline) {
  std::string bytes(line);
  bytes += '\n';
  std::string_view rest = bytes;
  while (!rest.empty()) {
    if (input_ < 0) return Ended();
    const ssize_t n = WriteQuietly(input_, rest);
    if (n >= 0) {
      rest.remove_prefix(static_cast<size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Ended();  // the reader is gone
    const absl::Status status = Exchange(deadline, /*to_write=*/true, /*heed_interrupt=*/false);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> EngineProcess::Read(Deadline deadline) {
  for (;;) {
    if (std::optional<std::string> line = lines_.Next()) return *std::move(line);
    if (output_ended_) return Ended();
    const absl::Status status = Exchange(deadline, /*to_write=*/false, /*heed_interrupt=*/true);
    if (!status.ok()) return status;
  }
}

absl::StatusOr<std::string> EngineProcess::Peek() {
  if (std::optional<std::string> line = lines_.Next()) return *std::move(line);
  if (pid_ > 0 && !output_ended_) {
    TakeStderr();
    output_ended_ = TakeStdout();
  }
  if (std::optional<std::string> line = lines_.Next()) return *std::move(line);
  if (output_ended_) return Ended();
  return absl::NotFoundError("nothing");
}

absl::Status EngineProcess::Exchange(Deadline deadline, bool to_write, bool heed_interrupt) {
  // An engine that writes without end misses the deadline like a silent one.
  if (IsOver(deadline)) return TooLate(path_, to_write ? "an engine that reads" : "a line");
  // While lines wait unread, a flood of more stays in the pipe.
  pollfd fds[] = {{.fd = lines_.full() ? -1 : output_, .events = POLLIN, .revents = 0},
                  {.fd = error_, .events = POLLIN, .revents = 0},
                  {.fd = heed_interrupt ? interrupt_ : -1, .events = POLLIN, .revents = 0},
                  {.fd = to_write ? input_ : -1, .events = POLLOUT, .revents = 0}};
  const int ready = poll(fds, std::size(fds), MillisecondsUntil(deadline));
  if (ready < 0 && errno != EINTR) {
    return absl::UnavailableError(absl::StrCat("poll: ", std::strerror(errno)));
  }
  if (ready <= 0) return absl::OkStatus();  // checks the deadline again
  if (fds[2].revents != 0) return absl::CancelledError("stopped");
  if (fds[1].revents != 0) TakeStderr();
  if (fds[0].revents != 0 && TakeStdout()) {
    output_ended_ = true;
    if (to_write) return Ended();
  }
  return absl::OkStatus();
}

void EngineProcess::TakeStderr() {
  char bytes[4096];
  // An engine that floods stderr must not keep us here.
  constexpr int kMostReads = 16;
  for (int reads = 0; reads < kMostReads && error_ >= 0; ++reads) {
    const ssize_t n = read(error_, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return Close(error_);
    const std::string_view got(bytes, static_cast<size_t>(n));
    stderr_tail_.Add(got);
    if (stderr_file_ < 0) continue;
    if (stderr_bytes_ + got.size() > kMostStderrFileBytes) {
      stderr_bytes_ = 0;
      if (ftruncate(stderr_file_, 0) == 0) lseek(stderr_file_, 0, SEEK_SET);
    }
    [[maybe_unused]] const ssize_t kept = write(stderr_file_, got.data(), got.size());
    stderr_bytes_ += got.size();
  }
}

bool EngineProcess::TakeStdout() {
  char bytes[kReadBytes];
  for (;;) {
    const ssize_t n = read(output_, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return false;
    if (n <= 0) return true;
    lines_.Add(std::string_view(bytes, static_cast<size_t>(n)));
    return false;
  }
}

std::string EngineProcess::Reap(Deadline deadline) {
  if (pid_ == 0) return ending_;
  // `end` becomes readable when the process ends; without pidfd (an old kernel) there is no grace.
  int end = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  while (end >= 0) {
    // Keep reading: the engine may block on its last output.
    pollfd fds[] = {{.fd = end, .events = POLLIN, .revents = 0},
                    {.fd = error_, .events = POLLIN, .revents = 0},
                    {.fd = output_ended_ ? -1 : output_, .events = POLLIN, .revents = 0}};
    const int ready = poll(fds, std::size(fds), MillisecondsUntil(deadline));
    if (ready > 0 && fds[1].revents != 0) TakeStderr();
    if (ready > 0 && fds[2].revents != 0) output_ended_ = TakeStdout();
    if (lines_.full()) lines_.Clear();  // nobody reads that much of an engine that ends
    if ((ready > 0 && fds[0].revents != 0) || IsOver(deadline)) break;
  }
  Close(end);
  int status = 0;
  bool killed = false;
  if (waitpid(pid_, &status, WNOHANG) != pid_) {
    killed = true;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  } else {
    kill(-pid_, SIGKILL);  // kills processes that it left behind
  }
  if (error_ >= 0) TakeStderr();
  ending_ = killed ? "killed by us" : EndingWords(status);
  pid_ = 0;
  return ending_;
}

absl::Status EngineProcess::Ended() {
  Close(input_);
  output_ended_ = true;
  std::string found = Reap(After(kReapGrace));
  const std::string words(absl::StripAsciiWhitespace(stderr_tail_.bytes()));
  if (!words.empty()) {
    constexpr size_t kShown = 200;
    absl::StrAppend(
        &found, ", saying ",
        Quote(words.size() > kShown ? words.substr(words.size() - kShown) : words, kShown));
  }
  return MakeProblem({.code = "engine_ended",
                      .file = path_,
                      .found = found,
                      .expected = "an engine that goes on until \"quit\""},
                     absl::StatusCode::kUnavailable);
}

void EngineProcess::Interrupt() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t told = write(interrupt_, &one, sizeof one);
}

void EngineProcess::ClearInterrupt() {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(interrupt_, &count, sizeof count);
}

void EngineProcess::Kill() {
  if (pid_ > 0) kill(-pid_, SIGKILL);
}

}  // namespace joseki::worker
