#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/shogi/eval/combinations.h"
#include "engine/shogi/learn/sample.h"

// Finds combinations in games, which TACOS left to future work. A combination is a pair of own
// pieces in the own half. Its positions are better or worse than the plain evaluation and both
// single pieces predict.
namespace joseki::learn {

struct CombineOptions {
  uint64_t least_positions = 2000;  // minimum for a pair
  size_t most = 48;                 // maximum number of pairs; the most significant are kept
  int least_value = 6;
};
struct FoundCombination {
  shogi::Combination combination;
  uint64_t positions = 0;
  double sureness = 0;  // significance of its value, in standard errors
};

// Adds up quiet positions and lists pairs, most significant first.
class CombinationMiner {
 public:
  CombinationMiner();
  // InvalidArgument if the sample's bits are no position.
  absl::Status Add(const Sample& sample);
  std::vector<FoundCombination> Found(const CombineOptions& options) const;

 private:
  struct Sum {
    uint64_t count = 0;
    double residual = 0;  // of the expected score
  };
  std::vector<Sum> single_;
  std::vector<Sum> pair_;
  double squares_ = 0;  // sum of squared residuals
  uint64_t count_ = 0;
};

// Text of the header for building the engine (engine/shogi/eval/combinations_mined.h).
std::string CombinationsHeader(std::span<const FoundCombination> found, const std::string& source);

}  // namespace joseki::learn
