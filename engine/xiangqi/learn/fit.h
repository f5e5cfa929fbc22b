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

// C. Ye's values of pieces and nothing else: what learning begins from and what the other weights
// are held back to.
Weights MaterialOnly();

struct FitOptions {
  double scale = 0;        // points that make the odds e to 1; 0: what serves material alone best
  double result_part = 1;  // of the target where there are both; the rest is the search's score
  double hold = 1e-6;      // how strongly weights are held back
  int rounds = 40;         // over all samples
};

struct FitResult {
  Weights weights;
  double scale = 0;
  size_t trained = 0;
  size_t held_out = 0;  // every tenth game
  // Mean log loss against results of the games held out, in nats; the targets' own entropy is in
  // it.
  double loss_material = 0;
  double loss_learned = 0;
  // Against the targets that were learned from.
  double target_material = 0;
  double target_learned = 0;
};

// Logistic regression by Adam, in a fixed order: deterministic. REQUIRES: packed by Pack.
absl::StatusOr<FitResult> Fit(const std::vector<Sample>& samples, const FitOptions& options);

}  // namespace joseki::xiangqi
