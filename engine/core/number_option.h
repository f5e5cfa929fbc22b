#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

// A row of a table of options: the name by which a user sets a number of a `Holder`, and its range.
// A switch is 0 or 1; users may also write false or true.
template <typename Holder>
struct NumberOption {
  const char* name;
  int Holder::*field;
  int least;
  int most;
  const char* meaning;

  bool is_switch() const { return least == 0 && most == 1; }
};

// The number in an option's `value`, within [least, most]; also true and false for a switch.
// InvalidArgument "bad_option" for anything else.
absl::StatusOr<int> OptionNumber(std::string_view name, std::string_view value, bool is_switch,
                                 int least, int most);

// The option of that name; nullptr if the table has none.
template <typename Holder>
const NumberOption<Holder>* FindOption(std::span<const NumberOption<Holder>> table,
                                       std::string_view name) {
  for (const NumberOption<Holder>& option : table) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

// Sets the option's number in `holder`. InvalidArgument "bad_option", with `holder` unchanged.
template <typename Holder>
absl::Status SetOption(const NumberOption<Holder>& option, std::string_view value, Holder& holder) {
  const absl::StatusOr<int> number =
      OptionNumber(option.name, value, option.is_switch(), option.least, option.most);
  if (!number.ok()) return number.status();
  holder.*option.field = *number;
  return absl::OkStatus();
}

// Calls options.Set(name, value) for each NAME=VALUE, or NAME alone for true; stops at the first
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
