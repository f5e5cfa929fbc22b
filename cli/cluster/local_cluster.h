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

// Blocks the signals that end a program, and waits for them instead: SIGINT, SIGTERM, SIGHUP, and
// SIGCHLD so that a child's end wakes the waiter. Made before any thread is started.
class SignalWait {
 public:
  SignalWait();
  // True if we were told to end within `most`; a child's end returns early.
  bool Wait(absl::Duration most);

 private:
  sigset_t signals_;
};

// One coordinator and some workers as child processes of this one, found beside its program.
// Not thread-safe.
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

  // Where logs, spools and the address file are kept: "<book>.logs". Made if it is not there.
  // FailedPrecondition "book_in_use", and nothing is touched, where another cluster or a
  // coordinator has the book.
  static absl::StatusOr<LocalCluster> Create(Options options);

  // Starts the coordinator and waits until it listens; its address. Cancelled if `signals` told us
  // to end, "coordinator_ended" with its last words if it could not start.
  absl::StatusOr<std::string> StartCoordinator(SignalWait& signals);
  absl::Status StartWorkers();

  // Looks after the children: starts workers that ended again, later each time. An error if the
  // coordinator has ended or a worker cannot be kept running.
  absl::Status Tend(absl::Time now);

  // Tells the workers to finish or give back their games, and waits; being told again to end, or
  // the time's being over, breaks games off. What is finished is kept in their spools.
  void StopWorkers(SignalWait& signals);
  // Lets the coordinator commit and end; an error if it did not end well.
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
  std::string programs_;  // the folder of our own program
  std::string folder_;
  book::FileLock lock_;  // of the folder
  std::optional<ChildProcess> coordinator_;
  std::vector<Worker> workers_;
};

}  // namespace joseki::cli
