#pragma once

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// A position in 32 bytes. From the lowest bit up: the side to move (1 for Black), then a bit for
// each of the 90 squares, set if occupied. Four bits for each piece follow in square order (type -
// 1, +7 for Black), then zeros. The last byte is the letter 'X', which distinguishes the packed
// forms of the two games. Two positions are equal, apart from ply, exactly if their packed forms
// are.
PackedPosition Pack(const Position& position);

// InvalidArgument "bad_packed_position" if the bits are no position. The result has no history.
absl::StatusOr<Position> Unpack(const PackedPosition& packed);

}  // namespace joseki::xiangqi
