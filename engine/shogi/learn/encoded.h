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

// A sample in the shape that the network reads: the inputs of both sides, the one to move first.
struct Encoded {
  uint8_t bucket[2];
  uint8_t place[2];  // of the own king
  uint8_t stage;
  uint8_t count;                    // of inputs, the same for both
  float plain[shogi::kPlainTerms];  // the plain evaluation's terms, in kOutputPoints
  float score;                      // that is expected by searching: 0 lost to 1 won
  float result;                     // 1 won, 0.5 drawn, 0 lost
  uint16_t inputs[2][shogi::kMostInputs];
  uint16_t beside[2][shogi::kBeside];  // the own king (engine/shogi/eval/king_area.h)
  uint8_t holding[2];
};

// The score that a value, in kOutputPoints, lets expect.
inline float Sigmoid(float value) { return 1 / (1 + std::exp(-value)); }

// InvalidArgument if the sample's bits are no position.
absl::StatusOr<Encoded> Encode(const Sample& sample);

// The expected score of each sample of one game, in order, 0 to 1: by its own search and, with a
// weight of `foresight` for each ply between, by the expectation of the next, or by the result for
// the last. With 0 by its own search alone.
std::vector<float> ExpectedScores(std::span<const Sample> game, double foresight);

}  // namespace joseki::learn
