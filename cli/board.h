#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/shogi/position.h"

namespace joseki::cli {

// A board for people: the usual nine-line diagram in Unicode, Black at the bottom, White's pieces
// with a 'v' before them, the hands above and below.
std::string BoardText(const shogi::Position& position);

// A move drawn on a board: an arrow, or a ring where a piece is dropped.
struct DrawnMove {
  Move move;
  std::string_view colour;  // of CSS
};

// The same board as an SVG element, White's pieces turned, the hands at the sides. Its lines are of
// the CSS variable --line; `label` is what it says to who cannot see it, as attributes have it.
// Later moves lie above earlier ones.
std::string BoardSvg(const shogi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label);

}  // namespace joseki::cli
