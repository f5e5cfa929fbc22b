#pragma once

#include <cstdint>

#include "engine/xiangqi/types.h"

namespace joseki::book {

// The numbers that keys of .obk are the exclusive or of. They follow from no rule that is known: a
// fact of the format, the same table in every program that reads such books.

inline constexpr uint64_t kObkRedToMove = 0xa0ce2af90c452f58;
// 0 where no such piece can stand.
uint64_t ObkNumber(xiangqi::Piece piece, xiangqi::Square square);

}  // namespace joseki::book
