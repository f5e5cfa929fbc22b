#include "cli/experiment/file_word.h"

#include "absl/strings/ascii.h"

namespace joseki::cli {

std::string FileWord(std::string_view label) {
  std::string word;
  for (const char c : label) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      word += absl::ascii_tolower(static_cast<unsigned char>(c));
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

}  // namespace joseki::cli
