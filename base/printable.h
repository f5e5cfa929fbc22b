#pragma once

#include <string>
#include <string_view>

namespace joseki {

// The text with a space in place of each control character: foreign text must neither break a line
// nor control a terminal. U+0080 to U+009F count as well, encoded as C2 80 to C2 9F.
inline std::string Printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool two =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    shown += byte < ' ' || byte == 0x7f || two ? ' ' : text[i];
    if (two) ++i;
  }
  return shown;
}

}  // namespace joseki
