#include "engine/shogi/learn/bonanza_sums.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::learn {

void BonanzaSums::Add(const BonanzaSums& other) {
  for (size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] += other.gradient[i];
    asked[i] += other.asked[i];
  }
  objective += other.objective;
  positions += other.positions;
  agreed += other.agreed;
}

std::string WriteSums(const BonanzaSums& sums) {
  std::string bytes;
  auto append = [&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  append(&sums.objective, sizeof(sums.objective));
  append(&sums.positions, sizeof(sums.positions));
  append(&sums.agreed, sizeof(sums.agreed));
  append(sums.gradient.data(), sums.gradient.size() * sizeof(int64_t));
  append(sums.asked.data(), sums.asked.size() * sizeof(int64_t));
  return bytes;
}

absl::StatusOr<BonanzaSums> ReadSums(std::string_view bytes) {
  constexpr size_t kFixed = 3 * sizeof(int64_t);
  constexpr size_t kWeight = 2 * sizeof(int64_t);
  if (bytes.size() < kFixed || (bytes.size() - kFixed) % kWeight != 0) {
    return MakeProblem({.code = "bad_part",
                        .found = absl::StrCat(bytes.size(), " bytes of sums"),
                        .expected = absl::StrCat(kFixed, " bytes and ", kWeight, " a weight")});
  }
  const size_t weights = (bytes.size() - kFixed) / kWeight;
  BonanzaSums sums{.gradient = std::vector<int64_t>(weights),
                   .asked = std::vector<int64_t>(weights)};
  auto take = [&](void* data, size_t size) {
    if (size > 0) std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(&sums.objective, sizeof(sums.objective));
  take(&sums.positions, sizeof(sums.positions));
  take(&sums.agreed, sizeof(sums.agreed));
  take(sums.gradient.data(), weights * sizeof(int64_t));
  take(sums.asked.data(), weights * sizeof(int64_t));
  return sums;
}

}  // namespace joseki::learn
