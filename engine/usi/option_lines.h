#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/core/number_option.h"
#include "engine/usi/protocol.h"

// Declarations of options: the protocol's "option ..." lines, each with its newline. Pure.
namespace joseki::usi {

std::string SpinLine(const Protocol& protocol, std::string_view name, int value, int least,
                     int most);
std::string CheckLine(const Protocol& protocol, std::string_view name, bool value);
std::string FileLine(const Protocol& protocol, std::string_view name, std::string_view value);
std::string ButtonLine(const Protocol& protocol, std::string_view name);
// An option with the values `words`.
std::string ComboLine(const Protocol& protocol, std::string_view name, std::string_view value,
                      std::span<const std::string_view> words);

// All options of a table, with the values of `defaults`.
template <typename Holder>
std::string TableLines(const Protocol& protocol, std::span<const NumberOption<Holder>> table,
                       const Holder& defaults) {
  std::string text;
  for (const NumberOption<Holder>& option : table) {
    const int value = defaults.*option.field;
    text += option.is_switch() ? CheckLine(protocol, option.name, value != 0)
                               : SpinLine(protocol, option.name, value, option.least, option.most);
  }
  return text;
}

}  // namespace joseki::usi
