// Every 32 bytes as a packed position: refused, or a sound position that packs to the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/problem.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::shogi;  // NOLINT(google-build-using-namespace)
  for (; size >= 32; data += 32, size -= 32) {
    joseki::PackedPosition packed;
    std::copy(data, data + 32, packed.bytes.begin());
    const auto position = Unpack(packed);
    if (!position.ok()) {
      if (joseki::ProblemOf(position.status()).code != "bad_packed_position") std::abort();
      continue;
    }
    if (*position->Flaw() != '\0' || Pack(*position) != packed) std::abort();
    const auto written = ParseSfen(ToSfen(*position, 1));
    if (!written.ok() || written->position.key() != position->key()) std::abort();
  }
  return 0;
}
