#include "cli/experiment/world_like.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/evidence.h"
#include "cli/open_book.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

using coordinator::LoadedRun;

double ScoreOf(const book::RepertoireRules& rules, int centipawns) {
  return 1 / (1 + std::exp(-centipawns / rules.scale));
}

book::SeenMove SeenOf(const book::Graph& graph, const PackedPosition& position,
                      const book::Repertoire::Answer& candidate) {
  book::SeenMove move;
  move.trials = candidate.trials;
  move.mean = candidate.mean;
  if (candidate.centipawns) {
    move.evaluation = ScoreOf(book::RepertoireRules(), *candidate.centipawns);
  }
  const book::NodeId node = graph.FindPacked(position);
  if (node == book::kNoNode) return move;
  double sum = 0;
  double own = 0;
  for (const book::Graph::Edge& edge : graph.moves(node)) {
    const double weight = std::max<double>(0, static_cast<double>(edge.base_weight));
    sum += weight;
    if (edge.move == candidate.move) own = weight;
  }
  if (sum > 0) move.share = own / sum;
  return move;
}

absl::StatusOr<book::SeenRun> SeenRunOf(const LoadedRun& run, const Rules& rules) {
  const book::Repertoire& repertoire = run.line_searches->repertoire();
  book::SeenRun seen;
  seen.graph = run.graph.get();
  ASSIGN_OR_RETURN(seen.start, coordinator::StartNode(rules, *run.graph, run.row.spec));
  seen.spread = repertoire.Spread();
  std::vector<PackedPosition> positions;
  repertoire.ForEachAnswer([&](const PackedPosition& position, int,
                               const book::Repertoire::Answer&) { positions.push_back(position); });
  std::sort(positions.begin(), positions.end());
  for (const PackedPosition& position : positions) {
    ASSIGN_OR_RETURN(const auto state, rules.Start(position, MatchRules{}));
    std::vector<book::SeenMove>& moves = seen.positions.emplace_back();
    for (const book::Repertoire::Answer& candidate : repertoire.CandidatesAt(state->key())) {
      moves.push_back(SeenOf(*run.graph, position, candidate));
    }
  }
  // Trials were played against the run's opponents: between equals the search's word counts.
  const book::Repertoire::Answer start = repertoire.AnswerAt(run.graph->node(seen.start).key);
  seen.start_score = ScoreOf(book::RepertoireRules(), start.centipawns.value_or(0));
  for (const book::Arm& arm : run.tuner->choices(seen.start).arms) {
    seen.games += arm.evidence.games();
    seen.draws += arm.evidence.draws;
  }
  return seen;
}

}  // namespace

absl::StatusOr<book::FittedWorld> WorldLike(const std::string& name, Context& context) {
  const size_t hash = name.rfind('#');
  coordinator::RunId number = 0;
  const bool numbered =
      hash != std::string::npos && absl::SimpleAtoi(name.substr(hash + 1), &number);
  const std::string file = numbered ? name.substr(0, hash) : name;
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, file, book::OpenMode::kReadOnly));
  if (!numbered) {
    ASSIGN_OR_RETURN(const std::vector<coordinator::RunRow> runs,
                     coordinator::RunStore(*store).ReadRuns());
    for (const coordinator::RunRow& run : runs) {
      if (!run.spec.match) number = std::max(number, run.run);
    }
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
