#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::book {

// Encodings of record files: UTF-8, Shift_JIS (shogi) or GB18030 (xiangqi), often not declared.

// True if `bytes` is well-formed UTF-8 (ASCII is).
bool IsUtf8(std::string_view bytes);

// `bytes` without a UTF-8 byte order mark.
std::string_view WithoutBom(std::string_view bytes);

// Decodes Shift_JIS with the extensions found in record files (code page 932). InvalidArgument
// "bad_encoding" for other bytes.
absl::StatusOr<std::string> ShiftJisToUtf8(std::string_view bytes);
// Decodes GB18030, a superset of GBK and GB2312. InvalidArgument "bad_encoding" for other bytes.
absl::StatusOr<std::string> Gb18030ToUtf8(std::string_view bytes);

// Makes UTF-8 text fit for one line of an error message. Japanese and Chinese stay readable;
// everything else that is not printable ASCII is escaped. Keeps at most `limit` bytes.
std::string QuoteText(std::string_view utf8, size_t limit = 60);

}  // namespace joseki::book
