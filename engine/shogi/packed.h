#pragma once

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Whether both kings stand on the board.
bool Packs(const Position& position);

// The 256-bit encoding of .ybb books and this project's database (docs/reference/formats.md). In
// order: side to move, both king squares, the other squares by a prefix code, the hands, missing
// pieces. Two positions are equal, apart from ply, exactly if their packed forms are.
// REQUIRES: Packs(position).
PackedPosition Pack(const Position& position);

// Packs faster if a position resembles the previous one, as the positions of a game do.
class Packer {
 public:
  PackedPosition Pack(const Position& position);

 private:
  // Nine squares as last seen, and their bits.
  struct File {
    std::array<Piece, 9> squares{};
    uint8_t length = 9;
    uint64_t bits = 0;
  };
  std::array<File, 9> files_;
};

// InvalidArgument if the bits are no position.
absl::StatusOr<Position> Unpack(const PackedPosition& packed);

}  // namespace joseki::shogi
