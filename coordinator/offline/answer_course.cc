#include "coordinator/offline/answer_course.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "base/status_macros.h"
#include "book/folding.h"
#include "book/tuning/tuner.h"
#include "coordinator/runs/book_answer.h"
#include "coordinator/runs/credited_moves.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

using Step = AnswerCourse::Step;
// Positions of the book, by node, that a search has answered; one set for each step.
using Answered = std::vector<std::vector<bool>>;

// Whether another move of the position has a larger base weight than the answer.
bool IsChanged(std::span<const book::Graph::Edge> moves, int64_t of_answer) {
  return std::any_of(moves.begin(), moves.end(),
                     [&](const book::Graph::Edge& move) { return move.base_weight > of_answer; });
}

void CountAnswer(const book::Graph& graph, book::NodeId node, Move answer, Step& step) {
  ++step.positions;
  const book::EdgeId edge = node == book::kNoNode ? book::kNoEdge : graph.FindMove(node, answer);
  if (edge == book::kNoEdge) {
    ++step.found;
    step.changed += node != book::kNoNode;
  } else {
    step.changed += IsChanged(graph.moves(node), graph.edge(edge).base_weight);
  }
}

// Calls `reach` for each step that ends before `ms`.
class Clockwork {
 public:
  explicit Clockwork(std::vector<Step>& steps) : steps_(steps) {}

  template <typename Reach>
  void Until(int64_t ms, const Reach& reach) {
    for (; next_ < steps_.size() && steps_[next_].until_ms < ms; ++next_) reach(steps_[next_]);
  }

 private:
  std::vector<Step>& steps_;
  size_t next_ = 0;
};

// Reads the times of acceptance and sorts them: clocks may be set back.
absl::Status ReadTimes(book::Store& store, RunStore& rows, RunId run, std::vector<int64_t>& games,
                       std::vector<int64_t>& searches) {
  RETURN_IF_ERROR(rows.games().ForEach(run, 0, [&](const GameRow& game) {
    games.push_back(game.accepted_ms);
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(ForEachLineSearch(store, run, [&](const EvaluationRow& row) {
    searches.push_back(row.game.accepted_ms);
    return absl::OkStatus();
  }));
  std::sort(games.begin(), games.end());
  std::sort(searches.begin(), searches.end());
  return absl::OkStatus();
}

std::vector<Step> StepsOf(const std::vector<int64_t>& games, const std::vector<int64_t>& searches) {
  std::vector<Step> steps;
  if (games.empty() && searches.empty()) return steps;
  int64_t first = INT64_MAX;
  int64_t last = INT64_MIN;
  for (const std::vector<int64_t>* times : {&games, &searches}) {
    if (times->empty()) continue;
    first = std::min(first, times->front());
    last = std::max(last, times->back());
  }
  const auto until = [](const std::vector<int64_t>& times, int64_t ms) {
    return static_cast<uint64_t>(std::upper_bound(times.begin(), times.end(), ms) - times.begin());
  };
  for (size_t i = 1; i <= AnswerCourse::kSteps; ++i) {
    Step& step = steps.emplace_back();
    step.until_ms = first + (last - first) * static_cast<int64_t>(i) /
                                static_cast<int64_t>(AnswerCourse::kSteps);
    step.games = until(games, step.until_ms);
    step.searches = until(searches, step.until_ms);
  }
  return steps;
}

absl::StatusOr<Answered> FollowSearches(book::Store& store, const Rules& rules,
                                        const LoadedRun& run, std::vector<Step>& steps) {
  const book::Graph& graph = *run.graph;
  Answered answered(steps.size(), std::vector<bool>(graph.node_count()));
  ASSIGN_OR_RETURN(LineSearches searches,
                   LineSearches::Make(rules, run.graph, run.row.spec, kEvaluationAttempts));
  const auto look = [&](Step& step) {
    searches.repertoire().ForEachAnswer(
        [&](const Key&, const PackedPosition& packed, int, const book::Repertoire::Answer& answer) {
          const book::NodeId node = graph.FindPacked(packed);
          if (node != book::kNoNode)
            answered[static_cast<size_t>(&step - steps.data())][node] = true;
          CountAnswer(graph, node, answer.move, step);
        });
  };
  Clockwork clock(steps);
  RETURN_IF_ERROR(
      ReadLineSearches(store, run.row, run.trust, searches,
                       [&](const EvaluationRow& row) { clock.Until(row.game.accepted_ms, look); }));
  clock.Until(INT64_MAX, look);
  return answered;
}

// Counts the positions that games answer: those that no search has.
absl::Status FollowGames(RunStore& rows, const Rules& rules, const LoadedRun& run,
                         const Answered& searched, std::vector<Step>& steps) {
  const book::Graph& graph = *run.graph;
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, graph, run.row.spec));
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Orbits> orbits,
                   book::OrbitsFor(rules, graph, run.row.spec.policy_options));
  std::shared_ptr<const book::Priors> priors;
  if (run.evaluations != nullptr) priors = run.evaluations->PriorsOf(run.priors, run.trust);
  book::Tuner tuner(run.graph, run.policy, std::move(priors), std::move(orbits));
  const BookAnswer answers{graph, *run.policy, *run.imported, run.evaluations.get()};
  std::set<book::NodeId> reached;
  const auto look = [&](Step& step) {
    tuner.ComputeValues();
    const size_t at = static_cast<size_t>(&step - steps.data());
    for (const book::NodeId node : reached) {
      if (!searched.empty() && searched[at][node]) continue;
      const size_t answer = answers.At(node, tuner.choices(node));
      CountAnswer(graph, node, graph.moves(node)[answer].move, step);
    }
  };
  const auto apply = [&](const book::TunedGame& game) {
    for (const book::EdgeId edge : game.edges) reached.insert(graph.edge(edge).from);
    tuner.Apply(game);
  };
  RETURN_IF_ERROR(ForEachTakenOver(rows, rules, run.row.spec, graph, start, run.trust, apply));
  CreditedMoves credited(rules, rows, run.row.spec, graph, start);
  Clockwork clock(steps);
  RETURN_IF_ERROR(rows.games().ForEach(run.row.run, 0, [&](const GameRow& game) -> absl::Status {
    clock.Until(game.accepted_ms, look);
    if (IsFault(game.ending.termination) || run.trust.Excludes(game.worker, game.lease)) {
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::vector<book::EdgeId> edges, credited.Of(game));
    apply({edges, game.ending, game.stage, game.moves_hash});
    return absl::OkStatus();
  }));
  clock.Until(INT64_MAX, look);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AnswerCourse> ReadAnswerCourse(book::Store& store, const Rules& rules,
                                              const LoadedRun& run) {
  RunStore rows(store);
  std::vector<int64_t> games;
  std::vector<int64_t> searches;
  RETURN_IF_ERROR(ReadTimes(store, rows, run.row.run, games, searches));
  AnswerCourse course{StepsOf(games, searches)};
  if (course.steps.empty() || run.row.spec.match) return course;
  Answered searched;
  if (run.line_searches != nullptr && run.line_searches->say_something()) {
    ASSIGN_OR_RETURN(searched, FollowSearches(store, rules, run, course.steps));
  }
  RETURN_IF_ERROR(FollowGames(rows, rules, run, searched, course.steps));
  return course;
}

}  // namespace joseki::coordinator
