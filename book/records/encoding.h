#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::book {

// Record files come as UTF-8, as Shift_JIS (shogi) or as GB18030 (xiangqi), and often do not say
// which.

// True if `bytes` is well-formed UTF-8 (ASCII is).
bool IsUtf8(std::string_view bytes);

// `bytes` less a UTF-8 byte order mark.
std::string_view WithoutBom(std::string_view bytes);

// Decodes Shift_JIS with the additions that record files hold (code page 932). InvalidArgument
// "bad_encoding" if it is not that.
absl::StatusOr<std::string> ShiftJisToUtf8(std::string_view bytes);
// Decodes GB18030, of which GBK and GB2312 are parts. InvalidArgument "bad_encoding" if it is not
// that.
absl::StatusOr<std::string> Gb18030ToUtf8(std::string_view bytes);

// UTF-8 text made fit for one line of an error message: Japanese and Chinese stay readable,
// everything else that is not printable ASCII is escaped; at most `limit` bytes are kept.
std::string QuoteText(std::string_view utf8, size_t limit = 60);

}  // namespace joseki::book
