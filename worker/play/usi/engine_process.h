#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/play/usi/line_buffer.h"

namespace joseki::worker {

// An engine as a process of its own, which reads and writes lines. Every wait has a deadline. The
// engine's stderr goes to a file, and its last bytes are kept here. When this object or this
// process ends, the engine and its process group are killed.
//
// Used by one thread, the one that started it, as that thread's end ends the engine; Interrupt by
// any.
class EngineProcess {
 public:
  struct Options {
    std::vector<std::string> arguments;            // [0] is the program's path
    std::string folder;                            // working directory; empty: ours
    std::string stderr_path;                       // empty: kept in memory alone
    std::vector<int> cores;                        // empty: any
    uint64_t memory_bytes = 0;                     // 0: no limit
    absl::Duration quit_grace = absl::Seconds(2);  // between "quit" and the kill
  };

  // Of the steady clock: setting the machine's clock makes no engine late.
  using Deadline = std::chrono::steady_clock::time_point;
  // The deadline after `wait`, or after a year if that is shorter.
  static Deadline After(absl::Duration wait);

  // Longer lines are cut; no useful one is as long.
  static constexpr size_t kMostLineBytes = size_t{64} << 10;
  // Bytes of stderr kept in memory, and the size after which its file starts over.
  static constexpr size_t kStderrTailBytes = 2000;
  static constexpr uint64_t kMostStderrFileBytes = uint64_t{1} << 20;

  // Errors are those of Spawn (base/spawn.h) and of the stderr file.
  static absl::StatusOr<std::unique_ptr<EngineProcess>> Start(const Options& options);
  // Sends "quit", waits for the grace, and kills what is left.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Sends a line; it is then read, or in the pipe's buffer. DeadlineExceeded if the engine does not
  // read. Unavailable "engine_ended" if it is gone, with its exit status and its last words.
  absl::Status Send(std::string_view line, Deadline deadline);
  // The next line of stdout. DeadlineExceeded; Unavailable "engine_ended"; Cancelled after
  // Interrupt.
  absl::StatusOr<std::string> Read(Deadline deadline);
  // A line that has already arrived; NotFound if there is none. Does not wait.
  absl::StatusOr<std::string> Peek();

  // Makes Read return soon, and every later one until ClearInterrupt. Callable from any thread.
  void Interrupt();
  void ClearInterrupt();

  // Sends SIGKILL to the process group; later calls return Unavailable.
  void Kill();

  pid_t pid() const { return pid_; }
  const std::string& last_words() const { return stderr_tail_.bytes(); }

 private:
  EngineProcess() : lines_(kMostLineBytes), stderr_tail_(kStderrTailBytes) {}

  // Waits until data can be read (or written, if `to_write`), and reads what there is of stdout and
  // stderr.
  absl::Status Exchange(Deadline deadline, bool to_write, bool heed_interrupt);
  void TakeStderr();
  // Returns true once stdout has ended.
  bool TakeStdout();
  // Waits for the process to end until `deadline`, then kills it. Returns the manner of its end.
  std::string Reap(Deadline deadline);
  absl::Status Ended();

  std::string path_;
  absl::Duration quit_grace_;
  pid_t pid_ = 0;  // 0: reaped
  int input_ = -1;
  int output_ = -1;
  int error_ = -1;
  int interrupt_ = -1;  // eventfd
  int stderr_file_ = -1;
  uint64_t stderr_bytes_ = 0;
  bool output_ended_ = false;
  std::string ending_;
  LineBuffer lines_;
  ByteTail stderr_tail_;
};

}  // namespace joseki::worker
