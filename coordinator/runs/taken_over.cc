#include "coordinator/runs/taken_over.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/store/archive_store.h"

namespace joseki::coordinator {

absl::StatusOr<std::optional<TakenOver>> FindTakenOver(RunStore& rows, const RunSpec& spec) {
  if (!spec.take_over || spec.match) return std::nullopt;
  ASSIGN_OR_RETURN(const std::shared_ptr<const book::Policy> policy, PolicyOf(spec));
  if (!policy->stages().empty()) return std::nullopt;
  const std::string profile = EvidenceProfile(spec);
  TakenOver taken;
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.runs().ReadAll());
  for (const RunRow& run : runs) {
    if (run.spec.match || !run.over() || EvidenceProfile(run.spec) != profile) continue;
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(rows.store(), run.run));
    if (std::any_of(archives.begin(), archives.end(),
                    [](const ArchiveRow& archive) { return archive.dropped; })) {
      continue;
    }
    bool played = false;
    RETURN_IF_ERROR(rows.games().ForEach(run.run, 0, [&played](const GameRow&) {
      played = true;
      return absl::CancelledError("one is enough");
    }));
    if (!played) continue;
    taken.runs.push_back(run.run);
    if (run.spec.line_searches.wanted() && !SharesSearches(run.spec, spec)) {
      taken.games_only.push_back(run.run);
    }
  }
  if (taken.runs.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const Marks marks, rows.ReadMarks());
  taken.up_to = marks.commit_seq;
  ASSIGN_OR_RETURN(taken.searches_up_to, LastEvaluation(rows.store()));
  return taken;
}

absl::Status ForEachTakenOver(RunStore& rows, const Rules& rules, const RunSpec& spec,
                              const book::Graph& graph, book::NodeId start, const Trust& trust,
                              const std::function<void(const book::TunedGame&)>& visit) {
  if (!spec.taken_over) return absl::OkStatus();
  const uint64_t up_to = spec.taken_over->up_to;
  for (const RunId earlier : spec.taken_over->runs) {
    CreditedMoves credited(rules, rows, spec, graph, start);
    const auto credit = [&](const GameRow& game) -> absl::Status {
      if (game.commit_seq > up_to) return absl::CancelledError("enough");
      if (IsFault(game.ending.termination) || trust.Excludes(game.worker, game.lease)) {
        return absl::OkStatus();
      }
      ASSIGN_OR_RETURN(const std::vector<book::EdgeId> edges, credited.Of(game));
      visit({edges, game.ending, /*stage=*/0, game.moves_hash});
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(rows.games().ForEach(earlier, 0, credit));
  }
  return absl::OkStatus();
}

absl::Status ForEachSearchTakenOver(
    book::Store& store, const RunSpec& spec,
    const std::function<absl::Status(const EvaluationRow&)>& visit) {
  if (!spec.taken_over) return absl::OkStatus();
  for (const RunId earlier : spec.taken_over->runs) {
    if (!spec.taken_over->HasSearch(earlier, /*seq=*/0)) continue;
    RETURN_IF_ERROR(
        ForEachLineSearch(store, earlier, [&](const EvaluationRow& row) -> absl::Status {
          const bool taken = spec.taken_over->HasSearch(earlier, row.seq);
          if (!taken || IsFault(row.game.ending.termination)) return absl::OkStatus();
          return visit(row);
        }));
  }
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
