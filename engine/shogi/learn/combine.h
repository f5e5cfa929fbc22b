#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/shogi/eval/combinations.h"
#include "engine/shogi/learn/sample.h"

// Combinations found in games, which TACOS left to the future: pairs of own pieces in the own half
// with which positions are worth more or less than the plain evaluation and both pieces alone say.
namespace joseki::learn {

struct CombineOptions {
  uint64_t least_positions = 2000;  // that a pair must be in
  size_t most = 48;                 // pairs, the surest
  int least_value = 6;
};
struct FoundCombination {
  shogi::Combination combination;
  uint64_t positions = 0;
  double sureness = 0;  // what it adds, in standard errors
};

// Counts quiet positions; the surest first.
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
  double squares_ = 0;  // of residuals
  uint64_t count_ = 0;
};

// The header that the engine is built with (engine/shogi/eval/combinations_mined.h).
std::string CombinationsHeader(std::span<const FoundCombination> found, const std::string& source);

}  // namespace joseki::learn
