#pragma once

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A position in 32 bytes, all bits from the lowest up: the side to move (1 for Black), a bit for
// each of the 90 squares that is occupied, four bits for each piece in the order of the squares
// (kind - 1, +7 for Black), zeros; and in the last byte the letter 'X', by which the forms of two
// games differ. Two positions are equal, ply apart, exactly if their packed forms are.
PackedPosition Pack(const Position& position);

// InvalidArgument "bad_packed_position" if the bits are no position. It has no history.
absl::StatusOr<Position> Unpack(const PackedPosition& packed);

}  // namespace joseki::xiangqi
