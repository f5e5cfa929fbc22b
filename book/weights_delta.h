#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki::book {

// The weights of a frozen book at one version: one number for each EdgeId. The structure of the
// book ships once; later messages carry only changed weights in this form.
// docs/reference/formats.md has the layout.
using Weights = std::vector<int64_t>;

// Identity of the weights: SHA-256 of their number and of each as 8 bytes, little-endian.
Sha256 HashOf(std::span<const int64_t> weights);

// The change from version `from` to version `to`. Version 0 has all weights zero, so a delta from 0
// holds the whole vector. Deltas of several versions merge by encoding from the oldest to the
// newest. The encoding is deterministic. REQUIRES: before.size() == after.size(); from < to.
std::string EncodeWeightsDelta(std::span<const int64_t> before, std::span<const int64_t> after,
                               uint32_t from, uint32_t to);

struct WeightsDeltaHeader {
  uint32_t from = 0;  // 0: needs no earlier version
  uint32_t to = 0;
  uint32_t edges = 0;
  Sha256 sha256{};  // HashOf of the weights of version `to`
};

// Reads the header only. InvalidArgument "bad_weights_delta".
absl::StatusOr<WeightsDeltaHeader> ReadWeightsDeltaHeader(std::string_view delta);

// The weights of version `to`, computed from those of the delta's version `from` (none for 0). The
// bytes are not trusted. InvalidArgument "bad_weights_delta" if they are malformed, are not for
// `edges` weights, or give weights whose hash differs from the header's.
absl::StatusOr<Weights> ApplyWeightsDelta(std::span<const int64_t> before, std::string_view delta,
                                          uint32_t edges);

}  // namespace joseki::book
