#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/boards/board_svg.h"
#include "cli/words/voice.h"
#include "engine/xiangqi/position.h"

namespace joseki::cli {

// A board for people, in Unicode: ten ranks with Red at the bottom and the river between. Each side
// has its own characters, and Black's pieces a 'v'.
std::string BoardText(const xiangqi::Position& position, const Voice& voice = Voice());

// The board as an SVG element: pieces on the points, Black's in dark discs. Beside each character
// stands the letter of the FEN. Lines take the colour of the CSS variable --line; `label` as for
// shogi.
std::string BoardSvg(const xiangqi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label);

}  // namespace joseki::cli
