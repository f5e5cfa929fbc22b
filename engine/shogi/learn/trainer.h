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
  // Added to the root of Adam's second moment. Weights with much smaller gradients, which few
  // samples use, thus hardly move.
  double caution = 3e-6;
  double here_rate = 0.05;     // rate of a bucket's own weights, relative to `rate`
  double decay = 1;            // decay of the same in each step, relative to their rate
  double result_share = 0.15;  // weight of the game's result in the target; the rest is the score
  int epochs = 6;
  uint64_t seed = 1;
};

struct Loss {
  double mean = 0;  // mean squared difference of expected scores
  size_t count = 0;
};

// Trains a network of float weights by Adam over mini-batches, and rounds it. Deterministic in
// options and samples.
class Trainer {
 public:
  explicit Trainer(const TrainerOptions& options);
  ~Trainer();

  // Starts from these weights instead of random ones and the plain evaluation.
  void BeginWith(const shogi::Weights& weights);

  // Runs a pass over `samples`, in an order drawn from seed and epoch. Returns the mean loss before
  // each step.
  Loss Epoch(std::span<const Encoded> samples);
  Loss Measure(std::span<const Encoded> samples) const;
  // Mean loss of the plain evaluation alone.
  double MeasurePlain(std::span<const Encoded> samples) const;
  int epoch() const;  // number of passes made
  shogi::Weights Rounded() const;

  // All state that the next epoch depends on.
  std::string Save() const;
  absl::Status Restore(std::string_view bytes, const std::string& name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::learn
