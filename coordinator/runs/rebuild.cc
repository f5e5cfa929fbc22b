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
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/own_sides.h"

namespace joseki::coordinator {

absl::StatusOr<RebuiltRun> RebuildRun(Store& store, const Rules& rules, RebuildPoint point,
                                      const std::stop_token& stop) {
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *point.graph, point.row.spec));
  RebuiltRun rebuilt;
  auto tuner = std::make_unique<book::Tuner>(point.graph, point.policy, point.priors, point.twins);
  RunCounters counters;
  std::vector<uint64_t> seen;  // moves hashes of different games, in order
  OwnSides sides(rows, point.row.spec);
  ASSIGN_OR_RETURN(rebuilt.match, ReadMatch(rows, point.row, point.trust));
  RETURN_IF_ERROR(ForEachTakenOver(rows, rules, point.row.spec, *point.graph, start, point.trust,
                                   [&](const book::TunedGame& game) {
                                     if (!tuner->Seen(game.moves_hash)) {
                                       seen.push_back(game.moves_hash);
                                     }
                                     tuner->Apply(game);
                                   }));
  bool frozen = false;
  RETURN_IF_ERROR(rows.ForEachGame(point.row.run, 0, [&](const GameRow& game) -> absl::Status {
    if (stop.stop_requested()) return absl::CancelledError("stopping");
    if (!frozen && game.commit_seq > point.row.stage_seq) {
      tuner->Freeze();
      frozen = true;
    }
    rebuilt.commit_seq = game.commit_seq;
    const bool excluded = point.trust.Excludes(game.worker, game.lease);
    Count(*point.policy, game, excluded, counters);
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
    if (!tuner->Seen(game.moves_hash)) seen.push_back(game.moves_hash);
    tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  if (stop.stop_requested()) return absl::CancelledError("stopping");
  if (!frozen) tuner->Freeze();
  rebuilt.evidence =
      std::make_unique<RunEvidence>(std::move(tuner), std::move(counters), point.trust, point.row);
  rebuilt.evidence->ReturnSeen(std::move(seen));
  const std::span<const book::Arm> arms = rebuilt.evidence->tuner().arms();
  for (book::EdgeId edge = 0; edge < arms.size(); ++edge) {
    if (arms[edge].evidence.played() > 0) rebuilt.evidence->MarkChanged(edge);
  }
  if (point.row.spec.play.re_entry) rebuilt.evidence->Weigh();
  rebuilt.point = std::move(point);
  return rebuilt;
}

}  // namespace joseki::coordinator
