// What a run gives out next, and whether there is any more of it.
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/rng.h"
#include "book/tuning/line.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/run_state.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

constexpr std::string_view kNoLineLeft =
    "waits: every line has failed with three workers or more (`joseki run free` gives them out "
    "again)";

// Searches along lines that are offered beside games, where some are due.
constexpr uint64_t kSearchesAtOnce = 64;

// Whether a worker takes all that searches along lines ask for.
bool SearchesLines(SlotKinds kinds) {
  return kinds.Has(SlotKind::kEvaluation) && kinds.Has(SlotKind::kReply) &&
         kinds.Has(SlotKind::kTrial);
}

uint64_t Less(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }

}  // namespace

uint64_t RunState::games_spent() const {
  return evidence_->counters().games +
         (line_searches_ == nullptr ? 0 : line_searches_->games_spent());
}

bool RunState::budget_used() const {
  return row_.spec.games > 0 && games_spent() >= row_.spec.games;
}

uint64_t RunState::Available(SlotKinds kinds) const {
  const uint64_t games = AvailableGames();
  if (games > 0 && SearchesLines(kinds) && line_searches_ != nullptr &&
      line_searches_->AreDue(evidence_->counters().games + open_)) {
    return games > kNoLimit - kSearchesAtOnce ? kNoLimit : games + kSearchesAtOnce;
  }
  // When no game is left to be given out an evaluation comes too late.
  if (games == 0 || evaluations_ == nullptr || !kinds.Has(SlotKind::kEvaluation)) return games;
  const uint64_t searches = evaluations_->Available();
  return games > kNoLimit - searches ? kNoLimit : games + searches;
}

bool RunState::NoGainLeft() const {
  const std::optional<double> left = evidence_->gain_left();
  return left && *left <= row_.spec.stop.least_gain;
}

bool RunState::nothing_left() const {
  return NoGainLeft() && !(row_.spec.extension && row_.spec.extension->regardless);
}

std::string RunState::EndReason() const {
  if (row_.time_over()) return "the time is used up";
  if (match_) return MatchEnd(match_->series().state());
  if (budget_used()) return "the games are played";
  if (nothing_left()) {
    return absl::StrFormat(
        "no position is left worth a game: what could still be found is worth %.2g of the score, "
        "not more than %.2g",
        *evidence_->gain_left(), row_.spec.stop.least_gain);
  }
  return "the last stage is over";
}

bool RunState::AnswersAreStable() {
  const std::optional<double> share = evidence_->answers_changed();
  if (!share || *share > row_.spec.stop.least_change) return false;
  row_.reason = absl::StrFormat(
      "the answers are stable: stage %d changed them for %.2g of its moves, not more than %.2g",
      row_.stage + 1, *share, row_.spec.stop.least_change);
  return true;
}

uint64_t RunState::AvailableGames() const {
  if (!running() || row_.time_over() || nothing_left() || exhausted_) return 0;
  if (match_) return match_->Available();
  uint64_t available = kNoLimit;
  if (row_.spec.games > 0) available = Less(row_.spec.games, games_spent() + open_);
  if (stages() > 0) {
    if (row_.stage >= stages()) return 0;
    available = std::min(available, Less(StageLeft(), open_));
  }
  return available;
}

uint64_t RunState::StageLeft() const {
  const auto missing = [this](int stage) {
    const auto counted = evidence_->counters().counted.find(stage);
    const uint64_t quota = policy_->stages()[static_cast<size_t>(stage)].games;
    return Less(quota, counted == evidence_->counters().counted.end() ? 0 : counted->second);
  };
  // An earlier stage was complete: it lacks only games that were taken out of the evidence since.
  uint64_t left = 0;
  for (int stage = 0; stage <= row_.stage; ++stage) left += missing(stage);
  return left;
}

std::optional<book::Line> RunState::ChooseLine(std::optional<Color> own, const std::string& worker,
                                               Rng& rng) {
  book::LineRules rules{row_.spec.deviation, LinePlies(row_.spec), row_.spec.stop.settling};
  if (own) {
    rules.own = own;
    rules.opponent = opponent_.get();
    rules.opponent_rules = row_.spec.play.opponent->rules;
  }
  book::LineFilter refused;
  if (lost_.refuses_any()) {
    refused = [&](const book::Line& line) { return lost_.Refuses(line.moves, worker); };
  }
  if (resting_.count() > 0) {
    const auto resting = [&](const book::Line& line) {
      return lost_.Refuses(line.moves, worker) || resting_.Rests(line.moves);
    };
    auto line = book::ChooseLine(evidence_->tuner(), start_, row_.stage, rules, rng, resting);
    if (line) return line;
  }
  return book::ChooseLine(evidence_->tuner(), start_, row_.stage, rules, rng, refused);
}

void RunState::NoteExhausted(std::optional<Color> own, const std::string& worker, Rng rng) {
  // To a worker that has failed at nothing only what is poisoned is refused.
  if (ChooseLine(own, /*worker=*/"", rng)) {
    idle_.insert(worker);
    return;
  }
  exhausted_ = true;
  row_.reason = std::string(kNoLineLeft);
}

void RunState::ForgetExhausted() {
  idle_.clear();
  if (std::exchange(exhausted_, false)) row_.reason.clear();
}

size_t RunState::FreeLines(const std::optional<std::vector<Move>>& line, LeaseId next) {
  ForgetExhausted();
  return lost_.Free(line, next);
}

std::vector<PlannedSlot> RunState::Plan(LeaseId lease, uint32_t most, SlotKinds kinds,
                                        const std::string& worker) {
  std::vector<PlannedSlot> slots;
  const uint64_t games = AvailableGames();
  if (games > 0 && evaluations_ != nullptr && kinds.Has(SlotKind::kEvaluation)) {
    while (slots.size() < most) {
      std::optional<PlannedSlot> plan = evaluations_->Next(worker);
      if (!plan) break;
      plan->slot.slot = static_cast<uint32_t>(slots.size());
      plan->slot.start = row_.spec.start;
      plan->slot.seed = Rng(row_.spec.seed).Split(lease).Split(plan->slot.slot).Next();
      slots.push_back(*std::move(plan));
    }
  }
  for (uint64_t left = games; slots.size() < most && left > 0;) {
    const auto number = static_cast<uint32_t>(slots.size());
    Rng rng = Rng(row_.spec.seed).Split(lease).Split(number);
    if (std::optional<PlannedSlot> search = NextLineSearch(kinds, worker, rng)) {
      search->slot.slot = number;
      search->slot.start = row_.spec.start;
      search->slot.seed = rng.Next();
      slots.push_back(*std::move(search));
      continue;
    }
    --left;
    PlannedSlot plan;
    plan.slot.slot = number;
    plan.slot.start = row_.spec.start;
    plan.slot.seed = rng.Next();
    plan.slot.weights_version = weights_.version();
    plan.slot.own = OwnSideOf(row_.spec.play.opponent, lease, number);
    plan.evidence_seq = stages() > 0 ? row_.stage_seq : evidence_->seq();
    if (match_) {
      if (!match_->Next(plan.slot)) break;
    } else if (std::optional<LostLines::Lost> lost = lost_.Next(worker)) {
      plan.replaces = lost->slot;
      plan.slot.line = std::move(lost->line);
      plan.slot.excluded = std::move(lost->excluded);
      plan.slot.own = lost->own;
      plan.failures = lost->failures;
      plan.failed = std::move(lost->failed);
    } else {
      std::optional<book::Line> line = ChooseLine(plan.slot.own, worker, rng);
      if (!line) {
        NoteExhausted(plan.slot.own, worker, rng);
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

std::optional<PlannedSlot> RunState::NextLineSearch(SlotKinds kinds, const std::string& worker,
                                                    Rng& rng) {
  if (line_searches_ == nullptr || !SearchesLines(kinds)) return std::nullopt;
  if (!line_searches_->AreDue(evidence_->counters().games + open_)) return std::nullopt;
  return line_searches_->Next(worker, rng);
}

void RunState::Withdraw(std::vector<PlannedSlot> slots) {
  for (PlannedSlot& plan : slots) {
    if (plan.IsCopy()) continue;
    if (IsSearch(plan.slot.kind)) {
      searches()->Withdraw(plan);
      continue;
    }
    Close(plan);
    if (match_) match_->GiveBack(plan.slot, std::nullopt);
    if (plan.replaces.lease == 0) continue;
    lost_.Add({plan.replaces, std::move(plan.slot.line), std::move(plan.slot.excluded),
               plan.failures, plan.slot.own, /*reason=*/{}, std::move(plan.failed)});
  }
}

}  // namespace joseki::coordinator
