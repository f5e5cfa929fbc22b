#include "engine/usi/option_lines.h"

#include "absl/strings/str_cat.h"

namespace joseki::usi {
namespace {

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// UCCI has no word before the name, and puts the default after the range.
std::string Line(const Protocol& protocol, std::string_view name, std::string_view type,
                 std::string_view value, const std::string& range) {
  const std::string standard = absl::StrCat(" default ", View(value));
  return absl::StrCat("option ", protocol.named_options ? "name " : "", View(name), " type ",
                      View(type), protocol.named_options ? standard + range : range + standard,
                      "\n");
}

}  // namespace

std::string SpinLine(const Protocol& protocol, std::string_view name, int value, int least,
                     int most) {
  return Line(protocol, name, "spin", std::to_string(value),
              absl::StrCat(" min ", least, " max ", most));
}

std::string CheckLine(const Protocol& protocol, std::string_view name, bool value) {
  return Line(protocol, name, "check", value ? "true" : "false", "");
}

std::string FileLine(const Protocol& protocol, std::string_view name, std::string_view value) {
  return Line(protocol, name, protocol.file_type, value, "");
}

std::string ButtonLine(const Protocol& protocol, std::string_view name) {
  return absl::StrCat("option ", protocol.named_options ? "name " : "", View(name),
                      " type button\n");
}

std::string ComboLine(const Protocol& protocol, std::string_view name, std::string_view value,
                      std::span<const std::string_view> words) {
  std::string range;
  for (const std::string_view word : words) absl::StrAppend(&range, " var ", View(word));
  return Line(protocol, name, "combo", value, range);
}

}  // namespace joseki::usi
