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
// their own, with a small book; everything of theirs may be killed and started again. Ports are
// free ones each time: workers find the coordinator by its address file.
class TestCluster {
 public:
  struct Options {
    std::string game = "shogi";
    int workers = 2;
    int seats = 4;  // of each worker
    int lease_seconds = 5;
    // Besides the small book: every move and every reply of the first plies, and two moves after
    // each third one. A line that is cut short is back in it at once.
    bool wide_book = false;
    std::vector<std::string> coordinator_flags = {};
    std::map<int, std::string> programs = {};  // of workers that are no ordinary joseki-worker
    // Programs in the folder of binaries, and flags of theirs beside those that every cluster has.
    std::string coordinator = "joseki-coordinator";
    std::string worker = "joseki-worker";
    std::function<std::vector<std::string>(int worker)> worker_flags = {};
    std::string listen = "127.0.0.1:0";
    bool mutual_tls = false;  // of an authority of its own; else in clear
    // Of the network that a worker is in (tests/e2e/network.h); -1: ours.
    std::function<int(int worker)> name_space = {};
  };

  // Makes `folder` and the book. `binaries` is where the programs are.
  TestCluster(std::string folder, std::string binaries, Options options);
  ~TestCluster();

  void StartCoordinator();
  void StartWorker(int worker);
  void KillCoordinator();
  void KillWorker(int worker);
  bool CoordinatorRuns() { return coordinator_->Running(); }
  bool WorkerRuns(int worker) { return workers_[static_cast<size_t>(worker)]->Running(); }
  // Ends a process as an operator would, with SIGTERM; its exit status.
  int StopCoordinator();
  int StopWorker(int worker);
  // Its exit status once it ends by itself.
  int WaitForWorker(int worker);

  // The same run however often it is called.
  absl::StatusOr<uint64_t> CreateRun(const v1::RunSpec& spec);
  // Of the run; Unavailable while the coordinator is away.
  absl::StatusOr<v1::RunStatus> Status(uint64_t run);
  absl::Status StopRun(uint64_t run);
  // Reads an export of the run to its end; how many bytes came.
  absl::StatusOr<uint64_t> Export(uint64_t run);
  // Waits until a status is as wanted; false if it never was.
  bool Await(uint64_t run, const std::function<bool(const v1::RunStatus&)>& wanted,
             std::chrono::seconds patience = std::chrono::seconds(300));

  using Key = std::pair<uint64_t, uint32_t>;  // lease and slot
  // What the workers' logs say was answered for as committed, over all their lives.
  std::set<Key> Acknowledged() const;
  // Verdicts that must not come up: conflicts and rejections.
  int BadVerdicts() const;

  // What the database says. Call with the coordinator stopped.
  struct Stored {
    std::set<Key> games;
    std::set<Key> copies;       // games that were played again; none of `games`
    std::set<Key> searches;     // evaluations; none of `games` either
    std::set<Key> all() const;  // all three: what a worker may have been answered for
    uint64_t faults = 0;
    uint64_t credited = 0;         // games counted for all book moves together
    uint64_t expected_credit = 0;  // book plies of all games that count
    uint64_t audited = 0;
    uint64_t mismatches = 0;
    std::string first_mismatch;
  };
  Stored Read() const;
  // One number that the database gives for `sql`, also while the coordinator runs.
  int64_t Number(const std::string& sql) const;

  const Rules& rules() const { return rules_; }
  const std::string& folder() const { return folder_; }
  std::string File(const std::string& name) const { return folder_ + "/" + name; }
  // The last lines of every log, for a failure's message.
  std::string Logs() const;

 private:
  std::string WorkerLog(int worker) const;
  void MakeBook() const;
  void MakeCertificates();
  // To the coordinator that runs now, as an operator.
  absl::StatusOr<std::shared_ptr<grpc::Channel>> Channel();

  const std::string folder_;
  const std::string binaries_;
  const Options options_;
  const Rules& rules_;
  std::unique_ptr<Child> coordinator_;
  std::vector<std::unique_ptr<Child>> workers_;
  certificates::TlsFiles operator_;  // none: in clear
  std::string connected_to_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace joseki::testing
