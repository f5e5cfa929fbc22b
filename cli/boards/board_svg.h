#pragma once

#include <string>
#include <string_view>

#include "engine/core/types.h"

// SVG elements that the boards of all games share. Each function appends to a text.
namespace joseki::cli {

// A move drawn on a board: an arrow, or a ring where a piece is dropped.
struct DrawnMove {
  Move move;
  std::string_view colour;  // a CSS colour
};

struct SvgPoint {
  double x;
  double y;
};

// A piece's character centred at `at`, `turned` by 180 degrees for the opposite side.
void AddSign(std::string& svg, SvgPoint at, std::string_view sign, bool turned);
// An arrow from the middle of one square to just short of the middle of another.
void AddArrow(std::string& svg, SvgPoint from, SvgPoint to, std::string_view colour);

}  // namespace joseki::cli
