#pragma once

#include "absl/status/status.h"

namespace joseki::worker {

// Decides whether to retry an untrusted coordinator. The first failure is not final, since the
// certificate may be about to be replaced. Ten in a row, some minutes with the usual back-off, mean
// that the coordinator or our own certificate belongs to another cluster.
class Mistrust {
 public:
  static constexpr int kMost = 10;

  // To be called after each failed call.
  bool IsFinal(const absl::Status& status);

 private:
  int times_ = 0;
};

}  // namespace joseki::worker
