#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/shogi/eval/king_area.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/learn/sample.h"

namespace joseki::learn {

// A sample as the network reads it: the inputs of both sides, side to move first.
struct Encoded {
  uint8_t bucket[2];
  uint8_t place[2];  // of the own king
  uint8_t stage;
  uint8_t count;                    // number of inputs, equal for both sides
  float plain[shogi::kPlainTerms];  // terms of the plain evaluation, in units of kOutputPoints
  float score;                      // expected by search: 0 lost to 1 won
  float result;                     // 1 won, 0.5 drawn, 0 lost
  uint16_t inputs[2][shogi::kMostInputs];
  // Squares beside the own king (engine/shogi/eval/king_area.h).
  uint16_t beside[2][shogi::kBeside];
  uint8_t holding[2];
};

// Expected score of a value in units of kOutputPoints.
inline float Sigmoid(float value) { return 1 / (1 + std::exp(-value)); }

// InvalidArgument if the sample's bits are no position.
absl::StatusOr<Encoded> Encode(const Sample& sample);

// Expected score, 0 to 1, of each sample of one game, in order. With `foresight` 0 it is that of
// the sample's own search. Otherwise the expectation of the next sample (the result for the last)
// is mixed in. Its weight is `foresight` to the power of the plies between them.
std::vector<float> ExpectedScores(std::span<const Sample> game, double foresight);

}  // namespace joseki::learn
