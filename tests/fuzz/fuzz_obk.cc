#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "book/formats/obk.h"
#include "tests/fuzz/fuzz_book.h"

// Content that was read is written as a book that reads back as the same positions; bytes of no
// such book do no harm.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::book;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto positions = [](std::string_view book, bool may_reject) {
    return PositionsOf([&](const DbSink& sink) { return ReadObk(book, "f", sink); }, may_reject);
  };
  (void)IsObk(bytes);
  const std::string once = WriteObk(positions(bytes, /*may_reject=*/true));
  // A mirror image that the walk came by has rows of its own now.
  if (WriteObk(positions(once, /*may_reject=*/false)) != once) std::abort();
  return 0;
}
