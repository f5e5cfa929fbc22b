#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace joseki::book {

// Splits text into lines that end in LF or CR LF.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // Gives the next line without its line end; false at the end.
  bool Next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }

  int number() const { return number_; }  // number of the line that Next gave last

 private:
  std::string_view rest_;
  int number_ = 0;
};

// Consumes the next run of non-blanks at the front of `text`.
inline std::string_view NextWord(std::string_view& text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// Number of line feeds.
inline size_t CountLineFeeds(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    // In 255 bytes a byte can hold the count, so the compiler vectorises the loop.
    const std::string_view few = text.substr(0, 255);
    unsigned char here = 0;
    for (const char c : few) here = static_cast<unsigned char>(here + (c == '\n' ? 1 : 0));
    count += here;
    text.remove_prefix(few.size());
  }
  return count;
}

template <size_t N>
bool StartsWithAny(std::string_view text, const std::string_view (&prefixes)[N]) {
  return std::any_of(prefixes, prefixes + N,
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// Consumes `prefix` if `text` begins with it.
inline bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// `text` without leading and trailing blanks and tabs.
inline std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

}  // namespace joseki::book
