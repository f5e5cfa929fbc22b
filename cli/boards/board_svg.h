#pragma once

#include <string>
#include <string_view>

#include "engine/core/types.h"

// What the boards of all games are drawn of, as SVG elements that are added to a text.
namespace joseki::cli {

// A move drawn on a board: an arrow, or a ring where a piece is dropped.
struct DrawnMove {
  Move move;
  std::string_view colour;  // of CSS
};

struct SvgPoint {
  double x;
  double y;
};

// A piece's sign around `at`, `turned` for the side that sits opposite.
void AddSign(std::string& svg, SvgPoint at, std::string_view sign, bool turned);
// From the middle of one square to the edge of another one's middle.
void AddArrow(std::string& svg, SvgPoint from, SvgPoint to, std::string_view colour);

}  // namespace joseki::cli
