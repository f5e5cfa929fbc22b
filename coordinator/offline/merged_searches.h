#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/tuning/repertoire.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/rows.h"
#include "coordinator/offline/merger.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/evaluation_store.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// The searches along lines of several runs, as if one run had made them. Each run brings those that
// it took over, too. A search that several of them have counts once: databases may be copies of one
// that went on by themselves. Each database says whom it trusts.
class MergedSearches {
 public:
  // Reads them in the order of `runs`, which have one profile. FailedPrecondition
  // "different_searches" if those with searches have different books or limits of searches.
  static absl::StatusOr<MergedSearches> Read(const Rules& rules, std::span<const MergeInput> runs);

  // Null unless there are answers, by an engine that gives scores.
  const book::Repertoire* repertoire() const;
  // Visits the answers: at each position the best candidate that no user has marked bad or
  // forbidden in one of the books, if there is one.
  void ForEachAnswer(const std::function<void(const PackedPosition&, int ply,
                                              const book::Repertoire::Answer&)>& visit) const;

 private:
  MergedSearches() = default;

  absl::Status Add(const Rules& rules, const MergeInput& input, size_t number, size_t numbers);
  absl::Status AddRow(EvaluationRow row, size_t number, size_t numbers, const Trust& trust);

  std::optional<RunRow> first_;  // the first run with searches
  std::optional<LineSearches> searches_;
  Trust trust_;                         // over the workers and leases of all databases
  absl::flat_hash_set<uint64_t> seen_;  // payloads: run, lease, slot, moves and scores
  std::set<std::pair<PackedPosition, Move>> marked_;
};

}  // namespace joseki::coordinator
