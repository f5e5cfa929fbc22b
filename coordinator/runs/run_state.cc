#include "coordinator/runs/run_state.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string_view>
#include <utility>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/line.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/run_extension.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {
namespace {

// Priors are made anew when there are this many new evaluations, or twice as many as before, or no
// more to come; and when there are so many games, or twice as many.
constexpr uint64_t kFirstResults = 16;

// Whether the line may be to blame for the end of a lease: it may stop or crash its worker.
bool IsFailure(LeaseState state) {
  return state == LeaseState::kExpired || state == LeaseState::kAbandoned;
}

std::optional<LineFailure> FailureOf(const LineFailure& lease, LeaseState state) {
  return IsFailure(state) ? std::optional(lease) : std::nullopt;
}

std::string_view ReasonOf(LeaseState state) {
  return state == LeaseState::kAbandoned ? "worker started again" : "lease expired";
}

}  // namespace

RunState::RunState(LoadedRun loaded, book::NodeId start, Options options)
    : options_(options),
      start_(start),
      graph_(std::move(loaded.graph)),
      policy_(std::move(loaded.policy)),
      opponent_(std::move(loaded.opponent)),
      row_(std::move(loaded.row)),
      lost_({.attempts = static_cast<uint32_t>(options.attempts_per_line)}),
      resting_(options.draws_to_rest),
      imported_(std::move(loaded.imported)),
      evaluations_(std::move(loaded.evaluations)),
      priors_(loaded.priors, evaluations_ == nullptr ? 0 : evaluations_->ResultsIn(loaded.priors)),
      line_searches_(std::move(loaded.line_searches)) {
  evidence_ = std::make_unique<RunEvidence>(std::move(loaded.tuner), std::move(loaded.counters),
                                            std::move(loaded.trust), row_);
  evidence_->unwritten().Begin(loaded.commit_seq, row_.evidence_seq, loaded.changed,
                               std::move(loaded.seen));
  lost_.SetTrust(evidence_->trust());
  if (running()) row_.reason.clear();  // why it waited when it was written
  if (row_.spec.match) match_.emplace(row_.spec, options_.attempts_per_line, loaded.match);
  if (match_ && row_.over() && row_.reason == MatchEnd(book::Series::State::kVoid)) {
    match_->EndAsVoid();
  }
}

SearchSlots* RunState::searches() const {
  if (line_searches_ != nullptr) return line_searches_.get();
  return evaluations_.get();
}

void RunState::RestorePoisoned(const std::vector<PoisonedLine>& lines) { lost_.Restore(lines); }

void RunState::RestoreLease(const LeaseGrant& grant, LeaseState state,
                            const std::set<uint32_t>& filled) {
  for (const PlannedSlot& plan : grant.slots) {
    if (plan.IsCopy() || filled.count(plan.slot.slot) != 0) continue;
    if (IsSearch(plan.slot.kind)) {
      if (searches() == nullptr) continue;
      if (state == LeaseState::kLive) {
        searches()->Reopen(plan);
      } else {
        searches()->Lose(plan, /*open=*/false, FailureOf({grant.lease, grant.worker}, state));
      }
      continue;
    }
    if (state == LeaseState::kLive) {
      if (match_) match_->Take(plan.slot);
      Open(plan);
    } else if (grant.stage == row_.stage) {
      PutBack({grant.lease, grant.worker}, plan, IsFailure(state), std::string(ReasonOf(state)));
    }
  }
}

void RunState::RestoreFault(const GameRow& game, const PlannedSlot& plan) {
  PutBack({game.lease, game.worker}, plan, game.ending.termination != Termination::kInterrupted,
          std::string(Name(game.ending.termination)));
}

void RunState::RestoreReplaced(std::span<const SlotRef> replaced) {
  for (const SlotRef& slot : replaced) lost_.Forget(slot);
  lost_.PoisonBad([this](const LostLines::Lost& lost) { return EndedThere(lost); });
}

void RunState::BeginWeights() { RefreshWeights(); }

void RunState::RestoreWeights(uint32_t version, uint64_t games,
                              std::shared_ptr<const book::Weights> weights) {
  weights_.Restore(version, games, std::move(weights));
  evidence_->weights().Weigh();
}

void RunState::RefreshWeights() {
  // What is frozen for a stage is what is known now: this is called when it has just been frozen.
  weights_.Add({.run = row_.run,
                .seq = evidence_->seq(),
                .games = evidence_->counters().games,
                .trust_change = evidence_->trust().change(),
                .before = nullptr,
                .after = evidence_->weights().Take(),
                .priors = priors().version});
}

std::optional<Expectation> RunState::Credit(const GameRow& game, const PlannedSlot& plan,
                                            bool open) {
  if (open) Close(plan);
  if (match_) {
    if (evidence_->trust().Excludes(game.worker, game.lease)) {
      if (open) match_->GiveBack(plan.slot, std::nullopt);
    } else {
      match_->Done(plan.slot, game);
    }
  }
  if (IsFault(game.ending.termination)) {
    if (open) {
      RestoreFault(game, plan);
      PoisonIfBad({game.lease, game.slot});
    }
  } else if (!open) {
    lost_.Forget({game.lease, game.slot});
  }
  if (!IsFault(game.ending.termination)) {
    if (lost_.Played(plan.slot.line)) idle_.clear();
  }
  if (game.commit_seq <= rebuilt_seq_) return std::nullopt;
  assert(game.own == plan.slot.own);
  if (tail_) tail_->push_back(game);
  // The game goes through its slot's line; who chose that has left its edges there, and walking the
  // graph once more would wait for memory at every move.
  const std::span<const book::EdgeId> planned(plan.edges);
  const bool excluded = evidence_->trust().Excludes(game.worker, game.lease);
  if (!excluded && !IsFault(game.ending.termination) && !policy_->LearnsFromDraws() &&
      game.stage == row_.stage) {
    resting_.Count({game.moves.begin(), game.moves.begin() + game.book_plies}, game.ending.result);
  }
  if (planned.size() >= game.book_plies) {
    return evidence_->Add(game, planned.first(game.book_plies));
  }
  return evidence_->Add(game, EdgesOf(std::span(game.moves).first(game.book_plies)));
}

void RunState::AddEvaluation(const PlannedSlot& plan, bool open, Evaluation evaluation) {
  evaluations_->Add(plan, open, std::move(evaluation));
}

void RunState::AddLineSearch(const PlannedSlot& plan, bool open, const LineSearch& found) {
  line_searches_->Add(plan, open, found);
}

void RunState::AddEvaluationFault(const PlannedSlot& plan, bool open,
                                  const std::optional<LineFailure>& failed) {
  searches()->Lose(plan, open, failed);
}

void RunState::BeginPriors() {
  if (evaluations_ != nullptr) RefreshPriors();
}

bool RunState::PriorsAreDue() const {
  if (evaluations_ == nullptr || tail_ || !evaluations_->IsJudgedBy(evidence_->trust().change()))
    return false;
  if (priors().trust_change != evidence_->trust().change()) return true;
  if (!running()) return false;
  const uint64_t results = evaluations_->results();
  if (results > priors_.results()) {
    const bool all = evaluations_->Available() == 0 && evaluations_->open() == 0;
    if (all || results >= 2 * priors_.results() + kFirstResults) return true;
  }
  return priors().positions > 0 &&
         evidence_->counters().games >= std::max(kFirstGames, 2 * priors().games);
}

void RunState::RefreshPriors() {
  PriorMaking making = MakePriors();
  making.Reserve();
  while (CopyForPriors(making) == Adoption::kMore) {
  }
  making.Work();
  while (AdoptPriors(making) == Adoption::kMore) {
  }
}

PriorMaking RunState::MakePriors() const {
  PriorMaking making;
  making.graph = graph_;
  making.policy = policy_;
  making.targets = evaluations_->count().positions;
  return making;
}

RunState::Adoption RunState::CopyForPriors(PriorMaking& making) {
  if (making.copied == 0) evidence_->Watch();
  if (!evidence_->watching()) return Adoption::kVoid;
  const std::span<const book::Arm> arms = evidence_->tuner().pooled();
  const auto edges = static_cast<book::EdgeId>(arms.size());
  const book::EdgeId begin = making.copied;
  making.copied = begin + std::min(edges - begin, options_.edges_at_once);
  std::copy(arms.begin() + begin, arms.begin() + making.copied, making.arms.begin() + begin);
  if (making.copied < edges) return Adoption::kMore;
  for (const book::EdgeId edge : evidence_->TakeWatched()) making.arms[edge] = arms[edge];
  making.assessments = evaluations_->assessments();
  making.results = evaluations_->results();
  making.set = priors();
  making.set.run = row_.run;
  making.set.evaluations = evaluations_->last_seq();
  making.set.trust_change = evidence_->trust().change();
  making.set.games_seq = evidence_->seq();
  making.set.games = evidence_->counters().games;
  making.set.positions = evaluations_->count().scored + evaluations_->count().imported;
  ++making.set.version;
  return Adoption::kDone;
}

RunState::Adoption RunState::AdoptPriors(PriorMaking& making) {
  if (!evidence_->watching()) return Adoption::kVoid;
  // The games that came meanwhile. They come slower than they are added here.
  for (const book::EdgeId edge : evidence_->TakeWatched()) making.late.push_back(edge);
  const size_t some = std::min<size_t>(making.late.size(), options_.late_at_once);
  if (making.values)
    making.values->Update(evidence_->tuner().pooled(), std::span(making.late).last(some));
  making.late.resize(making.late.size() - some);
  if (!making.late.empty()) return Adoption::kMore;
  evidence_->Unwatch();
  evidence_->SwapPriors(std::move(making.priors), making.values);
  priors_.Add(making.set, making.results);
  return Adoption::kDone;
}

RebuildPoint RunState::BeginRebuild(Trust trust) {
  tail_.emplace();
  incoming_ = nullptr;
  evidence_->Unwatch();
  if (match_) match_->BeginRebuild();
  return {row_,
          graph_,
          policy_,
          std::move(trust),
          evidence_->tuner().priors(),
          evidence_->tuner().orbits()};
}

RunState::Adoption RunState::Adopt(RebuiltRun& rebuilt) {
  const RunRow& begun = rebuilt.point.row;
  if (!tail_ || begun.stage != row_.stage || begun.stage_seq != row_.stage_seq) {
    tail_.reset();
    incoming_ = nullptr;
    return Adoption::kVoid;
  }
  incoming_ = &rebuilt;
  // 1. What is in flight; what opens and closes from now on goes into both.
  const std::span<const book::Arm> arms = evidence_->tuner().arms();
  const auto edges = static_cast<book::EdgeId>(arms.size());
  const book::EdgeId end =
      std::min(edges - rebuilt.adopted, options_.edges_at_once) + rebuilt.adopted;
  for (book::EdgeId& edge = rebuilt.adopted; edge < end; ++edge) {
    const uint32_t in_flight = arms[edge].in_flight;
    for (uint32_t i = 0; i < in_flight; ++i) {
      rebuilt.evidence->tuner().AddInFlight(std::span(&edge, 1));
    }
  }
  if (end < edges) return Adoption::kMore;
  // 2. The games that came meanwhile. They come slower than they are added here.
  for (size_t games = 0; !tail_->empty(); ++games) {
    if (games == options_.games_at_once) return Adoption::kMore;
    const GameRow game = std::move(tail_->front());
    tail_->pop_front();
    if (game.commit_seq <= rebuilt.commit_seq) continue;
    rebuilt.evidence->Add(game, EdgesOf(std::span(game.moves).first(game.book_plies)));
  }
  // 3. What evaluations say to those who are trusted now.
  if (evaluations_ != nullptr &&
      !evaluations_->SetTrust(rebuilt.evidence->trust(), options_.positions_at_once)) {
    return Adoption::kMore;
  }
  if (line_searches_ != nullptr) line_searches_->SetTrust(rebuilt.evidence->trust());
  // 4. It is the run's.
  lost_.SetTrust(rebuilt.evidence->trust());
  ForgetExhausted();
  tail_.reset();
  incoming_ = nullptr;
  if (match_) {
    const bool was_void = match_->series().state() == book::Series::State::kVoid;
    match_->Adopt(std::move(rebuilt.match), rebuilt.evidence->trust());
    if (was_void && !match_->over() && row_.state == "done") {
      row_.state = "running";
      row_.reason.clear();
    }
  }
  rebuilt.evidence->unwritten().Reach(std::max(evidence_->seq(), rebuilt.commit_seq));
  std::swap(evidence_, rebuilt.evidence);
  rebuilt_seq_ = rebuilt.commit_seq;
  if (PriorsAreDue() && AtOnce()) RefreshPriors();
  // A stage keeps the weights that it began with.
  if (row_.spec.play.re_entry && stages() == 0) RefreshWeights();
  return Adoption::kDone;
}

void RunState::Lose(const LineFailure& lease, std::span<const PlannedSlot> slots,
                    LeaseState state) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCopy()) continue;
    if (IsSearch(plan.slot.kind)) {
      searches()->Lose(plan, /*open=*/true, FailureOf(lease, state));
      continue;
    }
    Close(plan);
    PutBack(lease, plan, IsFailure(state), std::string(ReasonOf(state)));
    PoisonIfBad({lease.lease, plan.slot.slot});
  }
}

bool RunState::Advance(bool may_end, bool alone) {
  bool changed = false;
  if (match_ && running() && alone) match_->GiveUp();
  if (AtOnce() && PriorsAreDue()) RefreshPriors();
  if (row_.spec.play.re_entry && stages() == 0 && running() &&
      evidence_->counters().games >= weights_.games() + row_.spec.play.re_entry_games) {
    RefreshWeights();
  }
  while (running() && open_ == 0) {
    // Without stages the budget is the whole of it; the last stage's end is the run's.
    const bool last = stages() == 0 || row_.stage + 1 >= stages();
    if (!may_end && (last || used_up())) return changed;
    const bool stage_over = stages() > 0 && StageLeft() == 0;
    const bool match_over = match_ && match_->over();
    if (row_.time_over() || nothing_left() || match_over || (budget_used() && !stage_over)) {
      row_.state = "done";
      row_.reason = EndReason();
    } else if (stage_over) {
      if (!may_end && evidence_->answers_changed()) return changed;
      const bool stable = row_.stage + 1 < stages() && AnswersAreStable();
      ++row_.stage;
      row_.stage_seq = evidence_->seq();
      lost_.ForgetAll();
      idle_.clear();
      resting_.Clear();
      incoming_ = nullptr;  // of the stage before
      evidence_->BeginStage(row_.stage);
      if (stable || row_.stage == stages()) {
        row_.state = "done";
        if (!stable) row_.reason = EndReason();
      } else if (row_.spec.play.re_entry) {
        RefreshWeights();
      }
    } else {
      return changed;
    }
    changed = true;
  }
  return changed;
}

bool RunState::SetState(const std::string& state, std::string reason) {
  if (row_.over() || (state != "running" && state != "paused" && state != "stopped")) return false;
  row_.state = state;
  row_.reason = std::move(reason);
  if (state == "stopped") lost_.ForgetAll();
  return true;
}

absl::Status RunState::Extend(const MoreToPlay& more) {
  ASSIGN_OR_RETURN(row_, Extended(row_, more, {games_spent(), staged(), NoGainLeft()}));
  ForgetExhausted();
  return absl::OkStatus();
}

std::vector<book::EdgeId> RunState::EdgesOf(std::span<const Move> line) const {
  return book::EdgesOf(*graph_, start_, line);
}

void RunState::Open(const PlannedSlot& plan) {
  ChangeInFlight(plan, true);
  ++open_;
}

void RunState::Close(const PlannedSlot& plan) {
  assert(open_ > 0);
  ChangeInFlight(plan, false);
  --open_;
}

void RunState::ChangeInFlight(const PlannedSlot& plan, bool open) {
  std::vector<book::EdgeId> walked;
  if (plan.edges.empty()) walked = EdgesOf(plan.slot.line);
  const std::span<const book::EdgeId> edges(plan.edges.empty() ? walked : plan.edges);
  const auto change = [open](book::Tuner& tuner, std::span<const book::EdgeId> some) {
    open ? tuner.AddInFlight(some) : tuner.RemoveInFlight(some);
  };
  change(evidence_->tuner(), edges);
  if (incoming_ == nullptr) return;
  for (const book::EdgeId edge : edges) {
    if (edge < incoming_->adopted) change(incoming_->evidence->tuner(), std::span(&edge, 1));
  }
}

void RunState::PutBack(const LineFailure& lease, const PlannedSlot& plan, bool failed,
                       const std::string& reason) {
  if (match_) return match_->GiveBack(plan.slot, failed ? std::optional(lease) : std::nullopt);
  // One that is done may be extended, and has then what it would have had by going on.
  if (row_.state == "stopped" || row_.state == "failed") return;
  std::vector<LineFailure> who = plan.failed;
  if (failed) who.push_back(lease);
  if (who.size() > kMaxFailed) who.erase(who.begin());
  lost_.Add({{lease.lease, plan.slot.slot},
             plan.slot.line,
             plan.slot.excluded,
             plan.failures + (failed ? 1 : 0),
             plan.slot.own,
             reason,
             std::move(who)});
}

void RunState::PoisonIfBad(SlotRef slot) {
  lost_.PoisonIfBad(slot, [this](const LostLines::Lost& lost) { return EndedThere(lost); });
}

bool RunState::EndedThere(const LostLines::Lost& lost) const {
  std::vector<book::EdgeId> edges = EdgesOf(lost.line);
  book::KeepOwn(*graph_, lost.own, edges);
  book::NodeId end = start_;
  uint64_t came = evidence_->counters().games;
  if (row_.spec.taken_over) came += row_.spec.taken_over->games;
  if (!edges.empty()) {
    end = graph_->target(edges.back());
    came = evidence_->tuner().arms()[edges.back()].evidence.played();
  }
  // Of the opponent's moves there is no evidence: who went on after them is not known.
  if (end == book::kNoNode || lost.own) return came > 0;
  uint64_t went_on = 0;
  for (const book::Arm& arm : evidence_->tuner().arms(end)) went_on += arm.evidence.played();
  return came > went_on;
}

}  // namespace joseki::coordinator
