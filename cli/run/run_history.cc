#include "cli/run/run_history.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/printable.h"
#include "base/status_macros.h"
#include "book/shortest_lines.h"
#include "cli/move_table.h"
#include "cli/words/phrases.h"
#include "coordinator/runs/lost_lines.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {

using coordinator::ExportBook;
using coordinator::GameRow;
using coordinator::RunStore;

absl::StatusOr<RunHistory> ReadRunHistory(book::Store& store, const coordinator::LoadedRun& run) {
  RunHistory history;
  RunStore rows(store);
  std::vector<int64_t> times;
  RETURN_IF_ERROR(rows.ForEachGame(run.row.run, 0, [&](const GameRow& game) {
    times.push_back(game.accepted_ms);
    RunHistory::Worker& worker = history.workers[game.worker];
    ++worker.games;
    worker.nodes += game.nodes;
    worker.think_ms += game.think_ms;
    history.plies += game.moves.size();
    if (IsFault(game.ending.termination)) {
      ++worker.faults;
      if (history.faults.size() < RunHistory::kShownFaults) {
        history.faults.push_back(absl::StrCat("game ", game.commit_seq, " of ", game.worker, ": ",
                                              std::string(Name(game.ending.termination)),
                                              game.fault.empty() ? "" : ", ",
                                              Printable(game.fault)));
      }
    } else if (game.ending.result == Result::kDraw) {
      ++history.draws;
    } else {
      ++(game.ending.result == Result::kFirstWins ? history.first_wins : history.second_wins);
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
  ASSIGN_OR_RETURN(history.conflicts, rows.CountConflicts(run.row.run));
  ASSIGN_OR_RETURN(const RunStore::CopyCounts copies, rows.CountCopies(run.row.run));
  history.copies = copies.same + copies.others;
  history.differed = copies.others;
  ASSIGN_OR_RETURN(const auto poisoned, rows.ReadPoisoned(run.row.run));
  coordinator::LostLines lines({});
  lines.SetTrust(run.trust);
  lines.Restore(poisoned);
  history.poisoned = lines.poisoned();
  ASSIGN_OR_RETURN(const auto changes, rows.ReadTrustChanges());
  for (const auto& change : changes) {
    if (!history.workers.contains(change.worker)) continue;
    history.distrusted.push_back(absl::StrCat(change.worker, ": ", change.reason));
  }
  return history;
}

absl::StatusOr<Movers> MoversOf(const coordinator::TunedRun& run, const Rules& rules, size_t most) {
  Movers movers;
  const book::Graph& graph = *run.run.graph;
  struct Changed {
    uint64_t games;  // trials among them
    uint16_t ply;
    book::NodeId node;
  };
  const auto before_in = [](const ExportBook::Position& position) {
    return std::max_element(
        position.moves.begin(), position.moves.end(),
        [](const ExportBook::Move& a, const ExportBook::Move& b) { return a.prior < b.prior; });
  };
  std::vector<Changed> changed;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.node(node).count == 0) continue;
    const ExportBook::Position position = ExportOfPosition(run, node);
    const ExportBook::Move* const after = coordinator::AnswerAmong(position.moves);
    if (after == nullptr) continue;
    // Of equal base weights none was the answer more than another.
    if (before_in(position)->prior <= after->prior) continue;
    uint64_t games = 0;
    for (const ExportBook::Move& move : position.moves) games += move.evidence.played();
    games += after->trials;
    if (games > 0 || after->searched > 0) changed.push_back({games, graph.node(node).ply, node});
  }
  movers.changed = changed.size();
  std::stable_sort(changed.begin(), changed.end(), [](const Changed& a, const Changed& b) {
    return a.games != b.games ? a.games > b.games : a.ply < b.ply;
  });
  changed.resize(std::min(most, changed.size()));
  ASSIGN_OR_RETURN(const book::NodeId start,
                   coordinator::StartNode(rules, graph, run.run.row.spec));
  const book::ShortestLines lines(graph, start);
  for (const Changed& at : changed) {
    const ExportBook::Position position = ExportOfPosition(run, at.node);
    movers.top.push_back({.position = rules.Text(position.packed, position.ply),
                          .packed = position.packed,
                          .line = lines.To(at.node),
                          .games = at.games,
                          .before = *before_in(position),
                          .after = *coordinator::AnswerAmong(position.moves)});
  }
  return movers;
}

std::string AnswerWords(const Mover& mover, const ExportBook::Move& move, const Rules& rules,
                        const Voice& voice) {
  std::string words = voice.Say(phrase::kMoveIs, voice.MoveText(rules, mover.packed, move.move),
                                ScoreWords(move.evidence, move.low, move.high, voice));
  if (move.searched == 0) return words;
  return words + voice.Say(phrase::kWorth, absl::StrFormat("%+d", move.worth), move.trials);
}

}  // namespace joseki::cli
