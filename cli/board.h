#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/shogi/position.h"
#include "engine/xiangqi/position.h"

namespace joseki::cli {

// A board for people, in Unicode. Shogi: the usual nine-line diagram, Black at the bottom, White's
// pieces with a 'v' before them, the hands above and below. Xiangqi: ten ranks with Red at the
// bottom, the river between, each side's pieces by its own characters and Black's with a 'v'.
std::string BoardText(const shogi::Position& position);
std::string BoardText(const xiangqi::Position& position);
// Of the game whose packed position it is; empty for none.
std::string BoardText(const PackedPosition& packed);

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
