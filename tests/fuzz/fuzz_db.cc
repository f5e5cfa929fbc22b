#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/formats/yaneuraou_db.h"

namespace joseki::book {
namespace {

std::vector<DbPosition> Read(const std::string& text, bool may_reject) {
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
  if (!ReadYaneuraouDb(text, "f", sink).ok() && !may_reject) std::abort();
  return positions;
}

}  // namespace
}  // namespace joseki::book

// What was read is written, and read again without a problem as the same text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::book::Read;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string once = joseki::book::WriteYaneuraouDb(Read(text, /*may_reject=*/true));
  if (joseki::book::WriteYaneuraouDb(Read(once, /*may_reject=*/false)) != once) std::abort();
  return 0;
}
