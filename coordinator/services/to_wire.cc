#include "coordinator/services/to_wire.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/model/spec_fields.h"
#include "engine/core/outcome.h"
#include "proto/wire_fields.h"

namespace joseki::coordinator {
namespace {

// Rounded up: a positive time must not become zero.
uint32_t WholeSeconds(absl::Duration duration) {
  return static_cast<uint32_t>(absl::ToInt64Seconds(absl::Ceil(duration, absl::Seconds(1))));
}

uint32_t WholeMilliseconds(absl::Duration duration) {
  return static_cast<uint32_t>(
      absl::ToInt64Milliseconds(absl::Ceil(duration, absl::Milliseconds(1))));
}

std::string LineText(const std::vector<Move>& line, const Rules& rules) {
  std::vector<std::string> moves;
  moves.reserve(line.size());
  for (const Move move : line) moves.push_back(rules.Text(move));
  return absl::StrJoin(moves, " ");
}

v1::RunStatus ToWire(const RunStatus& run, const Rules& rules) {
  v1::RunStatus wire;
  wire.set_run(run.run);
  wire.set_name(run.spec.name);
  wire.set_state(run.state);
  wire.set_reason(run.reason);
  wire.set_stage(run.stage);
  wire.set_stages(run.stages);
  wire.set_games_done(run.games_done);
  if (run.line_searches) {
    v1::LineSearchStatus& searches = *wire.mutable_line_searches();
    searches.set_games(run.line_searches->games);
    searches.set_answers(run.line_searches->answers);
    searches.set_trials(run.line_searches->trials);
    searches.set_in_answers(run.line_searches->in_answers);
    searches.set_in_replies(run.line_searches->in_replies);
    searches.set_in_trials(run.line_searches->in_trials);
    if (run.line_searches->expected) searches.set_expected(*run.line_searches->expected);
    searches.set_off(run.line_searches->off);
    if (const auto& fit = run.line_searches->calibration) {
      v1::ScoreCalibration& calibration = *searches.mutable_calibration();
      calibration.set_games(fit->games);
      calibration.set_groups(fit->groups);
      calibration.set_slope(fit->slope);
      calibration.set_low(fit->low);
      calibration.set_high(fit->high);
      calibration.set_between(fit->between);
      calibration.set_intercept(fit->intercept);
    }
    searches.set_trials_off(run.line_searches->trials_off);
  }
  wire.set_games_target(GamesTarget(run.spec));
  wire.set_games_per_second(run.games_per_second);
  wire.set_eta_seconds(run.eta_seconds);
  wire.set_leases(run.leases);
  wire.set_slots_in_flight(run.slots_in_flight);
  wire.set_faults(run.faults);
  wire.set_last_fault(run.last_fault);
  wire.set_draws(run.draws);
  wire.set_duplicates(run.duplicates);
  wire.set_conflicts(run.conflicts);
  wire.set_stale_accepted(run.stale_accepted);
  wire.set_poisoned_lines(run.poisoned_lines);
  for (const auto& [termination, games] : run.terminations) {
    (*wire.mutable_terminations())[std::string(Name(termination))] = games;
  }
  wire.set_think_seconds(run.think_seconds);
  wire.set_resign_checked(run.resign_checked);
  wire.set_resign_wrong(run.resign_wrong);
  *wire.mutable_spec() = ToWire(run.spec);
  for (const PoisonedLine& poisoned : run.poisoned) {
    v1::PoisonedLine* const added = wire.add_poisoned();
    added->set_line(LineText(poisoned.line, rules));
    added->set_attempts(poisoned.attempts);
    added->set_reason(poisoned.reason);
    std::set<std::string> workers;
    for (const LineFailure& failure : poisoned.failed) workers.insert(failure.worker);
    for (const std::string& worker : workers) added->add_workers(worker);
  }
  wire.set_servers(run.servers);
  wire.set_not_served(run.not_served);
  wire.set_verify_off(run.verify_off);
  wire.set_checks(run.copies);
  wire.set_mismatches(run.mismatches);
  wire.set_quarantined(run.quarantined);
  wire.set_games_excluded(run.games_excluded);
  if (run.priors.version > 0) {
    v1::PriorStatus& priors = *wire.mutable_priors();
    priors.set_version(run.priors.version);
    priors.set_positions(run.priors.positions);
    priors.set_done(run.priors.done);
    priors.set_unscored(run.priors.unscored);
    priors.set_failed(run.priors.failed);
    priors.set_older(run.priors.older);
    priors.set_open(run.priors.open);
    priors.set_scale(run.priors.scale);
    priors.set_games(run.priors.games);
  }
  if (run.gain_left) wire.set_gain_left(*run.gain_left);
  if (run.answers_changed) wire.set_answers_changed(*run.answers_changed);
  wire.set_resting_lines(run.resting_lines);
  for (const RestingLine& resting : run.resting) {
    v1::RestingLine* const added = wire.add_resting();
    added->set_line(LineText(resting.line, rules));
    added->set_draws(resting.draws);
  }
  return wire;
}

v1::WorkerResiduals ToWire(const WorkerResiduals& residuals) {
  v1::WorkerResiduals wire;
  wire.set_games(residuals.games);
  wire.set_score(residuals.score);
  wire.set_expected(residuals.expected);
  wire.set_z(residuals.z);
  wire.set_p(residuals.p);
  wire.set_mean_plies(residuals.mean_plies);
  wire.set_nodes_per_second(residuals.nodes_per_second);
  wire.set_time_losses(residuals.time_losses);
  wire.set_conflicts(residuals.conflicts);
  return wire;
}

v1::WorkerStatus ToWire(const WorkerStatus& worker) {
  v1::WorkerStatus wire;
  wire.set_worker(worker.worker);
  wire.set_session(worker.session);
  wire.set_slots(worker.seats);
  wire.set_in_flight(worker.in_flight);
  wire.set_games(worker.games);
  wire.set_faults(worker.faults);
  wire.set_last_seen_seconds(absl::ToDoubleSeconds(worker.last_seen));
  wire.set_build(worker.build);
  wire.set_state(worker.state);
  wire.set_reason(worker.reason);
  wire.set_checks(worker.copies);
  wire.set_mismatches(worker.mismatches);
  *wire.mutable_residuals() = ToWire(worker.residuals);
  wire.mutable_labels()->insert(worker.labels.begin(), worker.labels.end());
  wire.set_memory_mb(worker.memory_mb);
  wire.set_cores(worker.cores);
  wire.set_processor_ms(worker.cost.processor_ms);
  wire.set_search_ms(worker.cost.search_ms);
  return wire;
}

v1::Lease ToWire(const Lease& lease) {
  v1::Lease wire;
  wire.set_lease(lease.lease);
  wire.set_run(lease.run);
  wire.set_seconds(WholeSeconds(lease.term));
  for (const Slot& slot : lease.slots) {
    v1::Slot* const added = wire.add_slots();
    added->set_slot(slot.slot);
    added->set_start(slot.start);
    added->set_line(EncodeMoves(slot.line));
    added->set_excluded(EncodeMoves(slot.excluded));
    added->set_seed(slot.seed);
    added->set_weights_version(slot.weights_version);
    if (slot.own) added->set_own_side(*slot.own == Color::kFirst ? v1::SIDE_BLACK : v1::SIDE_WHITE);
    added->set_kind(static_cast<v1::SlotKind>(slot.kind));
    added->set_nodes(slot.nodes);
    added->set_searched_from(slot.searched_from);
    added->set_plies(slot.plies);
  }
  return wire;
}

v1::MoveEvidence ToWire(const MoveEvidence& move, const Rules& rules) {
  v1::MoveEvidence wire;
  wire.set_move(rules.Text(move.move));
  wire.set_weight(move.weight);
  wire.set_wins(move.evidence.wins);
  wire.set_draws(move.evidence.draws);
  wire.set_losses(move.evidence.losses);
  wire.set_repeats(move.evidence.repeats);
  wire.set_score_low(move.score_low);
  wire.set_score_high(move.score_high);
  wire.set_prior(static_cast<double>(move.base_weight));
  wire.set_in_flight(move.in_flight);
  if (move.expected) wire.set_expected(*move.expected);
  wire.set_trials(move.trials);
  wire.set_answer(move.answer);
  wire.set_origin(move.origin);
  wire.set_decided_by(move.decided_by);
  return wire;
}

}  // namespace

v1::JoinResponse ToWire(const JoinOutput& output) {
  v1::JoinResponse wire;
  wire.set_session(output.session);
  wire.set_epoch(output.epoch);
  wire.set_beat_seconds(WholeSeconds(output.beat));
  wire.set_wait_seconds(WholeSeconds(output.wait));
  wire.set_spread_ms(WholeMilliseconds(output.spread));
  return wire;
}

v1::AcquireResponse ToWire(const AcquireOutput& output) {
  v1::AcquireResponse wire;
  for (const Lease& lease : output.leases) *wire.add_leases() = ToWire(lease);
  for (const auto& [run, play] : output.runs) {
    v1::RunPlay* const added = wire.add_runs();
    added->set_run(run);
    *added->mutable_play() = ToWire(play);
  }
  wire.set_retry_ms(WholeMilliseconds(output.retry));
  wire.set_drain(output.drain);
  wire.set_ahead(output.ahead);
  return wire;
}

v1::SubmitResponse ToWire(const SubmitOutput& output) {
  v1::SubmitResponse wire;
  if (output.work) *wire.mutable_work() = ToWire(*output.work);
  for (const GameVerdict& verdict : output.verdicts) {
    v1::GameVerdict* const added = wire.add_verdicts();
    added->set_lease(verdict.lease);
    added->set_slot(verdict.slot);
    added->set_verdict(static_cast<v1::Verdict>(verdict.verdict));
    added->set_reason(verdict.reason);
  }
  return wire;
}

v1::BeatResponse ToWire(const BeatOutput& output) {
  v1::BeatResponse wire;
  wire.mutable_cancelled()->Add(output.cancelled.begin(), output.cancelled.end());
  wire.set_drain(output.drain);
  wire.set_beat_seconds(WholeSeconds(output.beat));
  wire.set_spread_ms(WholeMilliseconds(output.spread));
  return wire;
}

v1::PlaySpec ToWire(const PlaySpec& play) {
  v1::PlaySpec wire;
  WireWriter writer(wire);
  VisitFields(play, writer);
  return wire;
}

v1::RunSpec ToWire(const RunSpec& spec) {
  v1::RunSpec wire;
  WireWriter writer(wire);
  VisitFields(spec, writer);
  return wire;
}

v1::Share ToWire(const Share& share) {
  v1::Share wire;
  wire.set_priority(share.priority);
  wire.set_weight(share.weight);
  return wire;
}

v1::Status ToWire(const ClusterStatus& status, const Rules& rules) {
  v1::Status wire;
  wire.set_game(status.game);
  for (const RunStatus& run : status.runs) *wire.add_runs() = ToWire(run, rules);
  for (const WorkerStatus& worker : status.workers) *wire.add_workers() = ToWire(worker);
  wire.set_epoch(status.epoch);
  wire.set_uptime_seconds(absl::ToDoubleSeconds(status.uptime));
  wire.set_commit_ms(status.commit_ms);
  wire.set_queued_games(status.queued_games);
  if (status.certificate_end)
    wire.set_certificate_end(absl::ToUnixSeconds(*status.certificate_end));
  return wire;
}

v1::PositionEvidence ToWire(const PositionEvidence& position, const Rules& rules) {
  v1::PositionEvidence wire;
  wire.set_position(position.position);
  wire.set_commit_seq(position.commit_seq);
  for (const MoveEvidence& move : position.moves) *wire.add_moves() = ToWire(move, rules);
  return wire;
}

v1::Spending ToWire(const SpendingReport& report, const Rules& rules) {
  v1::Spending wire;
  wire.set_run(report.run);
  wire.set_commit_seq(report.commit_seq);
  wire.set_games(report.games);
  wire.set_recent_games(report.recent_games);
  wire.set_positions(report.positions);
  wire.set_reached(report.reached);
  wire.set_settled(report.settled);
  wire.set_settle_error(report.rule.error);
  wire.set_settle_margin(report.rule.margin);
  wire.set_left(report.left);
  wire.set_gain(report.gain);
  for (const SpendingReport::Position& from : report.top) {
    v1::PositionSpending& to = *wire.add_top();
    to.set_position(from.position);
    to.set_games(from.games);
    to.set_repeats(from.repeats);
    to.set_recent(from.recent);
    to.set_standing(from.standing);
    if (from.answer) to.set_answer(rules.Text(*from.answer));
    to.set_gain(from.gain);
    if (from.line) to.set_line(LineText(*from.line, rules));
  }
  return wire;
}

}  // namespace joseki::coordinator
