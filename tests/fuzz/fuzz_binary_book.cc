#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "book/formats/apery.h"
#include "book/formats/gikou.h"
#include "book/formats/ybb.h"
#include "tests/fuzz/fuzz_book.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> FromYbb(std::string_view bytes, bool may_reject) {
  return PositionsOf([&](const DbSink& sink) { return ReadYbb(bytes, "f", sink); }, may_reject);
}

std::vector<DbPosition> FromApery(std::string_view bytes, std::vector<AperyRecord>& unreached) {
  return PositionsOf(
      [&](const DbSink& sink) {
        return ReadApery(bytes, "f", {.roots = {}, .gap = 0}, sink, &unreached);
      },
      /*may_reject=*/true);
}

}  // namespace
}  // namespace joseki::book

// Content that was read is written and read again without a problem as the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::book;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string once = WriteYbb(FromYbb(bytes, /*may_reject=*/true));
  if (WriteYbb(FromYbb(once, /*may_reject=*/false)) != once) std::abort();
  std::vector<AperyRecord> unreached;
  const std::vector<DbPosition> positions = FromApery(bytes, unreached);
  const std::string apery = WriteApery(positions, unreached);
  std::vector<AperyRecord> again;
  if (WriteApery(FromApery(apery, again), again) != apery) std::abort();
  // Most of a book of Gikou's is random numbers, which need not be tried: the input is its records.
  std::string gikou(size_t{81} * 8, '\0');
  gikou.resize(20'992, '\1');
  gikou += bytes.substr(0, bytes.size() / 32 * 32);
  (void)joseki::book::PositionsOf(
      [&](const DbSink& sink) { return ReadGikou(gikou, "f", {.roots = {}, .gap = 0}, sink); },
      /*may_reject=*/true);
  return 0;
}
