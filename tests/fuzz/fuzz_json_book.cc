#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/formats/json_book.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> Read(std::string_view bytes, bool may_reject) {
  std::vector<DbPosition> positions;
  DbSink sink;
  sink.accept = [&](DbPosition position) {
    if (position.moves.empty() || position.line < 1) std::abort();
    positions.push_back(std::move(position));
  };
  sink.reject = [&](absl::Status status) {
    const Problem problem = ProblemOf(status);
    if (!may_reject || problem.file != "f" || problem.line < 1) std::abort();
  };
  if (!ReadJsonBook(bytes, "f", sink).ok() && !may_reject) std::abort();
  return positions;
}

}  // namespace
}  // namespace joseki::book

// What was read is written, and read again without a problem as the same text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::book::Read;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)joseki::book::IsJsonBook(bytes);
  const std::string once = joseki::book::WriteJsonBook(Read(bytes, /*may_reject=*/true));
  if (!joseki::book::IsJsonBook(once)) std::abort();
  if (joseki::book::WriteJsonBook(Read(once, /*may_reject=*/false)) != once) std::abort();
  return 0;
}
