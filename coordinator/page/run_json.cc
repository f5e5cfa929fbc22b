#include "coordinator/page/run_json.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "book/stats/pentanomial.h"
#include "book/tuning/trial_course.h"
#include "coordinator/offline/answer_course.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/movers.h"
#include "coordinator/offline/run_history.h"
#include "coordinator/offline/spending.h"
#include "coordinator/page/answer_json.h"
#include "coordinator/page/proof_json.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostTop = 10;
constexpr size_t kMostMovers = 12;
constexpr size_t kMostParts = 16;  // of the course

Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void AddHistory(const LoadedRun& run, const RunHistory& history, Json& json) {
  uint64_t nodes = 0;
  uint64_t think_ms = 0;
  for (const auto& [name, worker] : history.workers) {
    nodes += worker.nodes;
    think_ms += worker.think_ms;
  }
  json["created_ms"] = run.row.created_ms;
  json["first_ms"] = history.first_ms;
  json["last_ms"] = history.last_ms;
  json["played_seconds"] = static_cast<double>(run.row.played_ms) / 1000;
  json["games"] = run.counters.games;
  json["first_wins"] = history.first_wins;
  json["second_wins"] = history.second_wins;
  json["draws"] = history.draws;
  json["plies"] = history.plies;
  json["nodes"] = nodes;
  json["think_ms"] = think_ms;
  json["workers"] = history.workers.size();
  json["conflicts"] = history.conflicts;
  json["checked"] = history.copies;
  json["differed"] = history.differed;
  json["distrusted"] = history.distrusted;
  json["book"] = {{"positions", run.graph->node_count()}, {"moves", run.graph->edge_count()}};
}

Json StepsJson(const AnswerCourse& course) {
  Json steps = Json::array();
  for (const AnswerCourse::Step& step : course.steps) {
    steps.push_back({{"until_ms", step.until_ms},
                     {"games", step.games},
                     {"searches", step.searches},
                     {"positions", step.positions},
                     {"changed", step.changed},
                     {"found", step.found}});
  }
  return steps;
}

Json TrialsJson(const LoadedRun& run) {
  Json parts = Json::array();
  if (run.line_searches == nullptr) return parts;
  for (const book::TrialCourse::Part& part :
       run.line_searches->repertoire().course().Parts(kMostParts)) {
    parts.push_back({{"trials", part.trials}, {"score", part.score}, {"error", part.error}});
  }
  return parts;
}

Json SpendingJson(const SpendingReport& spending, const Rules& rules) {
  Json top = Json::array();
  for (const SpendingReport::Position& position : spending.top) {
    top.push_back({{"position", position.position},
                   {"ply", position.ply},
                   {"games", position.games},
                   {"recent", position.recent},
                   {"standing", position.standing},
                   {"answer", position.answer ? Json(rules.Text(*position.answer)) : Json(nullptr)},
                   {"gain", position.gain}});
  }
  return {{"positions", spending.positions},
          {"reached", spending.reached},
          {"settled", spending.settled},
          {"recent_games", spending.recent_games},
          {"gain", spending.gain},
          {"left", spending.left},
          {"top", std::move(top)}};
}

void AddMovers(const Movers& movers, const Rules& rules, Json& json) {
  Json shown = Json::array();
  for (const Mover& mover : movers.top) {
    Json line;
    if (mover.line) line = Json::array();
    for (const Move move : mover.line.value_or(std::vector<Move>())) {
      line.push_back(rules.Text(move));
    }
    shown.push_back({{"position", mover.position},
                     {"line", std::move(line)},
                     {"games", mover.games},
                     {"before", AnswerJson(mover.before, rules)},
                     {"after", AnswerJson(mover.after, rules)}});
  }
  json["changed"] = movers.changed;
  json["movers"] = std::move(shown);
}

Json MatchJson(const LoadedRun& run) {
  const MatchState state(run.row.spec, /*attempts=*/1, run.match);
  const book::Series& series = state.series();
  const book::Pentanomial& pairs = series.tally().pentanomial;
  const book::SeriesTally::Results total = series.tally().total();
  const book::Estimate elo = book::LogisticElo(pairs);
  const auto& sprt = run.row.spec.match->sprt;
  return {{"pairs", pairs.count()},
          {"wins", total.wins},
          {"draws", total.draws},
          {"losses", total.losses},
          {"elo", Finite(elo.value)},
          {"elo_low", Finite(elo.low)},
          {"elo_high", Finite(elo.high)},
          {"llr", sprt ? Json(series.llr()) : Json(nullptr)},
          {"lower", sprt ? Json(sprt->lower()) : Json(nullptr)},
          {"upper", sprt ? Json(sprt->upper()) : Json(nullptr)}};
}

}  // namespace

absl::StatusOr<Json> RunReportJson(book::Store& store, const Rules& rules, RunId number) {
  ASSIGN_OR_RETURN(LoadedRun loaded, LoadRun(store, rules, number));
  ASSIGN_OR_RETURN(const RunHistory history, ReadRunHistory(store, loaded));
  ASSIGN_OR_RETURN(const AnswerCourse course, ReadAnswerCourse(store, rules, loaded));
  Json json{{"run", number}};
  AddHistory(loaded, history, json);
  json["steps"] = StepsJson(course);
  json["course"] = TrialsJson(loaded);
  json["proof"] = ProofJson(store.path(), number);
  if (loaded.row.spec.match) {
    json["match"] = MatchJson(loaded);
    json["spending"] = nullptr;
    AddMovers(Movers(), rules, json);
    return json;
  }
  ASSIGN_OR_RETURN(const TunedRun tuned, WithMarks(store, std::move(loaded)));
  ASSIGN_OR_RETURN(const SpendingReport spending, ReadSpending(store, rules, tuned, kMostTop));
  ASSIGN_OR_RETURN(const Movers movers, MoversOf(tuned, rules, kMostMovers));
  json["match"] = nullptr;
  json["spending"] = SpendingJson(spending, rules);
  AddMovers(movers, rules, json);
  return json;
}

}  // namespace joseki::coordinator
