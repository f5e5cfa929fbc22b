#include "book/records/kif_games.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "book/records/lines.h"

namespace joseki::book {
namespace {

// Words in UTF-8 and in Shift_JIS: 手合割, 開始日時, 先手 and a colon.
constexpr std::string_view kOpenings[] = {
    "#KIF",       "#KI2",
    "手合割：",   "\x8e\xe8\x8d\x87\x8a\x84\x81\x46",
    "開始日時：", "\x8a\x4a\x8e\x6e\x93\xfa\x8e\x9e\x81\x46",
    "先手：",     "\x90\xe6\x8e\xe8\x81\x46",
};
// ▲ △ ☗ ☖ ▽; Shift_JIS has no ☗ and ☖.
constexpr std::string_view kMarks[] = {"▲", "△", "☗", "☖", "▽", "\x81\xa3", "\x81\xa2", "\x81\xa4"};

// True if the reader treats the line as a move or an end, valid or not. The reader accepts more,
// since it also skips wide blanks before them.
bool IsMove(std::string_view line, bool relative) {
  line = Trimmed(line);
  if (relative) return StartsWithAny(line, kMarks);
  int number = 0;
  return std::from_chars(line.data(), line.data() + line.size(), number).ec == std::errc();
}

}  // namespace

bool OpensKifGame(std::string_view line) { return StartsWithAny(line, kOpenings); }

size_t KifCutOf(std::string_view bytes, bool relative) {
  size_t opening = 0;  // offset of the first line that opens a game, among the lines read so far
  for (size_t end = bytes.size(); end > 0;) {
    const size_t begin = bytes.substr(0, end).rfind('\n') + 1;
    const std::string_view line = bytes.substr(begin, end - begin);
    if (OpensKifGame(line)) {
      opening = begin;
    } else if (opening > 0 && IsMove(line, relative)) {
      return opening;
    }
    end = begin == 0 ? 0 : begin - 1;
  }
  return 0;
}

}  // namespace joseki::book
