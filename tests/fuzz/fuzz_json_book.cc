#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "book/formats/json_book.h"
#include "tests/fuzz/fuzz_book.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> JsonPositions(std::string_view bytes, bool may_reject) {
  return PositionsOf([&](const DbSink& sink) { return ReadJsonBook(bytes, "f", sink); },
                     may_reject);
}

}  // namespace
}  // namespace joseki::book

// Content that was read is written and read again without a problem as the same text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::book::JsonPositions;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)joseki::book::IsJsonBook(bytes);
  const std::string once = joseki::book::WriteJsonBook(JsonPositions(bytes, /*may_reject=*/true));
  if (!joseki::book::IsJsonBook(once)) std::abort();
  if (joseki::book::WriteJsonBook(JsonPositions(once, /*may_reject=*/false)) != once) std::abort();
  return 0;
}
