#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/closest_word.h"
#include "base/problem.h"

namespace joseki {

// Checks that an option's word is one of a list; the error suggests a similar word.
class OneOf : public CLI::Validator {
 public:
  explicit OneOf(std::vector<std::string> words)
      : CLI::Validator("{" + absl::StrJoin(words, ",") + "}") {
    func_ = [words = std::move(words)](std::string& text) -> std::string {
      if (std::find(words.begin(), words.end(), text) != words.end()) return {};
      return absl::StrCat(Quote(text), " is none of ", absl::StrJoin(words, ", "),
                          DidYouMean(text, words));
    };
  }
};

// The words that an option with the check OneOf accepts; empty for any other option.
inline std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.rfind('{');
  if (begin == std::string::npos || type.back() != '}') return {};
  return std::vector<std::string>(
      absl::StrSplit(type.substr(begin + 1, type.size() - begin - 2), ','));
}

}  // namespace joseki
