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

// Whose word counts for more: what the user says by hand, what was tuned, what masters played.
enum class MergeLayer : uint8_t { kMaster, kTuned, kUser };

struct MergeInput {
  MergeLayer layer = MergeLayer::kMaster;
  std::string path;  // of a database
  RunId run = 0;     // 0: its book; else the tuned book of this run, with what its games say
};

struct MergeReport {
  book::MergeCounts counts;
  int64_t games = 0;  // of runs, different ones
};

// Makes the book `out`, which must not exist, of others; all of it or nothing. At each position the
// weights are those of the highest layer that has it, of books of one layer those of the one named
// first; moves of lower layers come behind them. Evidence is never mixed: every source keeps its
// own counts, and a run becomes a source of kind "run" with its specification.
//
// Runs must be of one profile and policy (FailedPrecondition "different_profiles"): games that two
// of them share count once, and their weights are averaged by games, so that the halves of a run
// are together what the whole run is. Searches along lines are taken together: where they say
// something the runs' book ends at positions without an answer of theirs, which weighs most.
// FailedPrecondition "other_game" where a book is not of the game whose rules these are.
absl::StatusOr<MergeReport> MergeBooks(const Rules& rules, const std::vector<MergeInput>& inputs,
                                       const std::string& out, bool again);

}  // namespace joseki::coordinator
