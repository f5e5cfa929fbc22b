#include "book/records/encoding.h"

#include <iconv.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

// Length of the UTF-8 sequence at the front of `bytes`; 0 if it is malformed.
size_t SequenceLength(std::string_view bytes) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  auto continues = [&](size_t i) { return i < bytes.size() && (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return continues(1) ? 2 : 0;
  if (lead < 0xf0) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;   // overlong
    if (lead == 0xed && byte(1) >= 0xa0) return 0;  // half of a surrogate pair
    return 3;
  }
  if (lead > 0xf4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if (lead == 0xf0 && byte(1) < 0x90) return 0;
  if (lead == 0xf4 && byte(1) >= 0x90) return 0;  // above U+10FFFF
  return 4;
}

// Converts from the encoding that iconv calls `code`.
absl::StatusOr<std::string> ToUtf8(std::string_view bytes, const char* code,
                                   const std::string& name) {
  const iconv_t converter = iconv_open("UTF-8", code);
  if (converter == reinterpret_cast<iconv_t>(-1)) {  // NOLINT(performance-no-int-to-ptr)
    return MakeProblem({.code = "bad_encoding",
                        .found = name + " text",
                        .expected = "UTF-8, as this system cannot convert"});
  }
  auto closer = absl::MakeCleanup([converter] { iconv_close(converter); });
  // Each one-byte character becomes at most three bytes, each two-byte character at most four.
  std::string text(bytes.size() * 3, '\0');
  char* in = const_cast<char*>(bytes.data());  // iconv does not write to its input
  size_t in_left = bytes.size();
  char* out = text.data();
  size_t out_left = text.size();
  if (iconv(converter, &in, &in_left, &out, &out_left) == static_cast<size_t>(-1)) {
    const std::string_view rest = bytes.substr(bytes.size() - in_left);
    return MakeProblem({.code = "bad_encoding",
                        .found = Quote(rest.substr(0, 4)),
                        .expected = "text in UTF-8 or " + name});
  }
  text.resize(text.size() - out_left);
  return text;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  constexpr uint64_t kHighBits = 0x8080808080808080u;
  while (!bytes.empty()) {
    // Fast path for ASCII: up to eight bytes at a time.
    uint64_t word;
    if (bytes.size() >= sizeof word) {
      std::memcpy(&word, bytes.data(), sizeof word);
      word &= kHighBits;
      // x86-64 is little-endian, so the first byte is the lowest.
      bytes.remove_prefix(static_cast<size_t>(std::countr_zero(word)) / 8);
      if (word == 0) continue;
    }
    const size_t length = SequenceLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string_view WithoutBom(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  return bytes;
}

absl::StatusOr<std::string> ShiftJisToUtf8(std::string_view bytes) {
  return ToUtf8(bytes, "CP932", "Shift_JIS");
}

absl::StatusOr<std::string> Gb18030ToUtf8(std::string_view bytes) {
  return ToUtf8(bytes, "GB18030", "GB18030");
}

std::string QuoteText(std::string_view utf8, size_t limit) {
  std::string quoted = "'";
  size_t kept = 0;
  while (kept < utf8.size()) {
    const std::string_view rest = utf8.substr(kept);
    const size_t length = SequenceLength(rest);
    if (kept + (length == 0 ? 1 : length) > limit) break;
    if (length == 3) {  // kana, kanji and full-width signs; no control character has three bytes
      quoted += rest.substr(0, length);
      kept += length;
      continue;
    }
    const std::string escaped = Quote(rest.substr(0, 1));
    quoted += std::string_view(escaped).substr(1, escaped.size() - 2);
    ++kept;
  }
  quoted += kept < utf8.size() ? "'..." : "'";
  return quoted;
}

}  // namespace joseki::book
