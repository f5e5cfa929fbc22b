#include "coordinator/page/json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "engine/core/resignation.h"

namespace joseki::coordinator {
namespace {

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json OrNull(const std::string& word) { return word.empty() ? Json(nullptr) : Json(word); }

Json CalibrationJson(const book::CalibrationFit& fit) {
  const auto finite = [](double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  };
  return {{"games", fit.games},        {"groups", fit.groups},     {"slope", fit.slope},
          {"low", finite(fit.low)},    {"high", finite(fit.high)}, {"between", fit.between},
          {"intercept", fit.intercept}};
}

Json PriorsJson(const RunStatus& run) {
  return {{"version", run.priors.version}, {"positions", run.priors.positions},
          {"done", run.priors.done},       {"unscored", run.priors.unscored},
          {"failed", run.priors.failed},   {"older", run.priors.older},
          {"open", run.priors.open},       {"scale", run.priors.scale},
          {"games", run.priors.games},     {"nodes", run.spec.priors.nodes}};
}

Json ResidualsJson(const WorkerResiduals& residuals) {
  return {{"games", residuals.games},
          {"score", residuals.score},
          {"expected", residuals.expected},
          {"z", residuals.z},
          {"p", residuals.p},
          {"mean_plies", residuals.mean_plies},
          {"nodes_per_second", residuals.nodes_per_second},
          {"time_losses", residuals.time_losses},
          {"conflicts", residuals.conflicts}};
}

}  // namespace

Json RunJson(const RunStatus& run, const ClusterStatus& cluster) {
  Json json;
  json["run"] = run.run;
  json["name"] = run.spec.name;
  json["state"] = run.state;
  json["reason"] = run.reason;
  json["stage"] = run.stage;
  json["stages"] = run.stages;
  json["games_done"] = run.games_done;
  if (run.line_searches) {
    json["line_searches"] = LineSearchJson(*run.line_searches);
  }
  json["games_target"] = GamesTarget(run.spec);
  json["games_per_second"] = run.games_per_second;
  json["workers"] =
      std::count_if(cluster.workers.begin(), cluster.workers.end(),
                    [](const WorkerStatus& worker) { return worker.state == "active"; });
  json["slots"] = run.slots_in_flight;
  json["leases"] = run.leases;
  json["quarantined"] = run.quarantined;
  json["eta_seconds"] = run.eta_seconds < 0 ? Json(nullptr) : Json(run.eta_seconds);
  json["faults"] = run.faults;
  json["draws"] = run.draws;
  json["duplicates"] = run.duplicates;
  json["conflicts"] = run.conflicts;
  json["stale_accepted"] = run.stale_accepted;
  json["poisoned_lines"] = run.poisoned_lines;
  json["resting_lines"] = run.resting_lines;
  json["gain_left"] = OrNull(run.gain_left);
  json["answers_changed"] = OrNull(run.answers_changed);
  json["checks"] = run.copies;
  json["mismatches"] = run.mismatches;
  json["games_excluded"] = run.games_excluded;
  json["verify_off"] = run.verify_off;
  if (run.priors.version > 0) json["priors"] = PriorsJson(run);
  json["think_seconds"] = run.think_seconds;
  json["resign_checked"] = run.resign_checked;
  json["resign_wrong"] = run.resign_wrong;
  Json terminations = Json::object();
  for (const auto& [termination, games] : run.terminations) {
    terminations[std::string(Name(termination))] = games;
  }
  json["terminations"] = std::move(terminations);
  json["engine"] = run.spec.play.engine_id;
  json["nodes"] = run.spec.play.nodes;
  json["move_ms"] = run.spec.play.move_ms;
  json["pairing"] = PairingOf(run.spec.play);
  json["policy"] = run.spec.policy;
  json["priority"] = run.spec.share.priority;
  json["share"] = run.spec.share.weight;
  if (const auto& taken = run.spec.taken_over) {
    json["taken_over"] = {{"runs", taken->runs},
                          {"games", taken->games},
                          {"searches", taken->searches},
                          {"games_only", taken->games_only}};
  }
  if (const auto& extension = run.spec.extension) {
    json["extension"] = {{"times", extension->times},
                         {"after", extension->after},
                         {"regardless", extension->regardless}};
  }
  json["servers"] = run.servers;
  if (!run.not_served.empty()) json["not_served"] = run.not_served;
  return json;
}

Json StatusJson(const ClusterStatus& status) {
  Json runs = Json::array();
  for (const RunStatus& run : status.runs) runs.push_back(RunJson(run, status));
  Json json;
  json["runs"] = std::move(runs);
  json["game"] = status.game;
  json["epoch"] = status.epoch;
  json["uptime_seconds"] = absl::ToDoubleSeconds(status.uptime);
  json["commit_ms"] = status.commit_ms;
  json["queued_games"] = status.queued_games;
  json["certificate_end"] =
      status.certificate_end ? Json(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", *status.certificate_end,
                                                     absl::UTCTimeZone()))
                             : Json(nullptr);
  return json;
}

double SearchShare(const WorkerCost& cost) {
  return cost.processor_ms == 0
             ? 0
             : static_cast<double>(cost.search_ms) / static_cast<double>(cost.processor_ms);
}

Json WorkerJson(const WorkerStatus& worker) {
  Json json;
  json["worker"] = worker.worker;
  json["state"] = worker.state;
  json["reason"] = worker.reason;
  json["session"] = worker.session;
  json["slots"] = worker.seats;
  json["in_flight"] = worker.in_flight;
  json["games"] = worker.games;
  json["faults"] = worker.faults;
  json["checks"] = worker.copies;
  json["mismatches"] = worker.mismatches;
  json["last_seen_seconds"] = absl::ToDoubleSeconds(worker.last_seen);
  json["build"] = worker.build;
  json["labels"] = Json(worker.labels);
  json["memory_mb"] = worker.memory_mb;
  json["cores"] = worker.cores;
  json["processor_seconds"] = static_cast<double>(worker.cost.processor_ms) / 1000;
  json["search_share"] = SearchShare(worker.cost);
  json["residuals"] = ResidualsJson(worker.residuals);
  return json;
}

Json PositionJson(const PositionEvidence& position, const Rules& rules) {
  Json moves = Json::array();
  for (const MoveEvidence& move : position.moves) {
    moves.push_back({{"move", rules.Text(move.move)},
                     {"weight", move.weight},
                     {"wins", move.evidence.wins},
                     {"draws", move.evidence.draws},
                     {"losses", move.evidence.losses},
                     {"repeats", move.evidence.repeats},
                     {"score_low", move.score_low},
                     {"score_high", move.score_high},
                     {"prior", move.base_weight},
                     {"in_flight", move.in_flight},
                     {"answer", move.answer},
                     {"expected", OrNull(move.expected)},
                     {"trials", move.trials},
                     {"origin", OrNull(move.origin)},
                     {"decided_by", OrNull(move.decided_by)}});
  }
  return {{"position", position.position},
          {"moves", std::move(moves)},
          {"commit_seq", position.commit_seq}};
}

Json GameJson(const GameRow& game, const Rules& rules) {
  std::string moves;
  for (const Move move : game.moves) {
    if (!moves.empty()) moves += ' ';
    moves += rules.Text(move);
  }
  Json scores = Json::array();
  for (const int16_t score : game.scores) {
    scores.push_back(score == kNoScore ? Json(nullptr) : Json(score));
  }
  return {{"commit_seq", game.commit_seq},
          {"lease", game.lease},
          {"slot", game.slot},
          {"stage", game.stage + 1},
          {"worker", game.worker},
          {"result", std::string(Name(game.ending.result))},
          {"termination", std::string(Name(game.ending.termination))},
          {"nodes", game.nodes},
          {"book_plies", game.book_plies},
          {"scores", std::move(scores)},
          {"moves", std::move(moves)}};
}

Json LineSearchJson(const LineSearchStatus& searches) {
  return {{"games", searches.games},
          {"answers", searches.answers},
          {"trials", searches.trials},
          {"in_answers", searches.in_answers},
          {"in_replies", searches.in_replies},
          {"in_trials", searches.in_trials},
          {"expected", OrNull(searches.expected)},
          {"off", searches.off},
          {"calibration",
           searches.calibration ? CalibrationJson(*searches.calibration) : Json(nullptr)},
          {"trials_off", searches.trials_off}};
}

}  // namespace joseki::coordinator
