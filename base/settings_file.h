#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// The part of TOML that settings are written in: sections [a.b], and in them "name = value". A
// value is a "text" with \" \\ \n \t \r, a literal 'text', a number, true or false, or a [list] of
// them, which may span lines. A # begins a comment.
namespace joseki {

struct Setting {
  std::vector<std::string> section;  // none before the first
  std::string name;                  // empty: here the section begins
  std::vector<std::string> values;   // one, but for a list
  int line = 0;
};

// In their order. InvalidArgument "bad_settings" with file and line for anything else, a name that
// its section has had, and a section of more than 8 names.
absl::StatusOr<std::vector<Setting>> ParseSettings(std::string_view text, const std::string& path);

// Reads a file of at most 1 MiB; "settings_file" if it cannot be read or is larger.
absl::StatusOr<std::vector<Setting>> ReadSettings(const std::string& path);

}  // namespace joseki
