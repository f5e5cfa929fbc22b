#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/xiangqi/eval/features.h"
#include "engine/xiangqi/learn/samples.h"

namespace joseki::xiangqi {

// [feature][0: middle game, 1: end].
using Weights = std::array<std::array<double, 2>, kFeatureCount>;

// C. Ye's piece values with all other weights 0: the start of learning, and the point to which
// weights are regularised.
Weights MaterialOnly();

struct FitOptions {
  double scale = 0;  // points of odds e to 1; 0: the best fit for material alone
  // Weight of the result in the target if there is a search score, which has the rest.
  double result_part = 1;
  double hold = 1e-6;  // strength of the regularisation
  int rounds = 40;     // passes over all samples
};

struct FitResult {
  Weights weights;
  double scale = 0;
  size_t trained = 0;
  size_t held_out = 0;  // samples of the games held out (every tenth)
  // Mean log loss against results of the games held out, in nats. It includes the targets' own
  // entropy.
  double loss_material = 0;
  double loss_learned = 0;
  // Log loss against the training targets.
  double target_material = 0;
  double target_learned = 0;
};

// Logistic regression by Adam in a fixed order: deterministic. REQUIRES: samples packed by Pack.
absl::StatusOr<FitResult> Fit(const std::vector<Sample>& samples, const FitOptions& options);

}  // namespace joseki::xiangqi
