#include "coordinator/status.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/stats/interval.h"
#include "coordinator/core/serving.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/book_answer.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/move_origin.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMaxLinesShown = 100;
constexpr size_t kStatusPage = 64;  // sessions listed before others get the mutex

// The reasons why the session does not serve some active runs; empty if it serves all.
std::string WhyNotServed(const Tables& tables, const Session& session) {
  std::string why;
  for (const auto& [id, run] : tables.runs) {
    if (run.state.row().over()) continue;
    if (const auto cannot = session.cannot.find(id); cannot != session.cannot.end()) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "run ", id, ": ", cannot->second);
      continue;
    }
    const std::string lacks = session.Lacks(run.state.row().spec.requirements);
    if (!lacks.empty()) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id, ": lacks ", lacks);
      continue;
    }
    const PlaySpec& play = run.state.row().spec.play;
    const EngineIdentity* wrong = WrongEngine(session.engines, play);
    if (wrong == nullptr && !session.HasOpponent(run.state.row().spec)) {
      absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id,
                      ": lacks the opponent's engine ", play.opponent->engine_id);
    }
    if (wrong == nullptr) continue;
    absl::StrAppend(&why, why.empty() ? "" : "; ", "cannot serve run ", id, ": engine ", wrong->id,
                    " with signature ", wrong->signature, ", expected ", play.engine_signature);
  }
  return why;
}

// What the session lacks to serve the run; empty: nothing.
std::string WhatItLacks(const Tables& tables, const Session& session, const ActiveRun& run) {
  const RunSpec& spec = run.state.row().spec;
  if (MayServe(tables, session, run)) {
    return run.state.lines().IsIdle(session.worker)
               ? "a line that has not failed with them time after time"
               : "";
  }
  if (tables.standing.trust.BlockOf(session.worker) != nullptr) return "trust: they are blocked";
  const auto faulty = tables.standing.faulty.find(session.worker);
  if (faulty != tables.standing.faulty.end()) {
    return absl::StrCat("a sound engine: ", faulty->second.reason);
  }
  if (const auto cannot = session.cannot.find(run.state.row().run);
      cannot != session.cannot.end()) {
    return cannot->second.find("no_memory") != std::string::npos
               ? "memory for its tables (`joseki workers` says how much they have)"
               : absl::StrCat("what it takes: ", cannot->second);
  }
  std::string lacks = session.Lacks(spec.requirements);
  if (!lacks.empty()) return lacks;
  if (!session.HasOpponent(spec)) {
    return absl::StrCat("the opponent's engine ", spec.play.opponent->engine_id);
  }
  return absl::StrCat("the engine ", spec.play.engine_id);
}

void AddTrust(const Tables& tables, const ActiveRun& run, RunStatus& status) {
  status.verify_off = std::string(WhyUnverified(status.spec));
  status.copies = run.copies;
  status.mismatches = run.mismatches;
  status.quarantined = static_cast<uint32_t>(tables.standing.trust.blocked().size());
  status.games_excluded = run.state.evidence().counters().excluded;
}

void AddTrust(const Tables& tables, const Residuals::Yardstick& yardstick, WorkerStatus& worker) {
  if (const TrustChange* block = tables.standing.trust.BlockOf(worker.worker)) {
    worker.state = "quarantined";
    worker.reason = block->reason;
  }
  const auto faulty = tables.standing.faulty.find(worker.worker);
  if (faulty != tables.standing.faulty.end() && worker.state != "quarantined") {
    worker.state = "faulty";
    worker.reason = faulty->second.reason;
  }
  worker.residuals = tables.standing.residuals.Of(worker.worker, yardstick);
  const auto tally = tables.standing.tallies.find(worker.worker);
  if (tally == tables.standing.tallies.end()) return;
  worker.copies = tally->second.copies;
  worker.mismatches = tally->second.mismatches;
}

}  // namespace

RunStatus StatusOf(const Tables& tables, const ActiveRun& run, absl::Time now) {
  const RunState& state = run.state;
  const RunRow& row = state.row();
  const RunCounters& counters = state.evidence().counters();
  RunStatus status;
  status.run = row.run;
  status.spec = row.spec;
  status.state = row.state;
  status.reason = row.reason;
  const std::string& problem =
      tables.holds.storage.empty() ? tables.holds.disk_problem : tables.holds.storage;
  if (!problem.empty() && state.row().running()) {
    status.state = "paused";
    status.reason = problem;
  }
  status.stages = static_cast<uint32_t>(state.book().stages());
  status.stage = static_cast<uint32_t>(row.stage) + 1;
  if (status.stages > 0) status.stage = std::min(status.stage, status.stages);
  status.games_done = counters.games;
  status.games_per_second = run.rate.PerSecond(now);
  status.leases = tables.leases.LiveLeases(row.run);
  status.slots_in_flight = tables.leases.OpenSlots(row.run);
  status.faults = counters.faults + state.searches().faults();
  status.last_fault = run.last_fault;
  status.draws = counters.draws;
  status.duplicates = run.duplicates;
  status.conflicts = run.conflicts;
  status.stale_accepted = counters.stale;
  status.poisoned_lines = static_cast<uint32_t>(state.lines().lost().poisoned());
  status.gain_left = state.evidence().gain_left();
  status.answers_changed = state.evidence().answers_changed();
  status.resting_lines = static_cast<uint32_t>(state.lines().resting().count());
  status.servers = tables.servers.Of(row.run);
  status.terminations = counters.terminations;
  status.think_seconds = static_cast<double>(counters.think_ms) / 1000;
  status.resign_checked = counters.resign_checked;
  status.resign_wrong = counters.resign_wrong;
  if (const Evaluations* const evaluations = state.searches().evaluations()) {
    const Evaluations::Count& count = evaluations->count();
    const PriorSet& priors = state.priors().newest();
    status.priors = {.version = priors.version,
                     .positions = count.positions,
                     .done = count.done,
                     .unscored = count.unscored,
                     .failed = count.failed,
                     .older = count.older,
                     .open = static_cast<uint32_t>(evaluations->open()),
                     .scale = priors.model.scale,
                     .games = 1e-3 * priors.model.milli_games};
  }
  if (const LineSearches* const searches = state.searches().along_lines()) {
    status.line_searches = searches->status(state.evidence().calibration());
  }
  AddTrust(tables, run, status);
  const uint64_t target = GamesTarget(row.spec);
  if (state.row().running() && target > 0 && status.games_per_second > 0) {
    // Searches take their part of a game's time.
    const uint64_t spent = status.games_spent();
    const double each =
        static_cast<double>(spent) / static_cast<double>(std::max<uint64_t>(counters.games, 1));
    const uint64_t left = target - std::min(target, spent);
    status.eta_seconds = static_cast<double>(left) / (status.games_per_second * each);
  }
  if (state.row().running() && row.spec.seconds > 0) {
    const double left = std::max(
        0.0, static_cast<double>(row.spec.seconds) - static_cast<double>(row.played_ms) / 1000);
    if (status.eta_seconds < 0 || left < status.eta_seconds) status.eta_seconds = left;
  }
  return status;
}

RunStatus FullStatusOf(const Tables& tables, const ActiveRun& run, absl::Time now) {
  RunStatus status = StatusOf(tables, run, now);
  status.poisoned = run.state.lines().lost().Poisoned(kMaxLinesShown);
  status.resting = run.state.lines().resting().Some(kMaxLinesShown);
  return status;
}

std::optional<SessionId> AddLacking(const Tables& tables, const ActiveRun& run, SessionId last,
                                    Lacking& lacking) {
  size_t seen = 0;
  for (auto at = tables.sessions.all().upper_bound(last); at != tables.sessions.all().end(); ++at) {
    if (seen++ == kStatusPage) return last;
    last = at->first;
    const Session& session = at->second;
    std::string lacks = WhatItLacks(tables, session, run);
    if (lacks.empty()) {
      lacking.erase(session.worker);
    } else {
      lacking[session.worker] = std::move(lacks);
    }
  }
  return std::nullopt;
}

std::string WhyNotServed(const Lacking& lacking) {
  std::map<std::string, uint32_t> counts;
  for (const auto& [worker, what] : lacking) ++counts[what];
  std::string why;
  for (const auto& [what, workers] : counts) {
    absl::StrAppend(&why, why.empty() ? "" : "; ", workers,
                    workers == 1 ? " worker lacks " : " workers lack ", what);
  }
  return why;
}

std::optional<SessionId> AddSessions(const Tables& tables, SessionId last,
                                     const Residuals::Yardstick& yardstick, absl::Time now,
                                     ClusterStatus& status) {
  size_t added = 0;
  for (auto at = tables.sessions.all().upper_bound(last); at != tables.sessions.all().end(); ++at) {
    if (added++ == kStatusPage) return last;
    const auto& [id, session] = *at;
    last = id;
    WorkerStatus worker;
    worker.worker = session.worker;
    worker.session = id;
    worker.seats = session.seats;
    worker.in_flight = tables.leases.OpenSlotsOf(session.worker);
    worker.games = session.games;
    worker.faults = session.faults;
    worker.last_seen = std::max(now - session.seen, absl::ZeroDuration());
    worker.build = session.build;
    worker.labels = session.labels;
    worker.memory_mb = session.memory_mb;
    worker.cost = session.cost;
    worker.cores = session.cores;
    worker.state = MustDrain(tables, session)           ? "draining"
                   : worker.last_seen > Silence(tables) ? "silent"
                                                        : "active";
    worker.reason = WhyNotServed(tables, session);
    for (const auto& [run_id, run] : tables.runs) {
      const std::string other = run.verification.DisputeOf(session.worker);
      if (other.empty()) continue;
      absl::StrAppend(&worker.reason, worker.reason.empty() ? "" : "; ", "in run ", run_id,
                      " one of its games and that of ", other,
                      " differ: a third worker has to tell who is right");
    }
    AddTrust(tables, yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  return std::nullopt;
}

void AddOtherWorkers(const Tables& tables, const Residuals::Yardstick& yardstick, absl::Time now,
                     absl::Time wall, ClusterStatus& status) {
  std::set<std::string> seen;
  const auto is_new = [&](const std::string& name) {
    return tables.sessions.FindWorker(name) == nullptr && seen.insert(name).second;
  };
  for (const auto& [name, refused] : tables.standing.refused) {
    seen.insert(name);
    WorkerStatus worker;
    worker.worker = name;
    worker.seats = refused.seats;
    worker.build = refused.build;
    worker.last_seen = std::max(now - refused.seen, absl::ZeroDuration());
    worker.state = "refused";
    worker.reason = refused.reason;
    AddTrust(tables, yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  for (const auto& [name, block] : tables.standing.trust.blocked()) {
    if (!is_new(name)) continue;
    WorkerStatus worker;
    worker.worker = name;
    worker.last_seen = std::max(wall - absl::FromUnixMillis(block.at_ms), absl::ZeroDuration());
    AddTrust(tables, yardstick, worker);
    status.workers.push_back(std::move(worker));
  }
  for (const std::string& name : tables.holds.draining) {
    if (!is_new(name)) continue;
    WorkerStatus& worker = status.workers.emplace_back();
    worker.worker = name;
    worker.state = "drained";
  }
}

void DropSuperseded(ClusterStatus& status) {
  std::map<std::string, SessionId> newest;
  for (const WorkerStatus& worker : status.workers) {
    SessionId& session = newest[worker.worker];
    session = std::max(session, worker.session);
  }
  std::erase_if(status.workers, [&](const WorkerStatus& worker) {
    return worker.session != 0 && worker.session != newest.at(worker.worker);
  });
}

absl::StatusOr<PositionEvidence> EvidenceAt(const Rules& rules, const RunState& state,
                                            const std::string& text) {
  const std::string& position = text.empty() ? state.row().spec.start : text;
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> game,
                   rules.Start(position, state.row().spec.play.match));
  const book::Graph& graph = *state.book().graph;
  const book::NodeId node = graph.Find(game->key());
  // If searches along lines have results, the exported book plays by them.
  const LineSearches* const searches = state.searches().along_lines();
  const bool searched = searches != nullptr && searches->say_something();
  const std::vector<book::Repertoire::Answer> found =
      searched ? searches->repertoire().CandidatesAt(game->key())
               : std::vector<book::Repertoire::Answer>();
  if (node == book::kNoNode && found.empty()) {
    return MakeProblem({.code = "not_in_book",
                        .found = Quote(position, 200),
                        .expected = "a position of the run's book"},
                       absl::StatusCode::kNotFound);
  }
  PositionEvidence evidence;
  evidence.commit_seq = state.evidence().seq();
  evidence.position = node == book::kNoNode
                          ? game->text()
                          : rules.Text(graph.node(node).packed, graph.node(node).ply);
  if (node != book::kNoNode) {
    const book::Choices choices = state.evidence().tuner().choices(node);
    const std::span<const book::Arm> arms = choices.arms;
    const std::span<const book::Graph::Edge> edges = graph.moves(node);
    const BookAnswer answer_of = state.book().AnswerBy(state.searches().evaluations());
    const size_t answer = arms.empty() ? 0 : answer_of.At(node, choices);
    // Without results of searches the book ends, unless it was imported with values.
    const bool imported = book::BestImported(graph, *state.book().imported, node) != book::kNoEdge;
    const bool answers = !searched || (found.empty() && imported);
    for (size_t i = 0; i < arms.size(); ++i) {
      MoveEvidence& move = evidence.moves.emplace_back();
      move.move = edges[i].move;
      move.weight = state.book().policy->Weight(choices, i);
      move.evidence = arms[i].evidence;
      const book::Interval interval =
          book::Wilson(arms[i].evidence.wins, arms[i].evidence.decided());
      move.score_low = interval.low;
      move.score_high = interval.high;
      move.base_weight = arms[i].base_weight;
      move.in_flight = arms[i].in_flight;
      move.answer = answers && i == answer;
      move.origin = Name(MoveOrigin::kBook);
      if (move.answer) move.decided_by = Name(DecidedAt(answer_of, node, choices));
    }
  }
  for (const book::Repertoire::Answer& candidate : found) {
    auto at = std::find_if(evidence.moves.begin(), evidence.moves.end(),
                           [&](const MoveEvidence& move) { return move.move == candidate.move; });
    if (at == evidence.moves.end()) {
      at = evidence.moves.insert(at, MoveEvidence{.move = candidate.move, .evidence = {}});
      at->origin = Name(OriginOf(candidate));
    }
    at->answer = &candidate == &found.front();
    at->expected = candidate.value;
    at->weight = candidate.value;
    at->trials = candidate.trials;
    if (at->answer) at->decided_by = Name(DecidedAmong(found));
  }
  std::stable_sort(evidence.moves.begin(), evidence.moves.end(),
                   [](const MoveEvidence& a, const MoveEvidence& b) {
                     return std::tuple(a.expected.has_value(), a.weight) >
                            std::tuple(b.expected.has_value(), b.weight);
                   });
  return evidence;
}

}  // namespace joseki::coordinator
