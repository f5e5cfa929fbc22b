#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

// A row of a table of options: the name under which a user sets a number of a `Holder`, and the
// range of it. A switch is a number of 0 or 1, and a user may say false or true.
template <typename Holder>
struct NumberOption {
  const char* name;
  int Holder::*field;
  int least;
  int most;
  const char* meaning;

  bool is_switch() const { return least == 0 && most == 1; }
};

// The number that an option's `value` says, in [least, most]; true and false where it is a switch.
// InvalidArgument "bad_option" for any other.
absl::StatusOr<int> OptionNumber(std::string_view name, std::string_view value, bool is_switch,
                                 int least, int most);

// nullptr if the table has none of this name.
template <typename Holder>
const NumberOption<Holder>* FindOption(std::span<const NumberOption<Holder>> table,
                                       std::string_view name) {
  for (const NumberOption<Holder>& option : table) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

// InvalidArgument "bad_option"; `holder` keeps its number then.
template <typename Holder>
absl::Status SetOption(const NumberOption<Holder>& option, std::string_view value, Holder& holder) {
  const absl::StatusOr<int> number =
      OptionNumber(option.name, value, option.is_switch(), option.least, option.most);
  if (!number.ok()) return number.status();
  holder.*option.field = *number;
  return absl::OkStatus();
}

// Sets each of NAME=VALUE, or NAME alone for true, by options.Set(name, value); stops at the first
// error.
template <typename Options>
absl::Status SetAll(std::span<const std::string> settings, Options& options) {
  for (const std::string& text : settings) {
    const size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "true" : text.substr(equals + 1);
    if (absl::Status status = options.Set(text.substr(0, equals), value); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace joseki
