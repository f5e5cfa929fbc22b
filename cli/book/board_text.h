#pragma once

#include <string>

#include "engine/shogi/position.h"

namespace joseki::cli {

// A board for people: the usual nine-line diagram in Unicode, Black at the bottom, White's pieces
// with a 'v' before them, the hands above and below.
std::string BoardText(const shogi::Position& position);

}  // namespace joseki::cli
