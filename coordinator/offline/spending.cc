#include "coordinator/offline/spending.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/status_macros.h"
#include "book/shortest_lines.h"
#include "book/tuning/line.h"
#include "book/tuning/prospects.h"
#include "book/tuning/spending.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

constexpr double kUsualError = 0.05;

struct Recent {
  uint64_t games = 0;
  std::vector<uint32_t> by_node;
};

bool IsEvidence(const LoadedRun& run, const GameRow& game) {
  return !IsFault(game.ending.termination) && !run.trust.Excludes(game.worker, game.lease) &&
         game.book_plies <= game.moves.size() && game.commit_seq <= run.commit_seq;
}

// The recent games: those of the current or last stage, or without stages the last kRecentGames.
// Other runs' games lie between, so the search may go back in several steps.
absl::StatusOr<std::vector<GameRow>> GamesOfLate(RunStore& rows, const LoadedRun& run) {
  const int stages = static_cast<int>(run.policy->stages().size());
  const int stage = std::min(run.row.stage, stages - 1);
  std::vector<GameRow> games;
  if (stages > 0) {
    const uint64_t after = run.row.stage < stages ? run.row.stage_seq : 0;
    RETURN_IF_ERROR(rows.games().ForEach(run.row.run, after, [&](const GameRow& game) {
      if (game.stage == stage && IsEvidence(run, game)) games.push_back(game);
      return absl::OkStatus();
    }));
    return games;
  }
  for (uint64_t back = 2 * kRecentGames;; back *= 4) {
    const uint64_t after = run.commit_seq > back ? run.commit_seq - back : 0;
    games.clear();
    RETURN_IF_ERROR(rows.games().ForEach(run.row.run, after, [&](const GameRow& game) {
      if (IsEvidence(run, game)) games.push_back(game);
      return absl::OkStatus();
    }));
    if (games.size() < kRecentGames && after > 0) continue;
    if (games.size() > kRecentGames) {
      games.erase(games.begin(), games.end() - static_cast<std::ptrdiff_t>(kRecentGames));
    }
    return games;
  }
}

absl::StatusOr<Recent> RecentOf(RunStore& rows, const LoadedRun& run, book::NodeId start) {
  ASSIGN_OR_RETURN(const std::vector<GameRow> games, GamesOfLate(rows, run));
  Recent recent;
  recent.by_node.resize(run.graph->node_count());
  for (const GameRow& game : games) {
    ++recent.games;
    for (const book::EdgeId edge :
         book::EdgesOf(*run.graph, start, std::span(game.moves).first(game.book_plies))) {
      ++recent.by_node[run.graph->edge(edge).from];
    }
  }
  return recent;
}

}  // namespace

absl::StatusOr<SpendingReport> ReadSpending(book::Store& store, const Rules& rules,
                                            const TunedRun& tuned, size_t most) {
  const LoadedRun& run = tuned.run;
  RunStore rows(store);
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *run.graph, run.row.spec));
  ASSIGN_OR_RETURN(const Recent recent, RecentOf(rows, run, start));
  SpendingReport report;
  report.run = run.row.run;
  report.commit_seq = run.commit_seq;
  report.games = run.tuner->distinct_games();
  report.recent_games = recent.games;
  report.rule = run.row.spec.stop.settling;
  if (!report.rule.on()) report.rule.error = kUsualError;
  const book::Spending spending = book::SpendingOf(*run.tuner, report.rule, recent.by_node, most);
  report.positions = spending.positions;
  report.reached = spending.reached;
  report.settled = spending.settled;
  report.gain = spending.gain;
  book::Prospects prospects(*run.graph, run.policy->draw_value(), report.rule);
  prospects.Rebuild(*run.tuner);
  report.left = prospects.Left(report.games);
  const book::ShortestLines lines(*run.graph, start);
  for (const book::PositionSpending& from : spending.top) {
    const book::Graph::Node& node = run.graph->node(from.node);
    const ExportBook::Position exported = ExportOfPosition(tuned, from.node);
    const ExportBook::Move* const answer = AnswerAmong(exported.moves);
    report.top.push_back({.position = rules.Text(node.packed, node.ply),
                          .ply = node.ply,
                          .line = lines.To(from.node),
                          .games = from.games,
                          .repeats = from.repeats,
                          .recent = from.recent,
                          .standing = book::Name(from.standing),
                          .answer = answer == nullptr ? std::nullopt : std::optional(answer->move),
                          .gain = from.gain});
  }
  return report;
}

absl::StatusOr<SpendingReport> ReadSpending(book::Store& store, const Rules& rules, RunId run,
                                            size_t most) {
  ASSIGN_OR_RETURN(const TunedRun tuned, LoadTunedRun(store, rules, run));
  return ReadSpending(store, rules, tuned, most);
}

}  // namespace joseki::coordinator
