#include "coordinator/offline/run_history.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/printable.h"
#include "base/status_macros.h"
#include "coordinator/runs/lost_lines.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

namespace {

// Counts a fault of the worker; `what`: "game 7" or "search 7".
void AddFault(const GameRow& game, const std::string& what, RunHistory& history) {
  ++history.workers[game.worker].faults;
  if (history.faults.size() == RunHistory::kShownFaults) return;
  history.faults.push_back(absl::StrCat(what, " of ", game.worker, ": ",
                                        std::string(Name(game.ending.termination)),
                                        game.fault.empty() ? "" : ", ", Printable(game.fault)));
}

}  // namespace

absl::StatusOr<RunHistory> ReadRunHistory(book::Store& store, const LoadedRun& run) {
  RunHistory history;
  RunStore rows(store);
  std::vector<int64_t> times;
  RETURN_IF_ERROR(rows.games().ForEach(run.row.run, 0, [&](const GameRow& game) {
    times.push_back(game.accepted_ms);
    RunHistory::Worker& worker = history.workers[game.worker];
    ++worker.games;
    worker.nodes += game.nodes;
    worker.think_ms += game.think_ms;
    history.plies += game.moves.size();
    if (IsFault(game.ending.termination)) {
      AddFault(game, absl::StrCat("game ", game.commit_seq), history);
    } else if (game.ending.result == Result::kDraw) {
      ++history.draws;
    } else {
      ++(game.ending.result == Result::kFirstWins ? history.first_wins : history.second_wins);
    }
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(ForEachLineSearch(store, run.row.run, [&](const EvaluationRow& row) {
    if (IsFault(row.game.ending.termination)) {
      AddFault(row.game, absl::StrCat("search ", row.seq), history);
    }
    return absl::OkStatus();
  }));
  if (!times.empty()) {
    std::sort(times.begin(), times.end());  // clocks may be set back
    history.first_ms = times.front();
    history.last_ms = times.back();
    const double length = static_cast<double>(std::max<int64_t>(1, times.back() - times.front()));
    for (size_t step = 1; step <= RunHistory::kSteps; ++step) {
      const int64_t until =
          times.front() + static_cast<int64_t>(length * static_cast<double>(step) /
                                               static_cast<double>(RunHistory::kSteps));
      history.accepted.push_back(static_cast<uint64_t>(
          std::upper_bound(times.begin(), times.end(), until) - times.begin()));
    }
  }
  ASSIGN_OR_RETURN(history.conflicts, rows.games().CountConflicts(run.row.run));
  ASSIGN_OR_RETURN(const CopyCounts copies, rows.copies().Count(run.row.run));
  history.copies = copies.same + copies.others;
  history.differed = copies.others;
  ASSIGN_OR_RETURN(const auto poisoned, rows.poisoned().ReadAll(run.row.run));
  LostLines lines({});
  lines.SetTrust(run.trust);
  lines.Restore(poisoned);
  history.poisoned = lines.poisoned();
  ASSIGN_OR_RETURN(const auto changes, rows.trust().ReadAll());
  for (const auto& change : changes) {
    if (!history.workers.contains(change.worker)) continue;
    history.distrusted.push_back(absl::StrCat(change.worker, ": ", change.reason));
  }
  return history;
}

}  // namespace joseki::coordinator
