#include "coordinator/runs/rebuild.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "coordinator/runs/own_sides.h"

namespace joseki::coordinator {

absl::StatusOr<RebuiltRun> RebuildRun(Store& store, const Rules& rules, RebuildPoint point,
                                      const std::stop_token& stop) {
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *point.graph, point.row.spec));
  RebuiltRun rebuilt;
  rebuilt.tuner = std::make_unique<book::Tuner>(point.graph, point.policy);
  OwnSides sides(rows, point.row.spec);
  bool frozen = false;
  RETURN_IF_ERROR(rows.ForEachGame(point.row.run, 0, [&](const GameRow& game) -> absl::Status {
    if (stop.stop_requested()) return absl::CancelledError("stopping");
    if (!frozen && game.commit_seq > point.row.stage_seq) {
      rebuilt.tuner->Freeze();
      frozen = true;
    }
    rebuilt.commit_seq = game.commit_seq;
    const bool excluded = point.trust.Excludes(game.worker, game.lease);
    Count(*point.policy, game, excluded, rebuilt.counters);
    if (excluded || IsFault(game.ending.termination)) return absl::OkStatus();
    if (game.ending.result == Result::kNone || game.book_plies > game.moves.size()) {
      return MakeProblem(
          {.code = "bad_row",
           .found = absl::StrCat("game ", game.commit_seq, " without a result or a line"),
           .expected = "a finished game"},
          absl::StatusCode::kDataLoss);
    }
    std::vector<book::EdgeId> edges =
        book::EdgesOf(*point.graph, start, std::span(game.moves).first(game.book_plies));
    if (point.row.spec.play.re_entry) {
      ASSIGN_OR_RETURN(const std::vector<book::EdgeId> reentered,
                       book::ReenteredEdges(rules, *point.graph, point.row.spec.start, game.moves,
                                            game.book_plies));
      edges.insert(edges.end(), reentered.begin(), reentered.end());
      ASSIGN_OR_RETURN(const std::optional<Color> own, sides.Of(game));
      book::KeepOwn(*point.graph, own, edges);
    }
    if (!rebuilt.tuner->Seen(game.moves_hash)) rebuilt.seen.push_back(game.moves_hash);
    rebuilt.tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  if (stop.stop_requested()) return absl::CancelledError("stopping");
  if (!frozen) rebuilt.tuner->Freeze();
  rebuilt.tuner->Settle();
  rebuilt.point = std::move(point);
  return rebuilt;
}

}  // namespace joseki::coordinator
