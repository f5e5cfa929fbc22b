#include "coordinator/runs/line_searches.h"

#include <cassert>
#include <cstdint>
#include <utility>

#include "base/status_macros.h"
#include "book/tuning/trial.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/scheduling/verification.h"

namespace joseki::coordinator {

namespace {

SlotKind KindOf(book::TaskKind kind) {
  switch (kind) {
    case book::TaskKind::kReply:
      return SlotKind::kReply;
    case book::TaskKind::kTrial:
      return SlotKind::kTrial;
    case book::TaskKind::kAnswer:
      break;
  }
  return SlotKind::kEvaluation;
}

book::TaskKind KindOf(SlotKind kind) {
  if (kind == SlotKind::kReply) return book::TaskKind::kReply;
  if (kind == SlotKind::kTrial) return book::TaskKind::kTrial;
  return book::TaskKind::kAnswer;
}

}  // namespace

LineSearches::LineSearches(const Rules& rules, book::Repertoire repertoire, const RunSpec& spec,
                           int attempts)
    : rules_(&rules),
      start_(spec.start),
      repertoire_(std::move(repertoire)),
      move_nodes_(spec.play.nodes),
      own_limit_(spec.line_searches.own_limit),
      budget_(spec),
      failed_(static_cast<uint32_t>(attempts)),
      start_key_(*EndOf({})) {}

absl::StatusOr<LineSearches> LineSearches::Make(const Rules& rules,
                                                std::shared_ptr<const book::Graph> graph,
                                                const RunSpec& spec, int attempts) {
  book::RepertoireRules limits;
  limits.least_nodes = spec.line_searches.nodes;
  limits.book_only = spec.line_searches.fixed_book;
  // A run without verification must trust its workers: none could vouch for another.
  limits.trusting = !WhyUnverified(spec).empty();
  if (spec.line_searches.own_limit) limits.TuneForOwnLimit();
  limits.reply_nodes = spec.play.nodes;
  limits.jitter_percent = spec.play.jitter_percent;
  limits.scale = ScoreScale(spec.line_searches.calibration);
  limits.most_plies = std::min(limits.most_plies, static_cast<uint32_t>(LinePlies(spec)));
  ASSIGN_OR_RETURN(book::Repertoire repertoire,
                   book::Repertoire::Create(rules, spec.start, std::move(graph), limits));
  return LineSearches(rules, std::move(repertoire), spec, attempts);
}

void LineSearches::Opinions::Add(std::optional<int16_t> score) {
  ++(!score ? none : *score == 0 ? zero : other);
}

void LineSearches::Opinions::Add(const Opinions& more) {
  none += more.none;
  zero += more.zero;
  other += more.other;
}

std::string_view LineSearches::WhyOff() const {
  if (failed_.IsClosedToAll(start_key_)) return "the start position is closed: its searches failed";
  if (say_something() || opinions_.none + opinions_.zero < kWithoutScores) return "";
  return opinions_.zero == 0 ? "the engine gives no scores" : "the engine's scores are all 0";
}

book::LineTask LineSearches::TaskOf(const Slot& slot) const {
  book::LineTask task;
  task.line = slot.line;
  task.kind = KindOf(slot.kind);
  task.nodes = slot.nodes;
  task.searched_from = slot.searched_from;
  task.excluded = slot.excluded;
  task.own = slot.own.value_or(Color::kFirst);
  return task;
}

uint64_t LineSearches::NodesOf(const Slot& slot, size_t plies) const {
  switch (slot.kind) {
    case SlotKind::kReply:
      return ((plies - slot.searched_from) / 2 + 1) * slot.nodes;
    case SlotKind::kTrial:
      return book::kTrialPlies * move_nodes_;
    default:
      return slot.nodes;
  }
}

std::optional<PlannedSlot> LineSearches::Next(bool trials, const std::string& worker, Rng& rng) {
  const bool trial = trials && budget_.IsTrialDue();
  const auto closed = [&](const Key& position) { return failed_.IsClosed(position, worker); };
  std::optional<book::LineTask> task = repertoire_.Next(trial, rng, closed);
  if (!task && trials) task = repertoire_.Next(!trial, rng, closed);
  if (!task) return std::nullopt;
  PlannedSlot plan;
  Slot& slot = plan.slot;
  slot.kind = KindOf(task->kind);
  if (task->kind != book::TaskKind::kTrial) slot.nodes = task->nodes;
  if (task->kind == book::TaskKind::kReply) slot.searched_from = task->searched_from;
  if (task->kind == book::TaskKind::kTrial) {
    slot.plies = book::kTrialPlies;
    slot.own = task->own;
  }
  slot.excluded = std::move(task->excluded);
  if (const auto end = EndOf(task->line)) plan.failures = failed_.FailuresAt(*end);
  slot.line = std::move(task->line);
  Open(slot);
  return plan;
}

LineSearchStatus LineSearches::status(const RunCalibration& calibration) const {
  LineSearchStatus now = {.games = budget_.games_spent(),
                          .answers = repertoire_.answers(),
                          .trials = repertoire_.trials(),
                          .in_answers = budget_.games_spent(book::TaskKind::kAnswer),
                          .in_replies = budget_.games_spent(book::TaskKind::kReply),
                          .in_trials = budget_.games_spent(book::TaskKind::kTrial)};
  if (const auto recent = repertoire_.course().Recent()) now.expected = recent->score;
  now.off = std::string(WhyOff());
  if (calibration.measured().games() > 0) now.calibration = calibration.measured().Fit();
  now.trials_off = std::string(calibration.WhyNoTrials());
  return now;
}

void LineSearches::Open(const Slot& slot) {
  ++open_;
  budget_.Open(KindOf(slot.kind), NodesOf(slot, slot.line.size()));
}

void LineSearches::Close(const Slot& slot) {
  --open_;
  budget_.Close(KindOf(slot.kind), NodesOf(slot, slot.line.size()));
}

void LineSearches::Withdraw(const PlannedSlot& plan) { Lose(plan, /*open=*/true, std::nullopt); }

void LineSearches::Lose(const PlannedSlot& plan, bool open,
                        const std::optional<LineFailure>& failed) {
  if (open) {
    Close(plan.slot);
    repertoire_.GiveBack(TaskOf(plan.slot));
  }
  if (failed) NoteFailure(plan.slot.line, *failed);
}

void LineSearches::Reopen(const PlannedSlot& plan) {
  Open(plan.slot);
  repertoire_.Reopen(TaskOf(plan.slot));
}

void LineSearches::Add(const PlannedSlot& plan, bool open, const LineSearch& found) {
  if (open) Close(plan.slot);
  const absl::Status taken = Take(plan.slot, open, found);
  assert(taken.ok());
  (void)taken;
}

absl::Status LineSearches::Load(const Slot& slot, const LineSearch& found) {
  return Take(slot, /*planned=*/false, found);
}

absl::Status LineSearches::Take(const Slot& slot, bool planned, const LineSearch& found) {
  const book::LineTask task = TaskOf(slot);
  // A trial may reach the end of a game; another search then finds no move. An engine may give no
  // score.
  const bool told =
      slot.kind == SlotKind::kTrial ? found.score.has_value() : found.best.has_value();
  if (trust_.Excludes(found.worker, found.lease)) {
    // Whoever searched: a position that can be searched is not at fault.
    if (told) NoteSuccess(found);
    if (planned) repertoire_.GiveBack(task);
    withheld_.emplace_back(slot, found);
    return absl::OkStatus();
  }
  const uint32_t source = SourceOf(found);
  // An opponent that left the line has searched only as far. Rows keep no more of the line.
  budget_.Spend(source, task.kind, NodesOf(slot, found.line.size()));
  if (!found.over) {
    opinions_.Add(found.score);
    sources_[source].opinions.Add(found.score);
  }
  if (!told) {
    if (planned) repertoire_.GiveBack(task);
    if (slot.kind != SlotKind::kTrial) NoteFailure(found.line, {found.lease, found.worker});
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const Key end,
                   repertoire_.Add(FindingOf(task, found), planned ? &task : nullptr));
  failed_.Succeed(end, found.lease);
  return absl::OkStatus();
}

void LineSearches::Confirm(const PlannedSlot& copy, const LineSearch& again) {
  // A lease of a run belongs to one worker. It has no source while all that came is withheld.
  const auto at = source_of_.lower_bound({copy.copy_of.lease, 0});
  const bool known = at != source_of_.end() && at->first.first == copy.copy_of.lease;
  if (!known || trust_.Excludes(sources_[at->second].worker, copy.copy_of.lease) ||
      trust_.Excludes(again.worker, again.lease)) {
    withheld_copies_.emplace_back(copy, again);
    return;
  }
  repertoire_.Confirm(FindingOf(TaskOf(copy.slot), again), at->second);
}

void LineSearches::LoadConfirmed(const Slot& slot, const LineSearch& found,
                                 const LineSearch& again) {
  repertoire_.Confirm(FindingOf(TaskOf(slot), again), SourceOf(found));
}

book::LineFinding LineSearches::FindingOf(const book::LineTask& task, const LineSearch& found) {
  book::LineFinding finding;
  finding.task = task;
  finding.task.line = found.line;
  finding.best = found.best.value_or(Move());
  finding.source = SourceOf(found);
  finding.worker = NumberOf(found.worker);
  if (found.score) finding.centipawns = *found.score;
  return finding;
}

uint32_t LineSearches::NumberOf(const std::string& worker) {
  return number_of_.emplace(worker, static_cast<uint32_t>(number_of_.size())).first->second;
}

uint32_t LineSearches::SourceOf(const LineSearch& found) {
  const auto [at, fresh] = source_of_.emplace(std::pair(found.lease, NumberOf(found.worker)),
                                              static_cast<uint32_t>(sources_.size()));
  if (fresh) sources_.push_back({found.worker, found.lease, {}});
  return at->second;
}

std::optional<Key> LineSearches::EndOf(const std::vector<Move>& line) const {
  const auto state = rules_->Start(start_, MatchRules{}).value();  // Make has checked the start
  if (state->PlayAll(line) != line.size()) return std::nullopt;
  return state->key();
}

void LineSearches::NoteFailure(const std::vector<Move>& line, const LineFailure& failed) {
  if (const auto end = EndOf(line)) failed_.Note(*end, failed);
}

void LineSearches::NoteSuccess(const LineSearch& found) {
  if (const auto end = EndOf(found.line)) failed_.Succeed(*end, found.lease);
}

void LineSearches::SetTrust(const Trust& trust) {
  while (!SetTrust(trust, SIZE_MAX)) {
  }
}

bool LineSearches::SetTrust(const Trust& trust, size_t most) {
  if (repertoire_.renewed()) {
    if (trust.change() == trust_.change()) return true;
    trust_ = trust;
    BeginDistrust();
  }
  // A change under way is finished first.
  if (!repertoire_.Renew(most)) return false;
  for (const auto& [slot, found] : std::exchange(withheld_, {})) {
    const absl::Status taken = Take(slot, /*planned=*/false, found);
    assert(taken.ok());
    (void)taken;
  }
  for (const auto& [copy, again] : std::exchange(withheld_copies_, {})) Confirm(copy, again);
  return trust.change() == trust_.change();
}

void LineSearches::BeginDistrust() {
  // Positions have many entries of each source, and a worker is found by its name.
  std::vector<bool> excluded;
  excluded.reserve(sources_.size());
  opinions_ = {};
  for (const Source& source : sources_) {
    excluded.push_back(trust_.Excludes(source.worker, source.lease));
    if (!excluded.back()) opinions_.Add(source.opinions);
  }
  failed_.SetTrust(trust_);
  const auto distrusted = [excluded = std::move(excluded)](uint32_t source) {
    // Sources that come later are trusted: the others' results are withheld.
    return source < excluded.size() && excluded[source];
  };
  budget_.Distrust(distrusted);
  repertoire_.Distrust(distrusted);
}

}  // namespace joseki::coordinator
