#include "coordinator/runs/evaluation_load.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/evaluation_store.h"

namespace joseki::coordinator {
namespace {

constexpr int kMaxLinePlies = 500;  // proto/joseki/v1: Slot.line

}  // namespace

// A line as long as the longest game would leave nothing to play.
int LinePlies(const RunSpec& spec) {
  int limit = std::min(kMaxLinePlies, spec.play.match.max_plies);
  if (spec.max_book_plies > 0) limit = std::min(limit, static_cast<int>(spec.max_book_plies));
  return limit;
}

bool HasPriors(const RunSpec& spec, const book::Policy& policy,
               const book::ImportedValues& imported) {
  return spec.priors.wanted() || (policy.estimator() != nullptr && !imported.empty());
}

absl::StatusOr<Evaluations> LoadEvaluations(book::Store& store, const Rules& rules,
                                            const RunRow& row,
                                            std::shared_ptr<const book::Graph> graph,
                                            book::NodeId start, uint64_t shared,
                                            std::shared_ptr<const book::ImportedValues> imported,
                                            int attempts) {
  ASSIGN_OR_RETURN(Evaluations evaluations,
                   Evaluations::Make(rules, std::move(graph), start, LinePlies(row.spec),
                                     row.spec.priors, attempts, std::move(imported)));
  if (!row.spec.priors.wanted()) return evaluations;
  RETURN_IF_ERROR(ForEachEvaluation(
      store, row.run, row.spec, shared, [&](const EvaluationRow& found) -> absl::Status {
        const GameRow& game = found.game;
        if (IsFault(game.ending.termination)) {
          // A search that failed in another run is tried again.
          if (game.run == row.run && game.ending.termination != Termination::kInterrupted) {
            evaluations.LoadFault(found.position, {game.lease, game.worker});
          }
          return absl::OkStatus();
        }
        evaluations.Load(found.position, {.seq = found.seq,
                                          .score = found.score,
                                          .older = found.other_profile,
                                          .worker = found.game.worker,
                                          .lease = found.game.lease});
        return absl::OkStatus();
      }));
  return evaluations;
}

namespace {

// The work of a row along a line, and its result. REQUIRES: no fault.
Slot SlotOf(const EvaluationRow& row) {
  Slot slot;
  slot.line = row.along->line;
  slot.kind = row.along->kind;
  slot.nodes = row.limit;
  slot.searched_from = row.along->searched_from;
  slot.excluded = row.along->excluded;
  slot.own = row.along->own;
  return slot;
}

LineSearch FoundIn(const EvaluationRow& row) {
  const GameRow& game = row.game;
  LineSearch found{.line = row.along->line,
                   .best = std::nullopt,
                   .score = row.score,
                   .over = game.ending.termination != Termination::kNone,
                   .worker = game.worker,
                   .lease = game.lease};
  if (!game.moves.empty()) found.best = game.moves.front();
  return found;
}

}  // namespace

absl::Status AddLineSearch(const EvaluationRow& row, LineSearches& searches) {
  const GameRow& game = row.game;
  if (!IsFault(game.ending.termination)) return searches.Load(SlotOf(row), FoundIn(row));
  searches.CountFault();
  if (game.ending.termination != Termination::kInterrupted) {
    searches.NoteFailure(row.along->line, {game.lease, game.worker});
  }
  return absl::OkStatus();
}

namespace {

using SearchesAgain = std::map<SlotRef, std::vector<SearchedAgain>>;

// Adds the row, and the workers that have found the same.
absl::Status AddWithCopies(const EvaluationRow& row, const SearchesAgain& searched_again,
                           const Trust& distrusted, LineSearches& searches) {
  if (distrusted.Excludes(row.game.worker, row.game.lease)) return absl::OkStatus();
  RETURN_IF_ERROR(AddLineSearch(row, searches));
  const auto at = searched_again.find({row.game.lease, row.game.slot});
  if (at == searched_again.end() || IsFault(row.game.ending.termination)) return absl::OkStatus();
  for (const auto& [lease, worker] : at->second) {
    if (distrusted.Excludes(worker, lease)) continue;
    LineSearch again = FoundIn(row);
    again.lease = lease;
    again.worker = worker;
    searches.LoadConfirmed(SlotOf(row), FoundIn(row), again);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadSearchesTakenOver(book::Store& store, const RunSpec& spec, const Trust& distrusted,
                                   LineSearches& searches,
                                   const std::function<void(const EvaluationRow&)>& before) {
  if (!spec.taken_over) return absl::OkStatus();
  RunStore rows(store);
  SearchesAgain again;
  for (const RunId earlier : spec.taken_over->runs) {
    // Leases have their numbers in the whole database.
    ASSIGN_OR_RETURN(SearchesAgain theirs, rows.copies().ReadSearchedAgain(earlier));
    again.merge(theirs);
  }
  RETURN_IF_ERROR(ForEachSearchTakenOver(store, spec, [&](const EvaluationRow& row) {
    if (before) before(row);
    return AddWithCopies(row, again, distrusted, searches);
  }));
  searches.BeginBudget();
  return absl::OkStatus();
}

absl::Status ReadLineSearches(book::Store& store, const RunRow& run, const Trust& distrusted,
                              LineSearches& searches,
                              const std::function<void(const EvaluationRow&)>& before) {
  RETURN_IF_ERROR(ReadSearchesTakenOver(store, run.spec, distrusted, searches, before));
  RunStore rows(store);
  ASSIGN_OR_RETURN(const SearchesAgain again, rows.copies().ReadSearchedAgain(run.run));
  return ForEachLineSearch(store, run.run, [&](const EvaluationRow& row) {
    if (before) before(row);
    return AddWithCopies(row, again, distrusted, searches);
  });
}

}  // namespace joseki::coordinator
