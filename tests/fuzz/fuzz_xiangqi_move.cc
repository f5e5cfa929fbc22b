#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "book/records/encoding.h"
#include "book/records/xiangqi_notation.h"
#include "engine/xiangqi/fen.h"

// Input: a position and, after a line feed, the text of a move in any notation. A text that names a
// move must have a form in every notation that reads back as the same move.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::book;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t feed = text.find('\n');
  if (feed == std::string_view::npos) return 0;
  const auto start = joseki::xiangqi::ParseFen(text.substr(0, feed));
  if (!start.ok()) return 0;
  const auto move = ParseNotation(start->position, text.substr(feed + 1));
  if (!move.ok()) return 0;
  if (!start->position.IsLegal(*move)) std::abort();
  for (const auto notation :
       {XiangqiNotation::kIccs, XiangqiNotation::kWxf, XiangqiNotation::kChinese}) {
    const std::string name = NotationOf(start->position, *move, notation);
    const auto again = ParseNotation(start->position, name);
    if (!again.ok() || *again != *move || !IsUtf8(name)) std::abort();
  }
  return 0;
}
