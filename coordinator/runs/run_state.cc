#include "coordinator/runs/run_state.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/runs/ended_there.h"
#include "coordinator/runs/run_extension.h"

namespace joseki::coordinator {
namespace {

// Whether the line may be to blame for a lease's end: it may stop or crash workers.
bool IsFailure(LeaseState state) {
  return state == LeaseState::kExpired || state == LeaseState::kAbandoned;
}

std::optional<LineFailure> FailureOf(const LineFailure& lease, LeaseState state) {
  return IsFailure(state) ? std::optional(lease) : std::nullopt;
}

std::string ReasonOf(LeaseState state) {
  return state == LeaseState::kAbandoned ? "worker started again" : "lease expired";
}

bool IsFailure(Termination fault) { return fault != Termination::kInterrupted; }

}  // namespace

RunState::RunState(LoadedRun loaded, book::NodeId start, Options options,
                   const std::optional<UnfinishedWork>& unfinished)
    : book_{std::move(loaded.graph), std::move(loaded.policy), std::move(loaded.opponent),
            std::move(loaded.imported), start},
      row_(std::move(loaded.row)),
      evidence_(std::make_unique<RunEvidence>(std::move(loaded.tuner), std::move(loaded.counters),
                                              std::move(loaded.trust), row_,
                                              std::move(loaded.calibration))),
      searches_(loaded.evaluations, std::move(loaded.line_searches)),
      priors_(row_.run, loaded.evaluations, loaded.priors,
              /*at_once=*/book_.graph->edge_count() <= options.small_book),
      lines_({.attempts = static_cast<uint32_t>(options.attempts_per_line)},
             options.draws_to_rest) {
  evidence_->unwritten().Begin(loaded.commit_seq, row_.evidence_seq, loaded.changed, loaded.seen);
  lines_.lost().SetTrust(evidence_->trust());
  if (row_.running()) row_.reason.clear();  // the reason why it waited before the restart
  if (row_.spec.match) match_.emplace(row_.spec, options.attempts_per_line, loaded.match);
  if (match_ && row_.over() && row_.reason == MatchEnd(book::Series::State::kVoid)) {
    match_->EndAsVoid();
  }
  if (unfinished) {
    Restore(*unfinished);
    return;
  }
  if (searches_.evaluations() != nullptr) priors_.Refresh(book_, *evidence_);
  if (row_.spec.play.re_entry) weights_.Refresh(row_.run, *evidence_, priors_.newest().version);
}

void RunState::Restore(const UnfinishedWork& unfinished) {
  if (const std::optional<UnfinishedWork::Weights>& weights = unfinished.weights) {
    weights_.Restore(weights->version, weights->games, weights->weights);
    evidence_->weights().Weigh();
  }
  lines_.lost().Restore(unfinished.poisoned);
  for (const PoisonedLine& line : unfinished.poisoned) {
    if (line.line.empty()) searches_.Free(line.freed);
  }
  for (const auto& [grant, state, filled] : unfinished.leases) {
    const LineFailure lease{grant.lease, grant.worker};
    for (const PlannedSlot& plan : grant.slots) {
      if (plan.IsCopy() || filled.count(plan.slot.slot) != 0) continue;
      const bool live = state == LeaseState::kLive;
      if (IsSearch(plan.slot.kind)) {
        live ? searches_.Reopen(plan)
             : searches_.Lose(plan, /*open=*/false, FailureOf(lease, state));
      } else if (live) {
        if (match_) match_->Take(plan.slot);
        SetOpen(plan, true);
      } else if (grant.stage == row_.stage) {
        PutBack(lease, plan, IsFailure(state), ReasonOf(state));
      }
    }
  }
  for (const auto& [game, plan] : unfinished.faults) {
    const Termination fault = game.ending.termination;
    PutBack({game.lease, game.worker}, plan, IsFailure(fault), std::string(Name(fault)));
  }
  for (const SlotRef& slot : unfinished.replaced) lines_.lost().Forget(slot);
  lines_.lost().PoisonBad(EndedThereBy(book_, *evidence_, row_.spec));
}

std::optional<Expectation> RunState::Credit(const GameRow& game, const PlannedSlot& plan,
                                            bool open) {
  if (open) SetOpen(plan, false);
  const bool excluded = evidence_->trust().Excludes(game.worker, game.lease);
  if (match_) {
    if (!excluded) {
      match_->Done(plan.slot, game);
    } else if (open) {
      match_->GiveBack(plan.slot, std::nullopt);
    }
  }
  const SlotRef slot{game.lease, game.slot};
  const Termination termination = game.ending.termination;
  const bool fault = IsFault(termination);
  if (fault && open) {
    PutBack({game.lease, game.worker}, plan, IsFailure(termination),
            std::string(Name(termination)));
    lines_.lost().PoisonIfBad(slot, EndedThereBy(book_, *evidence_, row_.spec));
  } else if (!fault) {
    if (!open) lines_.lost().Forget(slot);
    lines_.Played(plan.slot.line);
  }
  if (rebuilding_.Has(game)) return std::nullopt;
  assert(game.own == plan.slot.own);
  rebuilding_.Note(game);
  if (!excluded && !fault && !book_.policy->LearnsFromDraws() && game.stage == row_.stage) {
    lines_.resting().Count({game.moves.begin(), game.moves.begin() + game.book_plies},
                           game.ending.result);
  }
  // The game follows its slot's line, whose edges the choice of the line has kept. Walking the
  // graph again would wait for memory at every move.
  const std::span<const book::EdgeId> planned(plan.edges);
  if (planned.size() >= game.book_plies) {
    return evidence_->Add(game, planned.first(game.book_plies));
  }
  return evidence_->Add(game, book_.EdgesOf(std::span(game.moves).first(game.book_plies)));
}

void RunState::Lose(const LineFailure& lease, std::span<const PlannedSlot> slots,
                    LeaseState state) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCopy()) continue;
    if (IsSearch(plan.slot.kind)) {
      searches_.Lose(plan, /*open=*/true, FailureOf(lease, state));
      continue;
    }
    SetOpen(plan, false);
    PutBack(lease, plan, IsFailure(state), ReasonOf(state));
    lines_.lost().PoisonIfBad({lease.lease, plan.slot.slot},
                              EndedThereBy(book_, *evidence_, row_.spec));
  }
}

bool RunState::PriorsAreDue() const {
  return !rebuilding_.under_way() && priors_.AreDue(*evidence_, row_.running());
}

bool RunState::Advance(bool may_end, bool alone) {
  bool changed = false;
  const int stages = book_.stages();
  const bool re_entry = row_.spec.play.re_entry;
  if (match_ && row_.running() && alone) match_->GiveUp();
  if (priors_.at_once() && PriorsAreDue()) priors_.Refresh(book_, *evidence_);
  if (re_entry && stages == 0 && row_.running() &&
      evidence_->counters().games >= weights_.games() + row_.spec.play.re_entry_games) {
    weights_.Refresh(row_.run, *evidence_, priors_.newest().version);
  }
  const RunLimits limits{row_, book_, *evidence_, searches_, match_};
  while (row_.running() && open_ == 0) {
    // Without stages the budget is the only stage; the end of the last stage ends the run.
    const bool last = stages == 0 || row_.stage + 1 >= stages;
    if (!may_end && (last || limits.used_up())) return changed;
    const bool stage_over = stages > 0 && limits.StageLeft() == 0;
    const bool match_over = match_ && match_->over();
    if (row_.time_over() || limits.nothing_left() || match_over ||
        (limits.budget_used() && !stage_over)) {
      row_.state = "done";
      row_.reason = limits.EndReason();
    } else if (stage_over) {
      if (!may_end && evidence_->answers_changed()) return changed;
      const std::optional<std::string> stable = last ? std::nullopt : limits.StableAnswers();
      ++row_.stage;
      row_.stage_seq = evidence_->seq();
      lines_.BeginStage();
      rebuilding_.BeginStage();
      evidence_->BeginStage(row_.stage);
      if (stable || row_.stage == stages) {
        row_.state = "done";
        row_.reason = stable ? *stable : limits.EndReason();
      } else if (re_entry) {
        weights_.Refresh(row_.run, *evidence_, priors_.newest().version);
      }
    } else {
      return changed;
    }
    changed = true;
  }
  return changed;
}

RebuildPoint RunState::BeginRebuild(Trust trust) {
  rebuilding_.Begin();
  evidence_->Unwatch();
  if (match_) match_->BeginRebuild();
  const book::Tuner& tuner = evidence_->tuner();
  return {row_, book_.graph, book_.policy, std::move(trust), tuner.priors(), tuner.orbits()};
}

Progress RunState::Adopt(RebuiltRun& rebuilt, const PieceSize& piece) {
  const RunRow& begun = rebuilt.point.row;
  if (!rebuilding_.under_way() || begun.stage != row_.stage || begun.stage_seq != row_.stage_seq) {
    rebuilding_.End();
    return Progress::kVoid;
  }
  // 1. Open slots, and games that came meanwhile.
  const std::span<const book::Arm> arms = evidence_->tuner().arms();
  if (rebuilding_.CatchUp(rebuilt, arms, book_, piece) == Progress::kMore) return Progress::kMore;
  // 2. Results of searches by workers that are trusted now.
  const Trust& trust = rebuilt.evidence->trust();
  if (!searches_.SetTrust(trust, piece.positions)) return Progress::kMore;
  // 3. Adoption.
  lines_.lost().SetTrust(trust);
  if (lines_.Reconsider()) row_.reason.clear();
  rebuilding_.End(rebuilt.commit_seq);
  if (match_) {
    const bool was_void = match_->series().state() == book::Series::State::kVoid;
    match_->Adopt(std::move(rebuilt.match), trust);
    if (was_void && !match_->over() && row_.state == "done") {
      row_.state = "running";
      row_.reason.clear();
    }
  }
  rebuilt.evidence->unwritten().Reach(std::max(evidence_->seq(), rebuilt.commit_seq));
  std::swap(evidence_, rebuilt.evidence);
  if (priors_.at_once() && PriorsAreDue()) priors_.Refresh(book_, *evidence_);
  // A stage keeps its first weights.
  if (row_.spec.play.re_entry && book_.stages() == 0) {
    weights_.Refresh(row_.run, *evidence_, priors_.newest().version);
  }
  return Progress::kDone;
}

bool RunState::SetState(const std::string& state, std::string reason) {
  if (row_.over() || (state != "running" && state != "paused" && state != "stopped")) return false;
  row_.state = state;
  row_.reason = std::move(reason);
  if (state == "stopped") lines_.lost().ForgetAll();
  return true;
}

absl::Status RunState::Extend(const MoreToPlay& more) {
  const RunLimits limits{row_, book_, *evidence_, searches_, match_};
  ASSIGN_OR_RETURN(
      row_,
      Extended(row_, more, {limits.games_spent(), book_.stages() > 0, limits.no_gain_left()}));
  if (lines_.Reconsider()) row_.reason.clear();
  return absl::OkStatus();
}

size_t RunState::FreeLines(const std::optional<std::vector<Move>>& line, LeaseId next) {
  if (lines_.Reconsider()) row_.reason.clear();
  size_t freed = lines_.lost().Free(line, next);
  if (!line) freed += searches_.Free(next);
  return freed;
}

RunState::NewRows RunState::TakeNewRows() {
  return {lines_.lost().TakePoisoned(), priors_.TakeNew(), weights_.TakeNew()};
}

void RunState::SetOpen(const PlannedSlot& plan, bool open) {
  assert(open || open_ > 0);
  std::vector<book::EdgeId> walked;
  if (plan.edges.empty()) walked = book_.EdgesOf(plan.slot.line);
  const std::span<const book::EdgeId> edges(plan.edges.empty() ? walked : plan.edges);
  book::Tuner& tuner = evidence_->tuner();
  open ? tuner.AddInFlight(edges) : tuner.RemoveInFlight(edges);
  rebuilding_.ChangeInFlight(edges, open);
  open ? ++open_ : --open_;
}

void RunState::PutBack(const LineFailure& lease, const PlannedSlot& plan, bool failed,
                       std::string reason) {
  if (match_) return match_->GiveBack(plan.slot, failed ? std::optional(lease) : std::nullopt);
  // A finished run may be extended, as if it had gone on: it keeps its lost lines.
  if (row_.state == "stopped" || row_.state == "failed") return;
  std::vector<LineFailure> who = plan.failed;
  if (failed) who.push_back(lease);
  if (who.size() > kMaxFailed) who.erase(who.begin());
  lines_.lost().Add({{lease.lease, plan.slot.slot},
                     plan.slot.line,
                     plan.slot.excluded,
                     plan.failures + (failed ? 1 : 0),
                     plan.slot.own,
                     std::move(reason),
                     std::move(who)});
}

}  // namespace joseki::coordinator
