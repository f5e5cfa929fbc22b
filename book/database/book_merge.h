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
  int64_t sources = 0;        // copied
  int64_t known_sources = 0;  // skipped, because the book already has them
  int64_t positions = 0;      // new in the book
  int64_t moves = 0;          // new in the book
};

struct MergeRules {
  // The added book takes precedence. At each of its positions its weights decide, and moves that it
  // lacks get weights below all of its own. Without this flag the rule holds only at positions
  // where the added book has weights.
  bool over = false;
  // Copies a source even if some of its files were imported before.
  bool again = false;
};

// Adds the book in the database `from` to that of `to`, in one transaction: positions, moves, and
// sources with their counts and values. Each source stays known by its own name. A source that the
// book already has is skipped: all its files were imported before. If its files are not known, a
// source with equal content, name, options and time counts as the same. Runs and games are not
// copied. Base weights are copied at positions where `from` has any, marks and notes where it has
// one. Counts of games stay in blocks on either side (book_rows.h).
//
// AlreadyExists "counted_twice" if some files of a source were imported before and others were not,
// unless rules.again is set. FailedPrecondition "other_game" if the books are of different games.
absl::StatusOr<MergeCounts> MergeBook(Store& to, const std::string& from, const MergeRules& rules);

// Base weights to set, by position and move. The moves must have rows, as all have that no import
// of games created.
using BaseWeights = std::map<PackedPosition, std::map<Move, int64_t>>;
absl::Status SetBaseWeights(Store& store, const BaseWeights& weights);

}  // namespace joseki::book
