#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// A move has the mean of its results as its value: 1 for a win, 0 for a loss, DrawOption's value
// for a draw. The best mean is chosen, with probability epsilon any move; ties are broken at
// random. The policy is "sample-average" with epsilon 0, otherwise "epsilon-greedy". It learns
// after each game or, if `games` is given, in stages with frozen means. docs/reference/tuning.md
// lists the options.
class SampleAverage : public Policy {
 public:
  struct Constants {
    double epsilon = 0;
    DrawValue draw;
    double untried_value =
        0.5;  // above 1: optimistic, so every move is tried before one is repeated
    std::vector<Stage> stages;
  };

  static absl::StatusOr<std::unique_ptr<const Policy>> MakeGreedy(PolicyOptions options);
  static absl::StatusOr<std::unique_ptr<const Policy>> MakeEpsilonGreedy(PolicyOptions options);

  SampleAverage(std::string_view name, Constants constants);

  std::string_view name() const override { return name_; }
  std::span<const Stage> stages() const override { return constants_.stages; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  void Credit(Arm& arm, Score score, int stage) const override;
  bool LearnsFromDraws() const override { return true; }
  DrawValue draw_value() const override { return constants_.draw; }
  using Policy::Weight;
  double Weight(const Choices& at, size_t i) const override { return Mean(at.arms[i], at.mover); }
  // The answer is a move that was tried, if there is one: an untried move's value only serves
  // exploration and is no evidence.
  size_t Answer(const Choices& at) const override;
  std::string_view answer_rule() const override {
    return "best mean of the moves tried; then most games, then largest base weight";
  }

 private:
  double Mean(const Arm& arm, Color mover) const;

  std::string_view name_;
  Constants constants_;
};

}  // namespace joseki::book
