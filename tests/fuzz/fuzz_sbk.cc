#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/sbk.h"
#include "tests/fuzz/fuzz_book.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> SbkPositions(std::string_view bytes, bool may_reject) {
  return PositionsOf([&](const DbSink& sink) { return ReadSbk(bytes, "f", sink); }, may_reject);
}

}  // namespace
}  // namespace joseki::book

// Content that was read is written and read again without a problem as the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::book::SbkPositions;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)joseki::book::IsSbk(bytes);
  const std::string once = joseki::book::WriteSbk(SbkPositions(bytes, /*may_reject=*/true));
  if (joseki::book::WriteSbk(SbkPositions(once, /*may_reject=*/false)) != once) std::abort();
  return 0;
}
