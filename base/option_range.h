#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#include "CLI/CLI.hpp"

namespace joseki {

// The check of an option's number, both ends included. Unlike CLI::Range it also refuses text that
// is no number ("nan"). A whole number is decimal: CLI11 alone takes 010 for 8, 0x10 for 16, and -1
// or what has too many digits for the largest number.
class Within : public CLI::Range {
 public:
  template <typename T>
  Within(T low, T high) : CLI::Range(low, high) {
    func_ = [low, high](std::string& text) -> std::string {
      T value{};
      if (IsNumber(text, value) && value >= low && value <= high) return {};
      return "'" + text + "' is no number from " + CLI::detail::to_string(low) + " to " +
             CLI::detail::to_string(high);
    };
  }

 private:
  template <typename T>
  static bool IsNumber(const std::string& text, T& value) {
    if constexpr (std::is_integral_v<T>) {
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      // CLI11 reads the text again, and a leading 0 as octal.
      return error == std::errc() && stop == end && CLI::detail::to_string(value) == text;
    } else {
      return CLI::detail::lexical_cast(text, value);
    }
  }
};

// The check of a number that may be any of 64 bits, such as a seed.
inline CLI::Validator AnyWhole() {
  return Within(uint64_t{0}, std::numeric_limits<uint64_t>::max()).description("");
}

}  // namespace joseki
