#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// The subset of TOML for settings: sections [a.b] with lines "name = value". A value is a "text"
// with \" \\ \n \t \r, a literal 'text', a number, true, false, or a [list] of them. A list may
// span lines. A # begins a comment.
namespace joseki {

struct Setting {
  std::vector<std::string> section;  // empty before the first section
  std::string name;                  // empty: the line that begins the section
  std::vector<std::string> values;   // one, unless it is a list
  int line = 0;
};

// The settings in order. InvalidArgument "bad_settings" with file and line for any other text, a
// name repeated within its section, and a section of more than 8 names.
absl::StatusOr<std::vector<Setting>> ParseSettings(std::string_view text, const std::string& path);

// Reads a file of at most 1 MiB; "settings_file" if it cannot be read or is larger.
absl::StatusOr<std::vector<Setting>> ReadSettings(const std::string& path);

}  // namespace joseki
