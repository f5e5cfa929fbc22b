#pragma once

#include <string>
#include <string_view>

namespace joseki::cli {

// A label as a part of a file's name, in lower case: "type-6-5-1" for "Type-6[5-1]".
std::string FileWord(std::string_view label);

}  // namespace joseki::cli
