#include "coordinator/runs/rebuild.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

absl::StatusOr<RebuiltRun> RebuildRun(book::Store& store, const Rules& rules, RebuildPoint point,
                                      const std::stop_token& stop) {
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *point.graph, point.row.spec));
  RebuiltRun rebuilt;
  auto tuner = std::make_unique<book::Tuner>(point.graph, point.policy, point.priors, point.orbits);
  RunCounters counters;
  std::vector<uint64_t> seen;  // moves hashes of different games, in order
  RunCalibration calibration(point.row.spec, *point.graph, start);
  CreditedMoves credited(rules, rows, point.row.spec, *point.graph, start);
  ASSIGN_OR_RETURN(rebuilt.match, ReadMatch(rows, point.row, point.trust));
  RETURN_IF_ERROR(ForEachTakenOver(rows, rules, point.row.spec, *point.graph, start, point.trust,
                                   [&](const book::TunedGame& game) {
                                     if (!tuner->Seen(game.moves_hash)) {
                                       seen.push_back(game.moves_hash);
                                     }
                                     tuner->Apply(game);
                                   }));
  bool frozen = false;
  RETURN_IF_ERROR(rows.games().ForEach(point.row.run, 0, [&](const GameRow& game) -> absl::Status {
    if (stop.stop_requested()) return absl::CancelledError("stopping");
    if (!frozen && game.commit_seq > point.row.stage_seq) {
      tuner->Freeze();
      frozen = true;
    }
    rebuilt.commit_seq = game.commit_seq;
    const bool excluded = point.trust.Excludes(game.worker, game.lease);
    Count(*point.policy, game, excluded, counters);
    if (excluded || IsFault(game.ending.termination)) return absl::OkStatus();
    calibration.Add(game);
    ASSIGN_OR_RETURN(const std::vector<book::EdgeId> edges, credited.Of(game));
    if (!tuner->Seen(game.moves_hash)) seen.push_back(game.moves_hash);
    tuner->Apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  if (stop.stop_requested()) return absl::CancelledError("stopping");
  if (!frozen) tuner->Freeze();
  rebuilt.evidence = std::make_unique<RunEvidence>(std::move(tuner), std::move(counters),
                                                   point.trust, point.row, std::move(calibration));
  std::vector<book::EdgeId> changed;
  const std::span<const book::Arm> arms = rebuilt.evidence->tuner().arms();
  for (book::EdgeId edge = 0; edge < arms.size(); ++edge) {
    if (arms[edge].evidence.played() > 0) changed.push_back(edge);
  }
  rebuilt.evidence->unwritten().Begin(rebuilt.commit_seq, /*written_seq=*/0, changed, seen);
  if (point.row.spec.play.re_entry) rebuilt.evidence->weights().Weigh();
  rebuilt.point = std::move(point);
  return rebuilt;
}

}  // namespace joseki::coordinator
