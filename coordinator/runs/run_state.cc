#include "coordinator/runs/run_state.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/rng.h"
#include "book/reentry.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/runs/evaluation_load.h"

namespace joseki::coordinator {
namespace {

// Priors are made anew when there are this many new evaluations, or twice as many as before, or no
// more to come; and when there are so many games, or twice as many.
constexpr uint64_t kFirstAnswers = 16;
constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

uint64_t Less(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }

// Whether the line may be to blame for the end of a lease: it may stop or crash its worker.
bool IsFailure(LeaseState state) {
  return state == LeaseState::kExpired || state == LeaseState::kAbandoned;
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
      tuner_(std::move(loaded.tuner)),
      counters_(std::move(loaded.counters)),
      commit_seq_(loaded.commit_seq),
      trust_(std::move(loaded.trust)),
      taken_seq_(loaded.row.evidence_seq),
      seen_(std::move(loaded.seen)),
      marks_(graph_->edge_count()),
      evaluations_(std::move(loaded.evaluations)),
      priors_(loaded.priors) {
  if (evaluations_ != nullptr) published_ = evaluations_->AnswersIn(priors_);
  tuner_->Settle();
  for (const book::EdgeId edge : loaded.changed) MarkChanged(edge);
  const StopRules& stop = row_.spec.stop;
  if (stop.least_gain > 0) prospects_.emplace(*graph_, policy_->draw_value(), stop.settling);
  if (stop.least_change > 0 && stages() > 0) changes_.emplace(*graph_);
  RebuildJudges();
}

void RunState::RebuildJudges() {
  if (prospects_) prospects_->Rebuild(tuner_->arms());
  if (changes_) changes_->Rebuild(*tuner_);
}

void RunState::EvidenceChanged(std::span<const book::EdgeId> edges) {
  if (prospects_) prospects_->Update(tuner_->arms(), edges);
  if (changes_) changes_->Update(*tuner_, edges);
}

void RunState::RestorePoisoned(const std::vector<PoisonedLine>& lines) {
  for (const PoisonedLine& line : lines) poisoned_.emplace(line.line, line);
}

void RunState::RestoreLease(const LeaseGrant& grant, LeaseState state,
                            const std::set<uint32_t>& filled) {
  for (const PlannedSlot& plan : grant.slots) {
    if (plan.IsCheck() || filled.count(plan.slot.slot) != 0) continue;
    if (plan.slot.kind == SlotKind::kEvaluation) {
      if (evaluations_ == nullptr) continue;
      if (state == LeaseState::kLive) {
        evaluations_->Reopen(plan);
      } else {
        evaluations_->NoteFailures(plan, IsFailure(state));
      }
      continue;
    }
    if (state == LeaseState::kLive) {
      Open(plan);
    } else if (grant.stage == row_.stage) {
      PutBack(grant.lease, plan, IsFailure(state), std::string(ReasonOf(state)));
    }
  }
}

void RunState::RestoreFault(const GameRow& game, const PlannedSlot& plan) {
  PutBack(game.lease, plan, game.ending.termination != Termination::kInterrupted,
          std::string(Name(game.ending.termination)));
}

void RunState::RestoreReplaced(std::span<const SlotRef> replaced) {
  for (const SlotRef& slot : replaced) retries_.erase(slot);
  std::vector<SlotRef> waiting;
  for (const auto& entry : retries_) waiting.push_back(entry.first);
  for (const SlotRef& slot : waiting) PoisonIfBad(slot);
}

void RunState::BeginWeights() { RefreshWeights(); }

void RunState::RestoreWeights(uint32_t version, uint64_t games,
                              std::shared_ptr<const book::Weights> weights) {
  weights_version_ = version;
  weights_games_ = games;
  weights_ = std::move(weights);
  reweigh_.reset();
}

std::vector<NewWeights> RunState::TakeNewWeights() { return std::exchange(new_weights_, {}); }

void RunState::RefreshWeights() {
  // What is frozen for a stage is what is known now: this is called when it has just been frozen.
  auto weights = std::make_shared<book::Weights>();
  // Shares of a staged rule are drawn with its stage's noise: all of them are new.
  const bool anew = row_.spec.play.opponent && stages() > 0;
  if (weights_ != nullptr && reweigh_ && !anew) {
    *weights = *weights_;
    const std::vector<book::NodeId> nodes(reweigh_->begin(), reweigh_->end());
    if (row_.spec.play.opponent) {
      book::SetShares(*tuner_, row_.stage, nodes, *weights);
    } else {
      book::SetWeights(*tuner_, nodes, *weights);
    }
  } else {
    *weights =
        row_.spec.play.opponent ? book::SharesOf(*tuner_, row_.stage) : book::WeightsOf(*tuner_);
  }
  reweigh_.emplace();
  new_weights_.push_back({row_.run, ++weights_version_, commit_seq_, counters_.games,
                          trust_.change(), weights_, weights, priors_.version});
  weights_ = std::move(weights);
  weights_games_ = counters_.games;
}

bool RunState::time_over() const {
  return row_.spec.seconds > 0 && row_.played_ms / 1000 >= static_cast<int64_t>(row_.spec.seconds);
}

bool RunState::budget_used() const {
  return row_.spec.games > 0 && counters_.games >= row_.spec.games;
}

uint64_t RunState::Available(SlotKinds kinds) const {
  const uint64_t games = AvailableGames();
  // When no game is left to be given out an evaluation comes too late.
  if (games == 0 || evaluations_ == nullptr || !kinds.Has(SlotKind::kEvaluation)) return games;
  const uint64_t searches = evaluations_->Available();
  return games > kNoLimit - searches ? kNoLimit : games + searches;
}

std::optional<double> RunState::gain_left() const {
  if (!prospects_) return std::nullopt;
  return prospects_->Left(tuner_->distinct_games());
}

std::optional<double> RunState::answers_changed() const {
  if (!changes_) return std::nullopt;
  return changes_->Share();
}

bool RunState::nothing_left() const {
  return prospects_ && prospects_->Left(tuner_->distinct_games()) <= row_.spec.stop.least_gain;
}

std::string RunState::EndReason() const {
  if (time_over()) return "the time is used up";
  if (budget_used()) return "the games are played";
  if (nothing_left()) {
    return absl::StrFormat(
        "no position is left worth a game: what could still be found is worth %.2g of the score, "
        "not more than %.2g",
        *gain_left(), row_.spec.stop.least_gain);
  }
  return "the last stage is over";
}

bool RunState::AnswersAreStable() {
  if (!changes_ || changes_->Share() > row_.spec.stop.least_change) return false;
  row_.reason = absl::StrFormat(
      "the answers are stable: stage %d changed them for %.2g of its moves, not more than %.2g",
      row_.stage + 1, changes_->Share(), row_.spec.stop.least_change);
  return true;
}

uint64_t RunState::AvailableGames() const {
  if (!running() || time_over() || nothing_left() || exhausted_) return 0;
  uint64_t available = kNoLimit;
  if (row_.spec.games > 0) available = Less(row_.spec.games, counters_.games + open_);
  if (stages() > 0) {
    if (row_.stage >= stages()) return 0;
    available = std::min(available, Less(StageLeft(), open_));
  }
  return available;
}

uint64_t RunState::StageLeft() const {
  const auto missing = [this](int stage) {
    const auto counted = counters_.counted.find(stage);
    const uint64_t quota = policy_->stages()[static_cast<size_t>(stage)].games;
    return Less(quota, counted == counters_.counted.end() ? 0 : counted->second);
  };
  // An earlier stage was complete: it lacks only games that were taken out of the evidence since.
  uint64_t left = 0;
  for (int stage = 0; stage <= row_.stage; ++stage) left += missing(stage);
  return left;
}

std::optional<book::Line> RunState::ChooseLine(std::optional<Color> own, Rng& rng) {
  book::LineRules rules{row_.spec.deviation, LinePlies(row_.spec), row_.spec.stop.settling};
  if (own) {
    const Opponent& opponent = *row_.spec.play.opponent;
    rules.own = own;
    rules.opponent = opponent_.get();
    rules.opponent_rules = {.choice = opponent.choice, .range = opponent.range};
  }
  book::LineFilter refused;
  if (!poisoned_.empty()) {
    refused = [this](const book::Line& line) { return poisoned_.count(line.moves) != 0; };
  }
  if (resting_ > 0) {
    const auto resting = [this](const book::Line& line) {
      return poisoned_.count(line.moves) != 0 || Rests(line.moves);
    };
    auto line = book::ChooseLine(*tuner_, start_, row_.stage, rules, rng, resting);
    if (line) return line;
  }
  return book::ChooseLine(*tuner_, start_, row_.stage, rules, rng, refused);
}

std::vector<PlannedSlot> RunState::Plan(LeaseId lease, uint32_t most, SlotKinds kinds) {
  std::vector<PlannedSlot> slots;
  const uint64_t games = AvailableGames();
  if (games > 0 && evaluations_ != nullptr && kinds.Has(SlotKind::kEvaluation)) {
    while (slots.size() < most) {
      std::optional<PlannedSlot> plan = evaluations_->Next();
      if (!plan) break;
      plan->slot.slot = static_cast<uint32_t>(slots.size());
      plan->slot.start = row_.spec.start;
      plan->slot.seed = Rng(row_.spec.seed).Split(lease).Split(plan->slot.slot).Next();
      slots.push_back(*std::move(plan));
    }
  }
  const uint64_t count = slots.size() + std::min<uint64_t>(games, most - slots.size());
  while (slots.size() < count) {
    const auto number = static_cast<uint32_t>(slots.size());
    Rng rng = Rng(row_.spec.seed).Split(lease).Split(number);
    PlannedSlot plan;
    plan.slot.slot = number;
    plan.slot.start = row_.spec.start;
    plan.slot.seed = rng.Next();
    plan.slot.weights_version = weights_version_;
    plan.slot.own = OwnSideOf(row_.spec.play.opponent, lease, number);
    plan.evidence_seq = stages() > 0 ? row_.stage_seq : commit_seq_;
    if (!retries_.empty()) {
      Retry retry = std::move(retries_.begin()->second);
      plan.replaces = retries_.begin()->first;
      retries_.erase(retries_.begin());
      if (poisoned_.count(retry.line) != 0) continue;
      plan.slot.line = std::move(retry.line);
      plan.slot.excluded = std::move(retry.excluded);
      plan.slot.own = retry.own;
      plan.failures = retry.failures;
    } else {
      std::optional<book::Line> line = ChooseLine(plan.slot.own, rng);
      if (!line) {
        exhausted_ = true;
        break;
      }
      plan.slot.line = std::move(line->moves);
      plan.slot.excluded = std::move(line->excluded);
      plan.edges = std::move(line->edges);
    }
    Open(plan);
    slots.push_back(std::move(plan));
  }
  return slots;
}

void RunState::Withdraw(std::vector<PlannedSlot> slots) {
  for (PlannedSlot& plan : slots) {
    if (plan.IsCheck()) continue;
    if (plan.slot.kind == SlotKind::kEvaluation) {
      evaluations_->Withdraw(plan);
      continue;
    }
    Close(plan);
    if (plan.replaces.lease == 0) continue;
    retries_[plan.replaces] = {std::move(plan.slot.line), std::move(plan.slot.excluded),
                               plan.failures, plan.slot.own, ""};
  }
}

std::optional<Expectation> RunState::Credit(const GameRow& game, const PlannedSlot& plan,
                                            bool open) {
  commit_seq_ = std::max(commit_seq_, game.commit_seq);
  if (open) Close(plan);
  if (IsFault(game.ending.termination)) {
    if (open) {
      RestoreFault(game, plan);
      PoisonIfBad({game.lease, game.slot});
    }
  } else if (!open) {
    retries_.erase({game.lease, game.slot});
  }
  if (game.commit_seq <= rebuilt_seq_) return std::nullopt;
  assert(game.own == plan.slot.own);
  if (tail_) tail_->push_back(game);
  // The game goes through its slot's line; who chose that has left its edges there, and walking the
  // graph once more would wait for memory at every move.
  const std::span<const book::EdgeId> planned(plan.edges);
  if (planned.size() >= game.book_plies) return Add(game, planned.first(game.book_plies));
  return Add(game, EdgesOf(std::span(game.moves).first(game.book_plies)));
}

std::optional<Expectation> RunState::Add(const GameRow& game, std::span<const book::EdgeId> line) {
  const bool excluded = trust_.Excludes(game.worker, game.lease);
  Count(*policy_, game, excluded, counters_);
  if (excluded || IsFault(game.ending.termination)) return std::nullopt;
  std::optional<Expectation> expectation;
  if (!line.empty() && (!game.own || graph_->edge(line.back()).mover == *game.own)) {
    const Color mover = graph_->edge(line.back()).mover;
    expectation =
        Expectation{book::ScoreFor(mover, game.ending), tuner_->arms()[line.back()].evidence};
  }
  std::vector<book::EdgeId> both;
  if (!game.reentered.empty() || game.own) {
    both.assign(line.begin(), line.end());
    both.insert(both.end(), game.reentered.begin(), game.reentered.end());
    book::KeepOwn(*graph_, game.own, both);
  }
  const std::span<const book::EdgeId> edges =
      both.empty() && !game.own ? line : std::span(std::as_const(both));
  const size_t distinct = tuner_->distinct_games();
  tuner_->Apply({edges, game.ending, game.stage, game.moves_hash});
  EvidenceChanged(edges);
  CountDraw(game);
  if (reweigh_) reweigh_->insert(tuner_->touched().begin(), tuner_->touched().end());
  if (tuner_->distinct_games() != distinct) seen_.push_back(game.moves_hash);
  for (const book::EdgeId edge : edges) MarkChanged(edge);
  return expectation;
}

void RunState::AddEvaluation(const PlannedSlot& plan, bool open, Evaluation evaluation) {
  evaluations_->Add(plan, open, std::move(evaluation));
}

void RunState::AddEvaluationFault(const PlannedSlot& plan, bool open) {
  evaluations_->AddFault(plan, open);
}

std::vector<PriorSet> RunState::TakeNewPriors() { return std::exchange(new_priors_, {}); }

void RunState::BeginPriors() {
  if (evaluations_ != nullptr) RefreshPriors();
}

bool RunState::PriorsAreDue() const {
  if (evaluations_ == nullptr || !running()) return false;
  const uint64_t answers = evaluations_->answers();
  if (answers > published_) {
    const bool all = evaluations_->Available() == 0 && evaluations_->open() == 0;
    if (all || answers >= 2 * published_ + kFirstAnswers) return true;
  }
  return priors_.positions > 0 && counters_.games >= std::max(kFirstGames, 2 * priors_.games);
}

void RunState::RefreshPriors() {
  priors_.run = row_.run;
  ++priors_.version;
  priors_.evaluations = evaluations_->last_seq();
  priors_.trust_change = trust_.change();
  priors_.games_seq = commit_seq_;
  priors_.games = counters_.games;
  priors_.positions = evaluations_->count().scored;
  priors_.model = ModelOf(*evaluations_, priors_, trust_, tuner_->arms());
  published_ = evaluations_->answers();
  tuner_->SetPriors(evaluations_->PriorsOf(priors_, trust_));
  reweigh_.reset();  // any weight may be another one now
  new_priors_.push_back(priors_);
}

RebuildPoint RunState::BeginRebuild(Trust trust) {
  tail_.emplace();
  return {row_, graph_, policy_, std::move(trust)};
}

bool RunState::Adopt(RebuiltRun rebuilt) {
  const std::vector<GameRow> tail = *std::exchange(tail_, std::nullopt);
  if (rebuilt.point.row.stage != row_.stage || rebuilt.point.row.stage_seq != row_.stage_seq) {
    return false;
  }
  const std::span<const book::Arm> before = tuner_->arms();
  for (book::EdgeId edge = 0; edge < before.size(); ++edge) {
    for (uint32_t i = 0; i < before[edge].in_flight; ++i) rebuilt.tuner->AddInFlight({{edge}});
  }
  tuner_ = std::move(rebuilt.tuner);
  counters_ = std::move(rebuilt.counters);
  trust_ = std::move(rebuilt.point.trust);
  RebuildJudges();
  // All of it is to be written anew.
  ++take_;
  changed_.clear();
  seen_ = std::move(rebuilt.seen);
  taken_seq_ = 0;
  rebuilt_seq_ = rebuilt.commit_seq;
  commit_seq_ = std::max(commit_seq_, rebuilt_seq_);
  for (const GameRow& game : tail) {
    if (game.commit_seq <= rebuilt_seq_) continue;
    Add(game, EdgesOf(std::span(game.moves).first(game.book_plies)));
  }
  const std::span<const book::Arm> after = tuner_->arms();
  for (book::EdgeId edge = 0; edge < after.size(); ++edge) {
    if (after[edge].evidence.played() > 0) MarkChanged(edge);
  }
  if (evaluations_ != nullptr) {
    evaluations_->SetTrust(trust_);
    RefreshPriors();
  }
  // A stage keeps the weights that it began with; what the next version differs in is not known.
  reweigh_.reset();
  if (row_.spec.play.re_entry && stages() == 0) RefreshWeights();
  return true;
}

void RunState::Lose(LeaseId lease, std::span<const PlannedSlot> slots, LeaseState state) {
  for (const PlannedSlot& plan : slots) {
    if (plan.IsCheck()) continue;
    if (plan.slot.kind == SlotKind::kEvaluation) {
      evaluations_->Lose(plan, IsFailure(state));
      continue;
    }
    Close(plan);
    PutBack(lease, plan, IsFailure(state), std::string(ReasonOf(state)));
    PoisonIfBad({lease, plan.slot.slot});
  }
}

bool RunState::Advance(bool may_end) {
  bool changed = false;
  if (PriorsAreDue()) RefreshPriors();
  if (row_.spec.play.re_entry && stages() == 0 && running() &&
      counters_.games >= weights_games_ + row_.spec.play.re_entry_games) {
    RefreshWeights();
  }
  while (running() && open_ == 0) {
    // Without stages the budget is the whole of it; the last stage's end is the run's.
    const bool last = stages() == 0 || row_.stage + 1 >= stages();
    if (!may_end && (last || used_up())) return changed;
    if (time_over() || nothing_left()) {
      row_.state = "done";
      row_.reason = EndReason();
    } else if (stages() > 0 && StageLeft() == 0) {
      if (!may_end && changes_) return changed;
      const bool stable = row_.stage + 1 < stages() && AnswersAreStable();
      ++row_.stage;
      row_.stage_seq = commit_seq_;
      retries_.clear();
      drawn_.clear();
      resting_ = 0;
      tuner_->Freeze();
      if (changes_) changes_->Begin();
      if (stable || row_.stage == stages()) {
        row_.state = "done";
        if (!stable) row_.reason = EndReason();
      } else if (row_.spec.play.re_entry) {
        RefreshWeights();
      }
    } else if (budget_used()) {
      row_.state = "done";
      row_.reason = EndReason();
    } else if (exhausted_) {
      row_.state = "failed";
      row_.reason = "every line is poisoned";
    } else {
      return changed;
    }
    changed = true;
  }
  return changed;
}

bool RunState::SetState(const std::string& state, std::string reason) {
  const bool alive = row_.state == "running" || row_.state == "paused";
  if (!alive || (state != "running" && state != "paused" && state != "stopped")) return false;
  row_.state = state;
  row_.reason = std::move(reason);
  if (state == "stopped") retries_.clear();
  return true;
}

bool RunState::Rests(const std::vector<Move>& line) const {
  const auto at = drawn_.find(line);
  return at != drawn_.end() && at->second >= options_.draws_to_rest;
}

void RunState::CountDraw(const GameRow& game) {
  if (policy_->LearnsFromDraws() || game.stage != row_.stage) return;
  std::vector<Move> line(game.moves.begin(), game.moves.begin() + game.book_plies);
  if (game.ending.result == Result::kDraw) {
    if (++drawn_[std::move(line)] == options_.draws_to_rest) ++resting_;
    return;
  }
  const auto at = drawn_.find(line);
  if (at == drawn_.end()) return;
  if (at->second >= options_.draws_to_rest) --resting_;
  drawn_.erase(at);
}

std::vector<RestingLine> RunState::Resting(size_t most) const {
  std::vector<RestingLine> lines;
  for (const auto& [line, draws] : drawn_) {
    if (lines.size() == most) break;
    if (draws >= options_.draws_to_rest) lines.push_back({line, draws});
  }
  return lines;
}

std::vector<PoisonedLine> RunState::Poisoned(size_t most) const {
  std::vector<PoisonedLine> lines;
  for (const auto& [moves, line] : poisoned_) {
    if (lines.size() == most) break;
    lines.push_back(line);
  }
  return lines;
}

absl::Duration RunState::mean_game() const {
  if (counters_.games == 0) return absl::ZeroDuration();
  return absl::Milliseconds(counters_.think_ms) / static_cast<double>(counters_.games);
}

std::vector<PoisonedLine> RunState::TakePoisoned() { return std::exchange(newly_poisoned_, {}); }

void RunState::MarkChanged(book::EdgeId edge) {
  if (std::exchange(marks_[edge], take_) != take_) changed_.push_back(edge);
}

RunState::Changes RunState::TakeChanges() {
  Changes changes{std::exchange(changed_, {}), {commit_seq_, counters_, std::exchange(seen_, {})}};
  taken_seq_ = commit_seq_;
  ++take_;
  return changes;
}

void RunState::ReturnChanges(Changes changes) {
  for (const book::EdgeId edge : changes.edges) MarkChanged(edge);
  std::vector<uint64_t>& seen = changes.checkpoint.seen;
  seen.insert(seen.end(), seen_.begin(), seen_.end());  // in order of commit
  seen_ = std::move(seen);
  taken_seq_ = 0;
}

EvidenceRow RunState::EvidenceOf(book::EdgeId edge) const {
  const book::Arm& arm = tuner_->arms()[edge];
  EvidenceRow row{edge, arm.sum, arm.evidence, commit_seq_, -1, 0, {}};
  if (stages() == 0) return row;
  const book::Arm& frozen = tuner_->frozen(edge);
  row.stage = row_.stage;
  row.frozen_sum = frozen.sum;
  row.frozen_evidence = frozen.evidence;
  return row;
}

std::vector<book::EdgeId> RunState::EdgesOf(std::span<const Move> line) const {
  return book::EdgesOf(*graph_, start_, line);
}

void RunState::Open(const PlannedSlot& plan) {
  if (plan.edges.empty()) {
    tuner_->AddInFlight(EdgesOf(plan.slot.line));
  } else {
    tuner_->AddInFlight(plan.edges);
  }
  ++open_;
}

void RunState::Close(const PlannedSlot& plan) {
  assert(open_ > 0);
  if (plan.edges.empty()) {
    tuner_->RemoveInFlight(EdgesOf(plan.slot.line));
  } else {
    tuner_->RemoveInFlight(plan.edges);
  }
  --open_;
}

void RunState::PutBack(LeaseId lease, const PlannedSlot& plan, bool failed,
                       const std::string& reason) {
  if (row_.state != "running" && row_.state != "paused") return;
  if (poisoned_.count(plan.slot.line) != 0) return;
  retries_[{lease, plan.slot.slot}] = {plan.slot.line, plan.slot.excluded,
                                       plan.failures + (failed ? 1 : 0), plan.slot.own, reason};
}

void RunState::PoisonIfBad(SlotRef slot) {
  const auto at = retries_.find(slot);
  if (at == retries_.end()) return;
  const auto attempts = static_cast<uint32_t>(options_.attempts_per_line);
  const auto patience = static_cast<uint32_t>(options_.patience_with_played);
  const Retry& retry = at->second;
  if (retry.failures < attempts) return;
  if (retry.failures < attempts * patience && EndedThere(retry)) return;
  newly_poisoned_.push_back({retry.line, retry.failures, retry.reason});
  poisoned_.emplace(retry.line, newly_poisoned_.back());
  retries_.erase(at);
}

bool RunState::EndedThere(const Retry& retry) const {
  std::vector<book::EdgeId> edges = EdgesOf(retry.line);
  book::KeepOwn(*graph_, retry.own, edges);
  book::NodeId end = start_;
  uint64_t came = counters_.games;
  if (!edges.empty()) {
    end = graph_->target(edges.back());
    came = tuner_->arms()[edges.back()].evidence.played();
  }
  // Of the opponent's moves there is no evidence: who went on after them is not known.
  if (end == book::kNoNode || retry.own) return came > 0;
  uint64_t went_on = 0;
  for (const book::Arm& arm : tuner_->arms(end)) went_on += arm.evidence.played();
  return came > went_on;
}

}  // namespace joseki::coordinator
