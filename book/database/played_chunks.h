#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "book/database/played_block.h"
#include "book/database/spill.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

// Adds up the opening moves of many games by sorting. Positions carry no ply, so transpositions
// merge. Each move gets the results of its games for the side that played it.
//
// Content beyond `memory` bytes goes to unnamed files in `folder` as sorted chunks, merged at the
// end. The result depends neither on the bound nor on the number of threads. Not thread-safe.
class PlayedChunks {
 public:
  // `threads` (at least one) sort and pack. `piece` is the approximate number of moves sorted
  // together, chosen to fit a processor's cache; a parameter for tests.
  PlayedChunks(std::string folder, size_t memory, int threads, size_t piece = size_t{1} << 16);

  // Counts a game from the start position: moves[i] was played, legally, at positions[i]. `moves`
  // may be longer than `positions`; the moves beyond are ignored. A move that the game plays again
  // at the same position counts once.
  absl::Status Add(std::span<const PackedPosition> positions, std::span<const Move> moves,
                   Result result);

  // Number of moves added so far, repetitions included: an upper bound of the positions.
  uint64_t size() const { return size_; }

  // Visits every position in blocks, ascending, with those moves that `keep` leaves. `keep` may be
  // null; it may remove moves and is called by several threads. Call at most once.
  using Keep = std::function<void(PlayedPosition&)>;
  absl::Status ForEachBlock(const Keep& keep,
                            const std::function<absl::Status(const PlayedBlock&)>& visit);

 private:
  // One move of one game.
  struct Seen {
    uint64_t key[4];  // the packed form as numbers that compare like its bytes
    uint16_t move;
    uint16_t ply;
    uint8_t outcome;

    bool SamePosition(const Seen& other) const {
      return key[0] == other.key[0] && key[1] == other.key[1] && key[2] == other.key[2] &&
             key[3] == other.key[3];
    }
    bool operator<(const Seen& other) const {
      for (size_t i = 0; i < 4; ++i) {
        if (key[i] != other.key[i]) return key[i] < other.key[i];
      }
      return move < other.move;
    }
  };
  class Cursor;
  class SeenCursor;
  class BatchCursor;
  class FileCursor;
  class MergedCursor;
  using Cursors = std::vector<std::unique_ptr<Cursor>>;
  using Blocks = std::vector<PlayedBlock>;
  using Visitor = std::function<absl::Status(const PlayedBlock&)>;

  // Partitions the entries in memory into pieces to be sorted independently, smallest positions
  // first. Pieces begin where blocks do.
  std::vector<std::span<const Seen>> Part();
  // REQUIRES: `from` reads memory and cannot fail.
  static Blocks Pack(Cursor& from, const Keep& keep);
  // Visit the entries in memory, or those in the chunks.
  absl::Status VisitSeen(const Keep& keep, const Visitor& visit);
  absl::Status VisitChunks(const Keep& keep, const Visitor& visit);
  // Writes the entries in memory as a chunk.
  absl::Status SpillSeen();
  // Merges several chunks into one.
  absl::Status MergeChunks();

  const std::string folder_;
  const size_t most_;  // capacity of seen_
  const int threads_;
  const size_t piece_;
  uint64_t size_ = 0;
  std::vector<Seen> seen_;
  std::vector<uint64_t> sums_;  // of the positions of the game that is added
  std::vector<SpillFile> chunks_;
};

}  // namespace joseki::book
