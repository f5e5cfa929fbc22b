#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/weights_delta.h"
#include "coordinator/model/new_weights.h"

namespace joseki::coordinator {

// A stored version of the weights of a run's book: a change from an earlier version.
struct WeightVersionRow {
  RunId run = 0;
  uint32_t version = 0;
  uint64_t seq = 0;           // the last game counted in them
  uint64_t games = 0;         // games of the run by then
  uint64_t trust_change = 0;  // the trust of their evidence
  uint32_t priors = 0;        // version of the run's priors; 0: none
  uint32_t base = 0;          // the version that `delta` applies to; 0: it stands alone
  std::string delta;
};

// Every version of this distance stands alone, which bounds the chains to apply.
inline constexpr uint32_t kWeightsChain = 16;

// The table `weight_versions`, over one connection. Thread rule: as the Store that is passed in.
absl::Status InsertWeightVersion(book::Store& store, const WeightVersionRow& row);
// Inserts weights that are in memory: a delta from the version before or, every kWeightsChain
// versions, the whole vector.
absl::Status InsertNewWeights(book::Store& store, const NewWeights& weights);
// All versions of the run, ascending, without their deltas.
absl::StatusOr<std::vector<WeightVersionRow>> ReadWeightVersions(book::Store& store, RunId run);
// Rebuilds the weights of one version. NotFound "unknown_weights"; DataLoss if the rows do not lead
// there.
absl::StatusOr<book::Weights> ReadWeights(book::Store& store, RunId run, uint32_t version);

}  // namespace joseki::coordinator
