#include "worker/mistrust.h"

#include "base/problem.h"

namespace joseki::worker {

bool Mistrust::IsFinal(const absl::Status& status) {
  times_ = ProblemOf(status).code == "coordinator_not_trusted" ? times_ + 1 : 0;
  return times_ >= kMost;
}

}  // namespace joseki::worker
