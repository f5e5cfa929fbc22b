#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/boards/board_svg.h"
#include "cli/words/voice.h"
#include "engine/shogi/position.h"

namespace joseki::cli {

// A board for people, in Unicode: the usual nine-line diagram with Black at the bottom. White's
// pieces have a 'v' before them, and the hands stand above and below.
std::string BoardText(const shogi::Position& position, const Voice& voice = Voice());

// The board as an SVG element: White's pieces turned, the hands at the sides. Lines take the colour
// of the CSS variable --line. `label` is the text for screen readers, escaped as an attribute.
// Later moves are drawn over earlier ones.
std::string BoardSvg(const shogi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label);

}  // namespace joseki::cli
