#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// The thesis's rule: stages of games with frozen weights. A move of the winner gains delta, a move
// of the loser loses it. A weight is thus the sum over stages of (wins - losses) * delta. Selection
// takes the largest weight plus noise, drawn for each move. Draws, the ply cap's included, change
// nothing.
//
// The thesis names its books [stages-column]; column j means rand 512 j and 1000 j games, in every
// stage. docs/reference/tuning.md lists the options.
class ResultDriven : public Policy {
 public:
  static absl::StatusOr<std::unique_ptr<const Policy>> Make(PolicyOptions options);

  // With start_cap = 0 every weight starts at 0. Otherwise it starts at the base weight, clamped to
  // [-start_cap, start_cap]. A gap larger than the noise would keep a rare move from ever being
  // tried. The default cap is half the noise of the column (ours). REQUIRES: !stages.empty().
  ResultDriven(std::vector<Stage> stages, int64_t start_cap);

  std::string_view name() const override { return "result-driven"; }
  std::span<const Stage> stages() const override { return stages_; }
  size_t Choose(const Choices& at, const Turn& turn, Rng& rng) const override;
  void Credit(Arm& arm, Score score, int stage) const override;
  bool LearnsFromDraws() const override { return false; }
  using Policy::Weight;
  double Weight(const Choices& at, size_t i) const override {
    return static_cast<double>(Sum(at.arms[i]));
  }
  size_t Answer(const Choices& at) const override;
  std::string_view answer_rule() const override {
    return "largest weight; then most games, then largest base weight";
  }

 private:
  int64_t Sum(const Arm& arm) const;
  const Stage& StageAt(int stage) const;

  std::vector<Stage> stages_;
  int64_t start_cap_;
};

}  // namespace joseki::book
