#pragma once

#include <cstdint>
#include <string>

#include "joseki/v1/types.pb.h"
#include "tests/e2e/cluster.h"

namespace joseki::testing {

// The embedded engine against itself with 60 nodes a move, by sample averages.
v1::RunSpec SmallRun(const std::string& name, uint64_t games, const std::string& game = "shogi");

// A folder for the cluster of the running test alone.
std::string ClusterFolder();

// Expects the run to complete, `workers` workers and the coordinator to exit cleanly, and all
// counts to agree. REQUIRES: no more workers were started.
void FinishAndCount(TestCluster& cluster, uint64_t run, int workers, uint64_t games);

}  // namespace joseki::testing
