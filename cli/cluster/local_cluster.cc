#include "cli/cluster/local_cluster.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

// A worker that ends sooner than this counts as failed.
constexpr absl::Duration kQuick = absl::Seconds(10);
constexpr int kMostQuickEnds = 5;
constexpr absl::Duration kDrain = absl::Seconds(60);
constexpr absl::Duration kStop = absl::Seconds(60);
constexpr absl::Duration kTick = absl::Milliseconds(100);

std::string FolderOf(const std::string& book) { return book + ".logs"; }
std::string ClusterLock(const std::string& folder) { return folder + "/cluster"; }
std::string AddressFile(const std::string& folder) { return folder + "/coordinator.address"; }

bool IsHeld(const absl::StatusOr<book::FileLock>& lock) {
  return !lock.ok() && ProblemOf(lock.status()).code == "coordinator_running";
}

// The error for a lock that another process holds, worded for the user of the book. A cluster like
// this one listens where its address file says; another coordinator's user knows where.
absl::Status InUse(const std::string& book, const absl::Status& status) {
  Problem problem = ProblemOf(status);
  if (problem.code != "coordinator_running") return status;
  problem.code = "book_in_use";
  problem.file = book;
  std::string address = "HOST:PORT";
  if (IsHeld(book::FileLock::Take(ClusterLock(FolderOf(book))))) {
    const absl::StatusOr<std::string> file = ReadFile(AddressFile(FolderOf(book)));
    if (file.ok()) address = std::string(absl::StripAsciiWhitespace(*file));
  }
  problem.expected = absl::StrCat(
      "a book that nobody plays for: let the other one end, or look on with "
      "`joseki status --watch --coordinator ",
      address, "`");
  return MakeProblem(std::move(problem), status.code());
}

}  // namespace

SignalWait::SignalWait() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

bool SignalWait::Wait(absl::Duration most) {
  const timespec timeout = absl::ToTimespec(std::max(most, absl::ZeroDuration()));
  const int signal = sigtimedwait(&signals_, nullptr, &timeout);
  return signal > 0 && signal != SIGCHLD;
}

absl::StatusOr<LocalCluster> LocalCluster::Create(Options options) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return FileProblem(error.value(), "/proc/self/exe", "a link that can be read");
  const std::string programs = self.parent_path().string();
  for (const char* const program : {"joseki-coordinator", "joseki-worker"}) {
    const std::string path = absl::StrCat(programs, "/", program);
    if (access(path.c_str(), X_OK) != 0) {
      return MakeProblem({.code = "program_missing",
                          .file = path,
                          .found = "no such program",
                          .expected = "it beside the joseki program"},
                         absl::StatusCode::kNotFound);
    }
  }
  // Take the coordinator's lock briefly: it must be free before anything is touched.
  if (const auto free = book::FileLock::Take(options.book); !free.ok()) {
    return InUse(options.book, free.status());
  }
  const std::string folder = FolderOf(options.book);
  std::filesystem::create_directories(folder, error);
  if (error) return FileProblem(error.value(), folder, "a folder that can be written");
  absl::StatusOr<book::FileLock> lock = book::FileLock::Take(ClusterLock(folder));
  if (!lock.ok()) return InUse(options.book, lock.status());
  return LocalCluster(std::move(options), programs, folder, *std::move(lock));
}

absl::Status LocalCluster::CoordinatorEnded() const {
  const std::string words = coordinator_->LastWords();
  return MakeProblem({.code = "coordinator_ended",
                      .file = coordinator_->log_path(),
                      .found = words.empty() ? coordinator_->Ending()
                                             : absl::StrCat(coordinator_->Ending(), ": ", words),
                      .expected = "a running coordinator"},
                     absl::StatusCode::kUnavailable);
}

absl::StatusOr<std::string> LocalCluster::StartCoordinator(SignalWait& signals) {
  const std::string address_file = AddressFile(folder_);
  unlink(address_file.c_str());
  std::vector<std::string> arguments = {programs_ + "/joseki-coordinator",
                                        "--db",
                                        options_.book,
                                        "--listen",
                                        "127.0.0.1:0",
                                        "--address-file",
                                        address_file,
                                        "--lease-seconds",
                                        absl::StrCat(options_.lease_seconds),
                                        "--beat-seconds",
                                        "5"};
  if (!options_.page.empty()) arguments.insert(arguments.end(), {"--page", options_.page});
  ASSIGN_OR_RETURN(ChildProcess coordinator,
                   ChildProcess::Start(arguments, folder_ + "/coordinator.log"));
  coordinator_.emplace(std::move(coordinator));
  for (;;) {
    // The file is written atomically once the coordinator listens.
    if (const absl::StatusOr<std::string> address = ReadFile(address_file); address.ok()) {
      return std::string(absl::StripAsciiWhitespace(*address));
    }
    if (!coordinator_->Running()) return CoordinatorEnded();
    if (signals.Wait(kTick)) return absl::CancelledError("interrupted");
  }
}

absl::Status LocalCluster::StartWorker(Worker& worker, absl::Time now) {
  worker.process.reset();
  std::vector<std::string> arguments = {programs_ + "/joseki-worker",
                                        "--address-file",
                                        AddressFile(folder_),
                                        "--name",
                                        worker.name,
                                        "--slots",
                                        absl::StrCat(options_.seats_per_worker),
                                        "--spool",
                                        absl::StrCat(folder_, "/", worker.name, ".spool"),
                                        "--cache",
                                        folder_ + "/cache"};
  if (!options_.engines.empty()) {
    arguments.insert(arguments.end(), {"--engines", options_.engines});
  }
  ASSIGN_OR_RETURN(ChildProcess process,
                   ChildProcess::Start(arguments, absl::StrCat(folder_, "/", worker.name, ".log")));
  worker.process.emplace(std::move(process));
  worker.started = now;
  worker.start_again = absl::InfiniteFuture();
  return absl::OkStatus();
}

absl::Status LocalCluster::StartWorkers() {
  for (int i = 1; i <= options_.workers; ++i) {
    workers_.emplace_back().name = absl::StrCat("worker-", i);
    RETURN_IF_ERROR(StartWorker(workers_.back(), absl::Now()));
  }
  return absl::OkStatus();
}

absl::Status LocalCluster::Tend(absl::Time now) {
  if (!coordinator_->Running()) return CoordinatorEnded();
  for (Worker& worker : workers_) {
    if (worker.process->Running()) continue;
    if (worker.start_again == absl::InfiniteFuture()) {
      worker.quick_ends = now - worker.started < kQuick ? worker.quick_ends + 1 : 0;
      if (worker.quick_ends >= kMostQuickEnds) {
        return MakeProblem(
            {.code = "worker_ended",
             .file = worker.process->log_path(),
             .found = absl::StrCat(worker.process->Ending(), ": ", worker.process->LastWords()),
             .expected = "a running worker"},
            absl::StatusCode::kUnavailable);
      }
      worker.start_again = now + absl::Milliseconds(250) * (1 << worker.quick_ends);
    }
    if (now >= worker.start_again) RETURN_IF_ERROR(StartWorker(worker, now));
  }
  return absl::OkStatus();
}

void LocalCluster::StopWorkers(SignalWait& signals) {
  const auto any_runs = [this] {
    bool any = false;
    for (Worker& worker : workers_) any |= worker.process && worker.process->Running();
    return any;
  };
  const auto tell_all = [this](void (ChildProcess::*how)()) {
    for (Worker& worker : workers_) {
      if (worker.process) ((*worker.process).*how)();
    }
  };
  tell_all(&ChildProcess::Terminate);
  const absl::Time drained = absl::Now() + kDrain;
  while (any_runs()) {
    const bool told_again = signals.Wait(kTick);
    // Without a coordinator no game can be submitted: do not wait for the workers.
    if (told_again || absl::Now() > drained || !coordinator_->Running()) {
      // A second SIGTERM makes a worker abandon its games; their leases are returned or expire.
      tell_all(&ChildProcess::Terminate);
      break;
    }
  }
  const absl::Time broken_off = absl::Now() + absl::Seconds(10);
  while (any_runs() && absl::Now() < broken_off) signals.Wait(kTick);
  tell_all(&ChildProcess::Kill);
  workers_.clear();
}

absl::Status LocalCluster::StopCoordinator(SignalWait& signals) {
  coordinator_->Terminate();
  const absl::Time last = absl::Now() + kStop;
  while (coordinator_->Running() && absl::Now() < last) signals.Wait(kTick);
  if (coordinator_->Running()) coordinator_->Kill();
  while (coordinator_->Running()) signals.Wait(kTick);
  return coordinator_->EndedWell() ? absl::OkStatus() : CoordinatorEnded();
}

}  // namespace joseki::cli
