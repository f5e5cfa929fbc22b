#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/cluster.h"
#include "tests/support/fault_control.h"

namespace joseki::testing {

struct CampaignFlags {
  std::string game = "shogi";
  uint64_t nodes = 300;
  int workers = 3;
  int seats = 48;
  uint32_t in_flight = 100;
  uint64_t seed = 1;
  std::string policy = "sample-average";
  uint32_t search_share = 0;  // percentage of the nodes that go into searches along lines
  std::string binaries;
};

// A cluster of fault_coordinator and fault_workers over one endless run, for campaigns that inject
// faults. The campaign decides what fails and when; this class counts.
class Campaign {
 public:
  Campaign(std::string name, CampaignFlags flags, std::vector<std::string> coordinator_flags);

  // Starts all programs; on failure to create the run prints a message and returns false.
  bool Start();

  TestCluster& cluster() { return *cluster_; }
  uint64_t run() const { return run_; }
  FaultControl& coordinator_faults() { return **coordinator_faults_; }
  FaultControl& worker_faults(int worker) { return **worker_faults_[static_cast<size_t>(worker)]; }

  // Waits until `more_games` games are done since the last call and enough are in flight; prints
  // their number. Returns false if that never happens.
  bool AwaitLoad(uint64_t more_games);
  // Waits until a fault has struck. On a busy machine this may take long. It returns false only if
  // no games arrive, or if so many have arrived that the fault will never strike.
  bool AwaitFault(const std::function<bool()>& struck);
  uint64_t games_done() const { return games_done_; }
  uint32_t in_flight() const { return in_flight_; }

  // Checks the database while everything is running, or with the coordinator away. Every game
  // acknowledged so far must be stored, and the invariants must hold. Prints; returns false on
  // failure.
  bool Check(const std::string& when);
  // Ends the run and all programs, then checks that the stored games are exactly those that the
  // workers know to be stored. Prints; returns false on failure.
  bool Finish();

  int Failed(const std::string& what);

 private:
  const std::string name_;
  const CampaignFlags flags_;
  std::unique_ptr<TestCluster> cluster_;
  std::unique_ptr<SharedFaultControl> coordinator_faults_;
  std::vector<std::unique_ptr<SharedFaultControl>> worker_faults_;
  uint64_t run_ = 0;
  uint64_t games_done_ = 0;
  uint32_t in_flight_ = 0;
};

}  // namespace joseki::testing
