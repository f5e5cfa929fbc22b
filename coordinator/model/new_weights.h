#pragma once

#include <cstdint>
#include <memory>

#include "book/weights_delta.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A new version of a run's weights, to be written. The writer encodes it.
struct NewWeights {
  RunId run = 0;
  uint32_t version = 0;
  uint64_t seq = 0;                             // the last game counted in them
  uint64_t games = 0;                           // games of the run by then
  uint64_t trust_change = 0;                    // the trust of their evidence
  std::shared_ptr<const book::Weights> before;  // the version before; null: not in memory
  std::shared_ptr<const book::Weights> after;
  uint32_t priors = 0;  // version of the run's priors; 0: none
};

}  // namespace joseki::coordinator
