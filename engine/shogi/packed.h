#pragma once

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The 256-bit form that .ybb books and this project's database share (docs/formats.md): side to
// move, both king squares, the other squares by a prefix code, the hands, then what is missing.
// Two positions are equal, ply apart, exactly if their packed forms are.
PackedPosition Pack(const Position& position);

// InvalidArgument if the bits are no position.
absl::StatusOr<Position> Unpack(const PackedPosition& packed);

}  // namespace joseki::shogi
