#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "book/database/file_lock.h"
#include "cli/cluster/child_process.h"

namespace joseki::cli {

// Blocks the signals that end a program, and waits for them instead: SIGINT, SIGTERM, SIGHUP.
// Blocks SIGCHLD as well, so that a child's end wakes the waiter. To be made before any thread is
// started.
class SignalWait {
 public:
  SignalWait();
  // True if a signal to end arrives within `most`; returns false early when a child ends.
  bool Wait(absl::Duration most);

 private:
  sigset_t signals_;
};

// One coordinator and some workers as child processes, from the folder of this program. Not
// thread-safe.
class LocalCluster {
 public:
  struct Options {
    std::string book;
    int workers = 1;
    int seats_per_worker = 1;
    int lease_seconds = 90;
    std::string engines;  // path of the workers' engines file; may be empty
    std::string page;     // HOST:PORT of the coordinator's page; empty: none
  };

  // `folder()` holds logs, spools and the address file: "<book>.logs", made if missing.
  // FailedPrecondition "book_in_use", with nothing touched, where another cluster or a coordinator
  // holds the book.
  static absl::StatusOr<LocalCluster> Create(Options options);

  // Starts the coordinator, waits until it listens, and returns its address. Cancelled after a
  // signal to end; "coordinator_ended" with the last line of its log if it did not start.
  absl::StatusOr<std::string> StartCoordinator(SignalWait& signals);
  absl::Status StartWorkers();

  // Supervises the children: restarts workers that ended, with growing delays. An error if the
  // coordinator has ended or a worker fails repeatedly.
  absl::Status Tend(absl::Time now);

  // Makes the workers finish or return their games, and waits. A second signal to end, or a
  // timeout, abandons the games. Finished games stay in the workers' spools.
  void StopWorkers(SignalWait& signals);
  // Lets the coordinator commit and end; an error if its exit status is not 0.
  absl::Status StopCoordinator(SignalWait& signals);

  const std::string& folder() const { return folder_; }

 private:
  struct Worker {
    std::string name;
    std::optional<ChildProcess> process;
    absl::Time started;
    absl::Time start_again = absl::InfiniteFuture();
    int quick_ends = 0;  // in a row
  };

  LocalCluster(Options options, std::string programs, std::string folder, book::FileLock lock)
      : options_(std::move(options)),
        programs_(std::move(programs)),
        folder_(std::move(folder)),
        lock_(std::move(lock)) {}

  absl::Status StartWorker(Worker& worker, absl::Time now);
  absl::Status CoordinatorEnded() const;

  Options options_;
  std::string programs_;  // folder of this program
  std::string folder_;
  book::FileLock lock_;  // lock of the folder
  std::optional<ChildProcess> coordinator_;
  std::vector<Worker> workers_;
};

}  // namespace joseki::cli
