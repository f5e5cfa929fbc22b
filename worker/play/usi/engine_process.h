#pragma once

#include <sys/types.h>

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

// An engine as a process of its own, spoken to by lines. Every wait has a deadline. What it writes
// to stderr is kept in a file and its last words here. When this goes, or this process does, the
// engine and whatever it has started in its process group are gone too.
//
// Used by one thread, the one that started it (its end would end the engine); Interrupt by any.
class EngineProcess {
 public:
  struct Options {
    std::vector<std::string> arguments;            // [0] is the program's path
    std::string folder;                            // where it works; empty: where we do
    std::string stderr_path;                       // empty: kept nowhere but in memory
    std::vector<int> cores;                        // empty: any
    uint64_t memory_bytes = 0;                     // 0: no limit
    absl::Duration quit_grace = absl::Seconds(2);  // between "quit" and the kill
  };

  // A line of an engine is cut here; no useful one is as long.
  static constexpr size_t kMostLineBytes = size_t{64} << 10;
  // Bytes of stderr: those kept in memory, and those after which its file begins again.
  static constexpr size_t kStderrTailBytes = 2000;
  static constexpr uint64_t kMostStderrFileBytes = uint64_t{1} << 20;

  // The problem of Spawn (base/spawn.h), or of the stderr file.
  static absl::StatusOr<std::unique_ptr<EngineProcess>> Start(const Options& options);
  // Says "quit", waits for the grace, kills what is left.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // The engine reads the line, or at least its pipe holds it. DeadlineExceeded if it does not read;
  // Unavailable "engine_ended" if it is gone, with how it ended and its last words.
  absl::Status Send(std::string_view line, absl::Time deadline);
  // The next line of its stdout. DeadlineExceeded; Unavailable "engine_ended"; Cancelled after
  // Interrupt.
  absl::StatusOr<std::string> Read(absl::Time deadline);
  // A line that is there already; Unavailable "nothing" if none is. Does not wait.
  absl::StatusOr<std::string> Peek();

  // Makes Read return soon, and every later one until ClearInterrupt. Any thread.
  void Interrupt();
  void ClearInterrupt();

  // No more than a signal to its group; what follows is Unavailable.
  void Kill();

  pid_t pid() const { return pid_; }
  const std::string& last_words() const { return stderr_tail_.bytes(); }

 private:
  EngineProcess() : lines_(kMostLineBytes), stderr_tail_(kStderrTailBytes) {}

  // Waits until something can be read (or written, if `to_write`), and takes what there is of
  // stdout and stderr.
  absl::Status Exchange(absl::Time deadline, bool to_write, bool heed_interrupt);
  void TakeStderr();
  // True once stdout has ended.
  bool TakeStdout();
  // Waits for its end until `deadline`, kills it then; how it ended.
  std::string Reap(absl::Time deadline);
  absl::Status Ended();

  std::string path_;
  absl::Duration quit_grace_;
  pid_t pid_ = 0;  // 0: waited for
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
