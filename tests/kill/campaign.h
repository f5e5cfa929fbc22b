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
  uint32_t search_share = 0;  // percent of the nodes that go into searches along lines
  std::string binaries;
};

// A cluster of fault_coordinator and fault_workers over one run without end, for campaigns that
// break it: who breaks what and when is theirs, the counting is here.
class Campaign {
 public:
  Campaign(std::string name, CampaignFlags flags, std::vector<std::string> coordinator_flags);

  // Starts everything; false with a message if the run cannot be made.
  bool Start();

  TestCluster& cluster() { return *cluster_; }
  uint64_t run() const { return run_; }
  FaultControl& coordinator_faults() { return **coordinator_faults_; }
  FaultControl& worker_faults(int worker) { return **worker_faults_[static_cast<size_t>(worker)]; }

  // Waits until so many games are done since the last call and enough are in flight; false if that
  // never comes. Tells how many there are.
  bool AwaitLoad(uint64_t more_games);
  // Waits until a fault has struck. On a machine that has little time for us all of it comes late:
  // false only where no games come either, or so many have come that it never will.
  bool AwaitFault(const std::function<bool()>& struck);
  uint64_t games_done() const { return games_done_; }
  uint32_t in_flight() const { return in_flight_; }

  // Looks at the database while everything goes on, or with the coordinator away: every game that
  // was acknowledged so far is stored, and the invariants hold. Prints; false if not.
  bool Check(const std::string& when);
  // Ends the run and all programs, and looks for the last time: the stored games are exactly those
  // that the workers know to be stored. Prints; false if not.
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
