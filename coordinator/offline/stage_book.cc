#include "coordinator/offline/stage_book.h"

#include <memory>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/tuner.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

absl::StatusOr<LoadedRun> LoadRunAfterStages(book::Store& store, const Rules& rules, RunId run,
                                             int stages) {
  ASSIGN_OR_RETURN(LoadedRun loaded, LoadRun(store, rules, run));
  RETURN_IF_ERROR(CheckTunes(loaded.row));
  const RunSpec& spec = loaded.row.spec;
  const size_t has = loaded.policy->stages().size();
  if (stages < 1 || static_cast<size_t>(stages) > has || loaded.row.stage < stages) {
    return MakeProblem({.code = "no_such_stage",
                        .file = store.path(),
                        .found = absl::StrCat("stage ", stages, " of run ", run, ", which has ",
                                              has, " and is past ", loaded.row.stage),
                        .expected = "a stage that is over"},
                       absl::StatusCode::kFailedPrecondition);
  }
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *loaded.graph, spec));
  auto tuner = std::make_unique<book::Tuner>(loaded.graph, loaded.policy, /*priors=*/nullptr,
                                             loaded.tuner->orbits());
  CreditedMoves credited(rules, rows, spec, *loaded.graph, start);
  RunCounters counters;
  RETURN_IF_ERROR(rows.games().ForEach(run, 0, [&](const GameRow& game) -> absl::Status {
    if (game.stage >= stages) return absl::OkStatus();
    const bool excluded = loaded.trust.Excludes(game.worker, game.lease);
    Count(*loaded.policy, game, excluded, counters);
    if (excluded || IsFault(game.ending.termination)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<book::EdgeId> edges, credited.Of(game));
    tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  tuner->ComputeValues();
  loaded.tuner = std::move(tuner);
  loaded.counters = std::move(counters);
  return loaded;
}

}  // namespace joseki::coordinator
