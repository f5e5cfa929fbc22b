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

// The opening moves of many games, added up by sorting: positions without ply, transpositions
// merged, and for each move how the games went for the side that played it.
//
// What takes more than `memory` bytes goes to files without a name in `folder`, as sorted chunks
// that are merged in the end. What comes out is the same with any bound and any number of threads.
// Not thread-safe.
class PlayedChunks {
 public:
  // `threads` sort and pack, at least one. `piece`: how many moves they sort together, about, so
  // that what these take has room in a processor's cache; for tests.
  PlayedChunks(std::string folder, size_t memory, int threads, size_t piece = size_t{1} << 16);

  // Counts a game from the start position: positions[i] is where moves[i] was played, legally.
  // Of `moves` as many count as there are positions.
  absl::Status Add(std::span<const PackedPosition> positions, std::span<const Move> moves,
                   Result result);

  // Played moves so far, each as often as it was played: at least the positions.
  uint64_t size() const { return size_; }

  // Every position in blocks, ascending, of those moves that `keep` leaves; `keep` (or nothing) is
  // called by several threads and may take moves out. To be called once.
  using Keep = std::function<void(PlayedPosition&)>;
  absl::Status ForEachBlock(const Keep& keep,
                            const std::function<absl::Status(const PlayedBlock&)>& visit);

 private:
  // One move of one game.
  struct Seen {
    uint64_t key[4];  // the packed form as numbers that compare as its bytes do
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

  // Parts what is in memory into pieces, the smallest positions first, each to be sorted by itself.
  // A piece begins where a block does.
  std::vector<std::span<const Seen>> Part();
  // REQUIRES: `from` reads memory and cannot fail.
  static Blocks Pack(Cursor& from, const Keep& keep);
  // Visits the entries in memory, or those in the chunks.
  absl::Status VisitSeen(const Keep& keep, const Visitor& visit);
  absl::Status VisitChunks(const Keep& keep, const Visitor& visit);
  // Makes a chunk of the entries in memory.
  absl::Status SpillSeen();
  // Several chunks become one.
  absl::Status MergeChunks();

  const std::string folder_;
  const size_t most_;  // of seen_
  const int threads_;
  const size_t piece_;
  uint64_t size_ = 0;
  std::vector<Seen> seen_;
  std::vector<SpillFile> chunks_;
};

}  // namespace joseki::book
