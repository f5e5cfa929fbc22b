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

// Results of one class of games for a move, from the side that played it.
struct MoveCounts {
  int64_t games = 0;  // those without a result included
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

// Games of one source at a position, as the table `played` has them in blocks.
struct PlayedMove {
  Move move;
  MoveCounts counts;
  // Weights of the book, not of the source: they hold if the table `moves` has no row of the move,
  // and then those of the first source that has it.
  int64_t base_weight = 0;
  bool left_out = false;  // by the weighing: mark 3

  bool operator==(const PlayedMove&) const = default;
};
struct PlayedPosition {
  PackedPosition packed{};
  int ply = 1;                    // the smallest seen
  std::vector<PlayedMove> moves;  // ascending by raw(), at least one

  bool operator==(const PlayedPosition&) const = default;
};

// Some positions as one string of bytes, ascending by packed form: about 24 bytes for one that a
// single game came through (docs/reference/storage.md has the layout). The first is kept beside the
// bytes.
struct PlayedBlock {
  PackedPosition first{};  // at most the first position's
  int64_t positions = 0;
  int64_t moves = 0;
  std::string bytes;
};

// True if a block begins at this position, so that blocks do not depend on the order of writing:
// one position in 256 or so.
bool BeginsBlock(const PackedPosition& position);

class PlayedBlockWriter {
 public:
  PlayedBlockWriter() = default;
  // The block is kept under `first`, whatever its first position is.
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

// Reads a block position by position. Bytes that no writer made are an error, "database_corrupt",
// not a crash. The bytes must outlive the reader.
class PlayedBlockReader {
 public:
  PlayedBlockReader() = default;
  PlayedBlockReader(const PackedPosition& first, std::string_view bytes)
      : bytes_(bytes), last_(first) {}

  // False at the end. The room of `position` is used again.
  absl::StatusOr<bool> Next(PlayedPosition& position);

 private:
  bool Number(uint64_t& number);
  bool Counts(PlayedMove& move);

  std::string_view bytes_;
  PackedPosition last_{};
  bool any_ = false;
};

}  // namespace joseki::book
