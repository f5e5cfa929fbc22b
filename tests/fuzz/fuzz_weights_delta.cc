#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "book/weights_delta.h"

namespace joseki::book {
namespace {

constexpr uint32_t kEdges = 100;

void Fuzz(std::string_view bytes) {
  const Weights before(kEdges, 1000);
  const auto applied = ApplyWeightsDelta(before, bytes, kEdges);
  if (!applied.ok()) {
    if (ProblemOf(applied.status()).code != "bad_weights_delta") std::abort();
    return;
  }
  if (applied->size() != kEdges) std::abort();
  // Weights that were read can be encoded again with the same result.
  const auto header = ReadWeightsDeltaHeader(bytes);
  if (!header.ok() || header->sha256 != HashOf(*applied)) std::abort();
  const auto again = ApplyWeightsDelta(
      before, EncodeWeightsDelta(before, *applied, header->from, header->to), kEdges);
  if (!again.ok() || *again != *applied) std::abort();
}

}  // namespace
}  // namespace joseki::book

// The first bytes are a delta as they are; those after them choose new weights, which are encoded,
// damaged at one place, and read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::book;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Fuzz(bytes);
  if (size < 3) return 0;
  const Weights before(kEdges, 1000);
  Weights after = before;
  for (size_t i = 2; i + 1 < size; i += 2) {
    after[data[i] % kEdges] += static_cast<int8_t>(data[i + 1]);
  }
  std::string delta = EncodeWeightsDelta(before, after, 1, 2);
  const auto applied = ApplyWeightsDelta(before, delta, kEdges);
  if (!applied.ok() || *applied != after) std::abort();
  delta[(data[0] << 8 | data[1]) % delta.size()] ^= static_cast<char>(data[2] | 1);
  Fuzz(delta);
  return 0;
}
