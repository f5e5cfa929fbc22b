#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/certificates/tls_files.h"
#include "engine/core/rules.h"
#include "joseki/v1/reader.pb.h"
#include "joseki/v1/types.pb.h"
#include "tests/e2e/child.h"

namespace joseki::testing {

// A coordinator and workers as real processes on this machine, over one database in a folder of
// their own, with a small book. All of them may be killed and restarted. Ports are free ones each
// time: workers find the coordinator by its address file.
class TestCluster {
 public:
  struct Options {
    std::string game = "shogi";
    int workers = 2;
    int seats = 4;  // of each worker
    int lease_seconds = 5;
    // Adds to the small book every move and every reply of the first plies, and two moves after
    // each third one. A shortened line is thus still in the book.
    bool wide_book = false;
    std::vector<std::string> coordinator_flags = {};
    // Programs of the workers that do not run joseki-worker, by worker.
    std::map<int, std::string> programs = {};
    // Programs in the folder of binaries, and flags added to those of every cluster.
    std::string coordinator = "joseki-coordinator";
    std::string worker = "joseki-worker";
    std::function<std::vector<std::string>(int worker)> worker_flags = {};
    std::string listen = "127.0.0.1:0";
    bool mutual_tls = false;  // with an authority of its own; otherwise plain text
    // Network of a worker (tests/e2e/network.h); -1: ours.
    std::function<int(int worker)> name_space = {};
  };

  // Creates `folder` and the book. `binaries` is the folder of the programs.
  TestCluster(std::string folder, std::string binaries, Options options);
  ~TestCluster();

  void StartCoordinator();
  void StartWorker(int worker);
  void KillCoordinator();
  void KillWorker(int worker);
  bool CoordinatorRuns() { return coordinator_->Running(); }
  bool WorkerRuns(int worker) { return workers_[static_cast<size_t>(worker)]->Running(); }
  // Ends a process as an operator does, with SIGTERM; returns its exit status.
  int StopCoordinator();
  int StopWorker(int worker);
  // Returns its exit status once it ends by itself.
  int WaitForWorker(int worker);
  // Waits until the worker has joined the coordinator since its last start; false if it does not.
  bool AwaitJoined(int worker);

  // Creates the run, or returns it if it was created before.
  absl::StatusOr<uint64_t> CreateRun(const v1::RunSpec& spec);
  // Status of the run; Unavailable while the coordinator is away.
  absl::StatusOr<v1::RunStatus> Status(uint64_t run);
  absl::Status StopRun(uint64_t run);
  // Reads an export of the run to its end; returns the number of bytes.
  absl::StatusOr<uint64_t> Export(uint64_t run);
  // Waits until a status satisfies `wanted`; false if none does in time.
  bool Await(uint64_t run, const std::function<bool(const v1::RunStatus&)>& wanted,
             std::chrono::seconds patience = std::chrono::seconds(300));

  using Key = std::pair<uint64_t, uint32_t>;  // lease and slot
  // The slots acknowledged as committed, by the workers' logs of all their lives.
  std::set<Key> Acknowledged() const;
  // Number of verdicts that must not occur: conflicts and rejections.
  int BadVerdicts() const;

  // Content of the database. Call with the coordinator stopped.
  struct Stored {
    std::set<Key> games;
    std::set<Key> copies;       // replayed games; not in `games`
    std::set<Key> searches;     // evaluations; not in `games`
    std::set<Key> all() const;  // all three: the slots that a worker may have seen acknowledged
    uint64_t faults = 0;
    uint64_t credited = 0;         // sum of the games counted at all book moves
    uint64_t expected_credit = 0;  // book plies of all games that count
    uint64_t audited = 0;
    uint64_t mismatches = 0;
    std::string first_mismatch;
  };
  Stored Read() const;
  // The number that `sql` returns; also while the coordinator runs.
  int64_t Number(const std::string& sql) const;

  const Rules& rules() const { return rules_; }
  const std::string& folder() const { return folder_; }
  std::string File(const std::string& name) const { return folder_ + "/" + name; }
  // Last lines of every log, for a failure message.
  std::string Logs() const;

 private:
  std::string WorkerLog(int worker) const;
  void MakeBook() const;
  void MakeCertificates();
  // A channel to the running coordinator, as an operator.
  absl::StatusOr<std::shared_ptr<grpc::Channel>> Channel();

  const std::string folder_;
  const std::string binaries_;
  const Options options_;
  const Rules& rules_;
  std::unique_ptr<Child> coordinator_;
  std::vector<std::unique_ptr<Child>> workers_;
  std::map<int, uint64_t> log_sizes_;  // of a worker's log, before its last start
  certificates::TlsFiles operator_;    // none: plain text
  std::string connected_to_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace joseki::testing
