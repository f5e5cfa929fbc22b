#pragma once

#include <string>

#include "CLI/CLI.hpp"

namespace joseki {

// The check of an option's number, both ends included. Unlike CLI::Range it also refuses text that
// is no number ("nan").
class Within : public CLI::Range {
 public:
  template <typename T>
  Within(T low, T high) : CLI::Range(low, high) {
    func_ = [low, high](std::string& text) -> std::string {
      T value{};
      if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
      return "'" + text + "' is no number from " + CLI::detail::to_string(low) + " to " +
             CLI::detail::to_string(high);
    };
  }
};

}  // namespace joseki
