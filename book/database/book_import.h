#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/played_block.h"
#include "book/database/store.h"
#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// Adds the content of one source in one transaction: all of it or, if Commit is not reached, none.
// Fastest when positions come in ascending order and the moves of a position together. The
// transaction begins with the first position. After an error only destruction is allowed.
class BookImport {
 public:
  BookImport(Store& store, std::string kind, std::string name, std::string options_json);
  ~BookImport();
  BookImport(const BookImport&) = delete;
  BookImport& operator=(const BookImport&) = delete;

  // Positions with the games of this source. Blocks come before anything else, each with greater
  // positions than the one before.
  absl::Status AddBlock(const PlayedBlock& block, bool professional);
  // A move that games played; `counts` are added to those of this source.
  absl::Status AddPlayed(const PackedPosition& position, int ply, Move move, bool professional,
                         const MoveCounts& counts);
  // A position of a book file, or of an engine's search. Where this source names a move twice, the
  // deeper entry stands.
  absl::Status AddBook(const book::DbPosition& position);

  struct Totals {
    int64_t new_positions = 0;
    int64_t new_moves = 0;
  };
  // One of the files that this source is made of.
  absl::Status AddFile(const Sha256& content);
  absl::StatusOr<Totals> Commit(int64_t games, int64_t rejected);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::book
