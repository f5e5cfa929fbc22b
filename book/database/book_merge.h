#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "engine/core/types.h"

namespace joseki::book {

struct MergeCounts {
  int64_t sources = 0;        // taken over
  int64_t known_sources = 0;  // left out: the book has them already
  int64_t positions = 0;      // new in the book
  int64_t moves = 0;          // new in the book
};

struct MergeRules {
  // The book that is added stands over what is there: at each of its positions its moves' weights
  // decide, and moves that it lacks there come behind all of its own. Otherwise that holds for the
  // positions only at which it has weights.
  bool over = false;
  // Takes a source even if some of its files were imported before.
  bool again = false;
};

// Adds the book in the database `from` to that of `to`, in one transaction: positions, moves, and
// the sources with their counts and values of moves, so that the origin of everything stays known.
// A source that is there already is left out: one made of files that were all imported, or, where
// its files are not known, one with the same content, name, options and time. Runs and games stay
// where they are. Base weights are copied at positions where `from` has any; marks and notes where
// it has one. Counts of games stay in blocks, on either side (book_rows.h).
//
// AlreadyExists "counted_twice" if a source is made of known and of other files, and not
// rules.again; FailedPrecondition "other_game" if the books are of two games.
absl::StatusOr<MergeCounts> MergeBook(Store& to, const std::string& from, const MergeRules& rules);

// Sets base weights of moves that have rows, as those have that no import of games put in, by
// position and move.
using BaseWeights = std::map<PackedPosition, std::map<Move, int64_t>>;
absl::Status SetBaseWeights(Store& store, const BaseWeights& weights);

}  // namespace joseki::book
