#pragma once

#include <array>
#include <string_view>

namespace joseki::cli {

// A text for people in both languages. Places for values are $0 to $9, in any order. A phrase
// without its Japanese, or with other values there, does not compile.
class Phrase {
 public:
  consteval Phrase(std::string_view english, std::string_view japanese)
      : english_(english), japanese_(japanese) {
    if (!Fit(english, japanese)) throw "a phrase without its Japanese, or with other values in it";
  }

  constexpr std::string_view english() const { return english_; }
  constexpr std::string_view japanese() const { return japanese_; }

  // Whether `japanese` can be a translation of `english`: it is not empty and has the same values.
  // Where the English has a letter, the Japanese is no Latin text.
  static constexpr bool Fit(std::string_view english, std::string_view japanese) {
    if (ValuesIn(english) != ValuesIn(japanese)) return false;
    if (!HasLetter(english)) return !japanese.empty();
    for (const char c : japanese) {
      if (static_cast<unsigned char>(c) >= 0x80) return true;
    }
    return false;
  }

 private:
  static constexpr bool HasLetter(std::string_view text) {
    for (const char c : text) {
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
    }
    return false;
  }
  // The number of times that each of $0 to $9 occurs in a text.
  static constexpr std::array<int, 10> ValuesIn(std::string_view text) {
    std::array<int, 10> counts{};
    for (size_t i = 0; i + 1 < text.size(); ++i) {
      if (text[i] != '$') continue;
      if (text[i + 1] >= '0' && text[i + 1] <= '9') ++counts[text[i + 1] - '0'];
      ++i;
    }
    return counts;
  }

  std::string_view english_;
  std::string_view japanese_;
};

}  // namespace joseki::cli
