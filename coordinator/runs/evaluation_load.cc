#include "coordinator/runs/evaluation_load.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/store/evaluation_store.h"

namespace joseki::coordinator {
namespace {

constexpr int kMaxLinePlies = 500;  // proto/joseki/v1: Slot.line

}  // namespace

// A line as long as the match would leave no game to play.
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
          // What failed elsewhere is tried anew.
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

absl::Status ReadLineSearches(book::Store& store, RunId run, const Trust& distrusted,
                              LineSearches& searches,
                              const std::function<void(const EvaluationRow&)>& before) {
  return ForEachLineSearch(store, run, [&](const EvaluationRow& row) -> absl::Status {
    if (before) before(row);
    const GameRow& game = row.game;
    if (distrusted.Excludes(game.worker, game.lease)) return absl::OkStatus();
    if (IsFault(game.ending.termination)) {
      if (game.ending.termination != Termination::kInterrupted) {
        searches.LoadFault(row.along->line, {game.lease, game.worker});
      }
      return absl::OkStatus();
    }
    LineSearch found{.line = row.along->line,
                     .best = std::nullopt,
                     .score = row.score,
                     .worker = game.worker,
                     .lease = game.lease};
    if (!game.moves.empty()) found.best = game.moves.front();
    Slot slot;
    slot.line = found.line;
    slot.kind = row.along->kind;
    slot.nodes = row.limit;
    slot.searched_from = row.along->searched_from;
    slot.excluded = row.along->excluded;
    slot.own = row.along->own;
    return searches.Load(slot, found);
  });
}

}  // namespace joseki::coordinator
