#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash.h"

namespace joseki::book {

// The weights of a frozen book at one version: one number an edge, by EdgeId. The structure of the
// book ships once; afterwards only what has changed, in this form. Layout in
// docs/reference/formats.md.
using Weights = std::vector<int64_t>;

// The weights' identity: of their number and of each as 8 bytes, little-endian.
Sha256 HashOf(std::span<const int64_t> weights);

// The step from the weights of version `from` to those of version `to`. Version 0 has every weight
// zero, so a delta from it is the whole vector. Deltas of several versions merge by encoding from
// the oldest to the newest. The same arguments give the same bytes. REQUIRES: as many weights
// before as after; from < to.
std::string EncodeWeightsDelta(std::span<const int64_t> before, std::span<const int64_t> after,
                               uint32_t from, uint32_t to);

struct WeightsDeltaHeader {
  uint32_t from = 0;  // 0: stands alone
  uint32_t to = 0;
  uint32_t edges = 0;
  Sha256 sha256{};  // HashOf the weights of `to`
};

// The header alone. InvalidArgument "bad_weights_delta".
absl::StatusOr<WeightsDeltaHeader> ReadWeightsDeltaHeader(std::string_view delta);

// The weights of version `to`, from those that the delta's `from` names (none for 0). The bytes are
// foreign: InvalidArgument "bad_weights_delta" if they are malformed, are not for `edges` weights,
// or lead to weights that do not hash to what the header says.
absl::StatusOr<Weights> ApplyWeightsDelta(std::span<const int64_t> before, std::string_view delta,
                                          uint32_t edges);

}  // namespace joseki::book
