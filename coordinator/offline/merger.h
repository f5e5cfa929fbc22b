#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/book_merge.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Layers of a merge, lowest first: master games, tuned books, the user's own choices.
enum class MergeLayer : uint8_t { kMaster, kTuned, kUser };

struct MergeInput {
  MergeLayer layer = MergeLayer::kMaster;
  std::string path;  // of a database
  RunId run = 0;     // 0: its book; else the tuned book of this run, with the evidence of its games
                     // and of those that it took over
};

struct MergeReport {
  book::MergeCounts counts;
  int64_t games = 0;  // different ones of runs
};

// Merges books into the new book `out`, which must not exist; all or nothing. At each position the
// weights are those of the highest layer that has it, and within a layer those of the book named
// first. Moves of lower layers come behind them. Evidence is never mixed: every source keeps its
// own counts, and a run becomes a source of kind "run" with its specification.
//
// Runs must share one profile and policy (FailedPrecondition "different_profiles"). Games that two
// of them share count once, and weights are averaged by games, so that the halves of a run together
// equal the whole. The result does not depend on the order of the runs of a layer.
//
// Searches along lines are combined (coordinator/offline/merged_searches.h). If they have results,
// their answer weighs most, and the runs' book ends at positions without one. FailedPrecondition
// "different_searches" where they cannot be combined, "other_game" if a book is not of the game of
// `rules`.
absl::StatusOr<MergeReport> MergeBooks(const Rules& rules, const std::vector<MergeInput>& inputs,
                                       const std::string& out, bool again);

}  // namespace joseki::coordinator
