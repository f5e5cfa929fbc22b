#pragma once

#include <cstdint>
#include <string>

#include "joseki/v1/types.pb.h"
#include "tests/e2e/cluster.h"

namespace joseki::testing {

// The embedded engine against itself with 60 nodes a move, by sample averages.
v1::RunSpec SmallRun(const std::string& name, uint64_t games, const std::string& game = "shogi");

// A folder for the cluster of the test that runs, no other's.
std::string ClusterFolder();

// The run completes, `workers` workers and the coordinator leave cleanly, and every count is the
// same. REQUIRES: no more of them were started.
void FinishAndCount(TestCluster& cluster, uint64_t run, int workers, uint64_t games);

}  // namespace joseki::testing
