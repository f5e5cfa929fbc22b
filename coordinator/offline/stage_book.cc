#include "coordinator/offline/stage_book.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "book/tuning/tuner.h"
#include "coordinator/store/own_sides.h"

namespace joseki::coordinator {

absl::StatusOr<LoadedRun> LoadRunAfterStages(Store& store, const Rules& rules, RunId run,
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
                                             loaded.tuner->twins());
  OwnSides sides(rows, spec);
  RunCounters counters;
  RETURN_IF_ERROR(rows.ForEachGame(run, 0, [&](const GameRow& game) -> absl::Status {
    if (game.stage >= stages) return absl::OkStatus();
    const bool excluded = loaded.trust.Excludes(game.worker, game.lease);
    Count(*loaded.policy, game, excluded, counters);
    if (excluded || IsFault(game.ending.termination)) return absl::OkStatus();
    if (game.ending.result == Result::kNone || game.book_plies > game.moves.size()) {
      return MakeProblem(
          {.code = "bad_row",
           .found = absl::StrCat("game ", game.commit_seq, " without a result or a line"),
           .expected = "a finished game"},
          absl::StatusCode::kDataLoss);
    }
    std::vector<book::EdgeId> edges =
        book::EdgesOf(*loaded.graph, start, std::span(game.moves).first(game.book_plies));
    if (spec.play.re_entry) {
      ASSIGN_OR_RETURN(
          const std::vector<book::EdgeId> reentered,
          book::ReenteredEdges(rules, *loaded.graph, spec.start, game.moves, game.book_plies));
      edges.insert(edges.end(), reentered.begin(), reentered.end());
      ASSIGN_OR_RETURN(const std::optional<Color> own, sides.Of(game));
      book::KeepOwn(*loaded.graph, own, edges);
    }
    tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  tuner->Settle();
  loaded.tuner = std::move(tuner);
  loaded.counters = std::move(counters);
  return loaded;
}

}  // namespace joseki::coordinator
