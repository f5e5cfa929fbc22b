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

// Adds the content of one source in one transaction: all of it or, if Commit is not called,
// nothing. Fastest if positions ascend and the moves of a position come together. The transaction
// begins with the first position. After an error the object may only be destroyed.
class BookImport {
 public:
  BookImport(Store& store, std::string kind, std::string name, std::string options_json);
  ~BookImport();
  BookImport(const BookImport&) = delete;
  BookImport& operator=(const BookImport&) = delete;

  // Adds positions with the games of this source. Blocks must come before any other content, in
  // ascending order of their positions.
  absl::Status AddBlock(const PlayedBlock& block, bool professional);
  // Adds a move that games played; `counts` are added to those that this source already has of it.
  absl::Status AddPlayed(const PackedPosition& position, int ply, Move move, bool professional,
                         const MoveCounts& counts);
  // Adds a position from a book file or from an engine's search. If this source names a move twice,
  // the deeper entry is kept.
  absl::Status AddBook(const book::DbPosition& position);

  struct Totals {
    int64_t new_positions = 0;
    int64_t new_moves = 0;
  };
  // Adds one of the files that this source consists of, by the SHA-256 of its content.
  absl::Status AddFile(const Sha256& content);
  absl::StatusOr<Totals> Commit(int64_t games, int64_t rejected);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::book
