#include "cli/experiment/world_like.h"

#include <algorithm>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/evidence.h"
#include "cli/named_run.h"
#include "cli/open_book.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/run_load.h"

namespace joseki::cli {
namespace {

using coordinator::LoadedRun;

book::SeenMove SeenOf(const book::Graph& graph, const book::Repertoire& repertoire,
                      const PackedPosition& position, const book::Repertoire::Answer& candidate) {
  book::SeenMove move;
  move.trials = candidate.trials;
  move.mean = candidate.mean;
  if (candidate.centipawns) {
    move.evaluation = repertoire.values().Expected(*candidate.centipawns);
  }
  move.grown = true;
  const book::NodeId node = graph.FindPacked(position);
  if (node == book::kNoNode) return move;
  double sum = 0;
  double own = 0;
  for (const book::Graph::Edge& edge : graph.moves(node)) {
    const double weight = std::max<double>(0, static_cast<double>(edge.base_weight));
    sum += weight;
    if (edge.move != candidate.move) continue;
    own = weight;
    move.grown = false;
  }
  if (sum > 0) move.share = own / sum;
  return move;
}

absl::StatusOr<book::SeenRun> SeenRunOf(const LoadedRun& run, const Rules& rules) {
  const book::Repertoire& repertoire = run.line_searches->repertoire();
  book::SeenRun seen;
  seen.graph = run.graph.get();
  ASSIGN_OR_RETURN(seen.start, coordinator::StartNode(rules, *run.graph, run.row.spec));
  seen.spread = repertoire.values().Spread();
  std::vector<PackedPosition> positions;
  repertoire.ForEachAnswer([&](const Key&, const PackedPosition& position, int,
                               const book::Repertoire::Answer&) { positions.push_back(position); });
  std::sort(positions.begin(), positions.end());
  for (const PackedPosition& position : positions) {
    ASSIGN_OR_RETURN(const auto state, rules.Start(position, MatchRules{}));
    book::SeenPosition& at = seen.positions.emplace_back();
    for (const book::Repertoire::Answer& candidate : repertoire.CandidatesAt(state->key())) {
      at.nodes = candidate.nodes;
      at.moves.push_back(SeenOf(*run.graph, repertoire, position, candidate));
    }
  }
  // Trials were played against the run's opponents, whose strength differs; the start's score
  // between equals is taken from the search.
  const book::Repertoire::Answer start = repertoire.AnswerAt(run.graph->node(seen.start).key);
  seen.start_score = repertoire.values().Expected(start.centipawns.value_or(0));
  for (const book::Arm& arm : run.tuner->choices(seen.start).arms) {
    seen.games += arm.evidence.games();
    seen.draws += arm.evidence.draws;
  }
  return seen;
}

}  // namespace

absl::StatusOr<book::FittedWorld> WorldLike(const std::string& name, Context& context) {
  const NamedRun named = NamedRunOf(name);
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, named.file, book::OpenMode::kReadOnly));
  coordinator::RunId number = named.run.value_or(0);
  if (!named.run) {
    ASSIGN_OR_RETURN(number, NewestRun(*store));
  }
  ASSIGN_OR_RETURN(const LoadedRun run, coordinator::LoadRun(*store, context.rules(), number));
  RETURN_IF_ERROR(coordinator::CheckTunes(run.row));
  if (run.line_searches == nullptr) {
    return MakeProblem({.code = "no_searches",
                        .file = name,
                        .found = "a run of games alone",
                        .expected = "a run with searches along lines, as `joseki tune` makes it"},
                       absl::StatusCode::kFailedPrecondition);
  }
  ASSIGN_OR_RETURN(const book::SeenRun seen, SeenRunOf(run, context.rules()));
  return book::FitWorld(seen);
}

}  // namespace joseki::cli
