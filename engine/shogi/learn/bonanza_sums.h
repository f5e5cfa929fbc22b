#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki::learn {

// Every `count`-th of a list, from number `index` (0-based) on. The shares 0 to count - 1 are
// together the whole.
struct Share {
  size_t index = 0;
  size_t count = 1;
};

// Sums over the lessons of a share. They are whole numbers, so the total over all shares is the
// same however the lessons are divided.
struct BonanzaSums {
  // An element for each weight in both, or none if lessons are only measured.
  std::vector<int64_t> gradient;  // dJ / dv without the penalty, in 1 / kSlopeUnit
  std::vector<int64_t> asked;     // A: how much each weight is used, in 1 / kSlopeUnit
  int64_t objective = 0;          // J without the penalty, in 1 / kSlopeUnit
  uint64_t positions = 0;
  uint64_t agreed = 0;  // positions whose recorded move has the largest value

  // REQUIRES: both have as many weights.
  void Add(const BonanzaSums& other);
};
inline constexpr double kSlopeUnit = 1 << 20;

// The sums as bytes of this machine's order, and back. ReadSums: InvalidArgument for a number of
// bytes that no sums have.
std::string WriteSums(const BonanzaSums& sums);
absl::StatusOr<BonanzaSums> ReadSums(std::string_view bytes);

}  // namespace joseki::learn
