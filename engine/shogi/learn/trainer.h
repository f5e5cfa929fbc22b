#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/rng.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/learn/encoded.h"

namespace joseki::learn {

struct TrainerOptions {
  int threads = 1;
  size_t batch = 4096;
  double rate = 1e-3;  // of the first epoch; falls to a fiftieth along a half cosine
  // Added to the root of Adam's second moment: weights whose gradients are far below it, which few
  // samples ask for, hardly move.
  double caution = 3e-6;
  double here_rate = 0.05;     // of the rate, for what a bucket has of its own
  double decay = 1;            // of the same, a step, times its rate
  double result_share = 0.15;  // of the aim that is the game's result; the rest is the score
  int epochs = 6;
  uint64_t seed = 1;
};

struct Loss {
  double mean = 0;  // of the squared difference of expected scores
  size_t count = 0;
};

// Trains a network of float weights by Adam over mini-batches, and rounds it. The same options and
// samples give the same weights.
class Trainer {
 public:
  explicit Trainer(const TrainerOptions& options);
  ~Trainer();

  // Starts from these weights instead of from random ones and the plain evaluation.
  void BeginWith(const shogi::Weights& weights);

  // One pass over `samples` in an order drawn from the seed and the epoch. The mean loss before
  // each step.
  Loss Epoch(std::span<const Encoded> samples);
  Loss Measure(std::span<const Encoded> samples) const;
  // The mean loss of the plain evaluation by itself.
  double MeasurePlain(std::span<const Encoded> samples) const;
  int epoch() const;  // passes made
  shogi::Weights Rounded() const;

  // Everything that the next epoch depends on.
  std::string Save() const;
  absl::Status Restore(std::string_view bytes, const std::string& name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::learn
