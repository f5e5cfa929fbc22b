#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/boards/board_svg.h"
#include "cli/words/voice.h"
#include "engine/shogi/position.h"

namespace joseki::cli {

// A board for people, in Unicode: the usual nine-line diagram, Black at the bottom, White's pieces
// with a 'v' before them, the hands above and below.
std::string BoardText(const shogi::Position& position, const Voice& voice = Voice());

// The same board as an SVG element, White's pieces turned, the hands at the sides. Its lines are of
// the CSS variable --line; `label` is what it says to who cannot see it, as attributes have it.
// Later moves lie above earlier ones.
std::string BoardSvg(const shogi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label);

}  // namespace joseki::cli
