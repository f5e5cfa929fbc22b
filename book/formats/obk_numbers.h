#pragma once

#include <cstdint>

#include "engine/xiangqi/types.h"

namespace joseki::book {

// Random numbers whose exclusive or is an .obk key. No rule generates them: they are a fact of the
// format, the same table in every program that reads such books.

inline constexpr uint64_t kObkRedToMove = 0xa0ce2af90c452f58;
// 0 for a square that the piece cannot stand on.
uint64_t ObkNumber(xiangqi::Piece piece, xiangqi::Square square);

}  // namespace joseki::book
