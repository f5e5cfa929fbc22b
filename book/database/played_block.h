#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/core/types.h"

namespace joseki::book {

// Results of one class of games for a move, for the side that played it.
struct MoveCounts {
  int64_t games = 0;  // including those without a result
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;

  void Add(const MoveCounts& more) {
    games += more.games;
    wins += more.wins;
    draws += more.draws;
    losses += more.losses;
  }
  bool operator==(const MoveCounts&) const = default;
};

// A move of one source at a position, as stored in a block of the table `played`.
struct PlayedMove {
  Move move;
  MoveCounts counts;
  // The weight belongs to the book, not the source. It is valid if the table `moves` has no row for
  // the move, and then in the first source that has the move.
  int64_t base_weight = 0;
  bool left_out = false;  // left out by Weigh (mark kLeftOut)

  bool operator==(const PlayedMove&) const = default;
};
struct PlayedPosition {
  PackedPosition packed{};
  int ply = 1;                    // the smallest seen
  std::vector<PlayedMove> moves;  // ascending by raw(), not empty

  bool operator==(const PlayedPosition&) const = default;
};

// Positions encoded as one string of bytes, ascending by packed form. A position that only one game
// reached takes about 24 bytes. docs/reference/storage.md has the layout. The first position is
// stored beside the bytes.
struct PlayedBlock {
  PackedPosition first{};  // a lower bound of the positions, or the first one
  int64_t positions = 0;
  int64_t moves = 0;
  std::string bytes;
};

// True if a block begins at this position: about one position in 256. The choice depends on the
// position alone, so blocks do not depend on the order of writing.
bool BeginsBlock(const PackedPosition& position);

class PlayedBlockWriter {
 public:
  PlayedBlockWriter() = default;
  // Stores the block under `first`, which may be smaller than its first position.
  explicit PlayedBlockWriter(const PackedPosition& first) : last_(first), fixed_(true) {
    block_.first = first;
  }

  // REQUIRES: positions come in ascending order.
  void Add(const PackedPosition& packed, int ply, const PlayedMove* moves, size_t count);
  void Add(const PlayedPosition& position) {
    Add(position.packed, position.ply, position.moves.data(), position.moves.size());
  }
  bool empty() const { return block_.positions == 0; }
  // The block of the added positions; the writer is then empty.
  PlayedBlock Finish();

 private:
  PlayedBlock block_;
  PackedPosition last_{};
  bool fixed_ = false;
};

// Reads a block position by position. Malformed bytes are an error, "database_corrupt". The bytes
// must outlive the reader.
class PlayedBlockReader {
 public:
  PlayedBlockReader() = default;
  PlayedBlockReader(const PackedPosition& first, std::string_view bytes)
      : bytes_(bytes), last_(first) {}

  // Returns false at the end. The memory of `position` is reused.
  absl::StatusOr<bool> Next(PlayedPosition& position);

 private:
  bool Number(uint64_t& number);
  bool Counts(PlayedMove& move);

  std::string_view bytes_;
  PackedPosition last_{};
  bool any_ = false;
};

}  // namespace joseki::book
