#pragma once

#include <string_view>

namespace joseki::coordinator {

// The page: HTML in UTF-8 with its script and style inside, bundled at build time from page/web.
std::string_view PageFile();

}  // namespace joseki::coordinator
