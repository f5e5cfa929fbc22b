#include "book/records/pgn_games.h"

#include "absl/strings/ascii.h"
#include "book/records/lines.h"

namespace joseki::book {

std::string_view PgnLine(std::string_view line) {
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return Trimmed(line);
}

bool IsPgnTag(std::string_view line) {
  line = PgnLine(line);
  return line.size() > 4 && line[0] == '[' &&
         absl::ascii_isalpha(static_cast<unsigned char>(line[1])) && line.back() == ']' &&
         line.find('"') != std::string_view::npos;
}

size_t PgnCutOf(std::string_view bytes) {
  // `bytes` may end inside a line, whose kind is not known yet.
  const size_t last = bytes.rfind('\n');
  if (last == std::string_view::npos) return 0;
  size_t tag_below = 0;  // start of the nearest non-blank line below, if that is a tag
  for (size_t end = last; end > 0;) {
    const size_t feed = bytes.rfind('\n', end - 1);
    const size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
    const std::string_view line = bytes.substr(begin, end - begin);
    const bool tag = IsPgnTag(line);
    // Blank lines may occur among the tags of one game.
    if (!PgnLine(line).empty()) {
      if (tag_below > 0 && !tag) return tag_below;
      tag_below = tag ? begin : 0;
    }
    if (begin == 0) break;
    end = begin - 1;
  }
  return 0;
}

}  // namespace joseki::book
