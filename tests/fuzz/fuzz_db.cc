#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "book/formats/yaneuraou_db.h"
#include "tests/fuzz/fuzz_book.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> YaneuraouPositions(const std::string& text, bool may_reject) {
  return PositionsOf([&](const DbSink& sink) { return ReadYaneuraouDb(text, "f", sink); },
                     may_reject);
}

}  // namespace
}  // namespace joseki::book

// Content that was read is written and read again without a problem as the same text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::book::YaneuraouPositions;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string once =
      joseki::book::WriteYaneuraouDb(YaneuraouPositions(text, /*may_reject=*/true));
  if (joseki::book::WriteYaneuraouDb(YaneuraouPositions(once, /*may_reject=*/false)) != once)
    std::abort();
  return 0;
}
