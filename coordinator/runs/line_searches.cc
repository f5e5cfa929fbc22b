#include "coordinator/runs/line_searches.h"

#include <cassert>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/runs/evaluation_load.h"

namespace joseki::coordinator {

namespace {

// So far behind its line a trial is broken off. The further it went, the more chance it would have
// in it, and the more it would cost (docs/reference/tuning.md).
constexpr uint32_t kTrialPlies = 16;
// Of the nodes of all searches, percent.
constexpr uint64_t kTrialShare = 40;

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
      game_nodes_(kGameMoves * spec.play.nodes),
      share_(spec.line_searches.share),
      failed_(static_cast<uint32_t>(attempts)) {}

absl::StatusOr<LineSearches> LineSearches::Make(const Rules& rules,
                                                std::shared_ptr<const book::Graph> graph,
                                                const RunSpec& spec, int attempts) {
  book::RepertoireRules limits;
  limits.least_nodes = spec.line_searches.nodes;
  limits.book_only = spec.line_searches.fixed_book;
  limits.reply_nodes = spec.play.nodes;
  limits.most_plies = std::min(limits.most_plies, static_cast<uint32_t>(LinePlies(spec)));
  ASSIGN_OR_RETURN(book::Repertoire repertoire,
                   book::Repertoire::Create(rules, spec.start, std::move(graph), limits));
  return LineSearches(rules, std::move(repertoire), spec, attempts);
}

bool LineSearches::AreDue(uint64_t games) const {
  if (!say_something() && unscored_ >= kWithoutScores) return false;
  // One game is always ahead: a run begins with searches.
  const uint64_t played = (games + 1) * game_nodes_;
  return AllNodes() * (100 - share_) < played * share_;
}

book::LineTask LineSearches::TaskOf(const Slot& slot) const {
  book::LineTask task;
  task.line = slot.line;
  task.kind = KindOf(slot.kind);
  task.nodes = NodesOf(slot);
  task.searched_from = slot.searched_from;
  task.excluded = slot.excluded;
  task.own = slot.own.value_or(Color::kFirst);
  return task;
}

uint64_t LineSearches::NodesOf(const Slot& slot) const {
  switch (slot.kind) {
    case SlotKind::kReply:
      return ((slot.line.size() - slot.searched_from) / 2 + 1) * move_nodes_;
    case SlotKind::kTrial:
      return kTrialPlies * move_nodes_;
    default:
      return slot.nodes;
  }
}

std::optional<PlannedSlot> LineSearches::Next(const std::string& worker, Rng& rng) {
  const bool trial = 100 * NodesIn(book::TaskKind::kTrial) < kTrialShare * AllNodes();
  const auto closed = [&](const Key& position) { return failed_.IsClosed(position, worker); };
  std::optional<book::LineTask> task = repertoire_.Next(trial, rng, closed);
  if (!task) task = repertoire_.Next(!trial, rng, closed);
  if (!task) return std::nullopt;
  PlannedSlot plan;
  Slot& slot = plan.slot;
  slot.kind = KindOf(task->kind);
  if (task->kind == book::TaskKind::kAnswer) slot.nodes = task->nodes;
  if (task->kind == book::TaskKind::kReply) slot.searched_from = task->searched_from;
  if (task->kind == book::TaskKind::kTrial) {
    slot.plies = kTrialPlies;
    slot.own = task->own;
  }
  slot.excluded = std::move(task->excluded);
  if (const auto end = EndOf(task->line)) plan.failures = failed_.FailuresAt(*end);
  slot.line = std::move(task->line);
  Open(slot);
  return plan;
}

uint64_t LineSearches::NodesIn(book::TaskKind kind) const {
  const auto at = static_cast<size_t>(kind);
  return spent_[at] + open_nodes_[at];
}

uint64_t LineSearches::AllNodes() const {
  return NodesIn(book::TaskKind::kAnswer) + NodesIn(book::TaskKind::kReply) +
         NodesIn(book::TaskKind::kTrial);
}

void LineSearches::Open(const Slot& slot) {
  ++open_;
  open_nodes_[static_cast<size_t>(KindOf(slot.kind))] += NodesOf(slot);
}

void LineSearches::Close(const Slot& slot) {
  --open_;
  open_nodes_[static_cast<size_t>(KindOf(slot.kind))] -= NodesOf(slot);
}

void LineSearches::Withdraw(const PlannedSlot& plan) { Lose(plan, /*open=*/true, std::nullopt); }

void LineSearches::Lose(const PlannedSlot& plan, bool open,
                        const std::optional<LineFailure>& failed) {
  if (open) {
    Close(plan.slot);
    repertoire_.GiveBack(TaskOf(plan.slot));
  }
  if (failed) Fail(plan.slot.line, *failed);
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
  spent_[static_cast<size_t>(task.kind)] += task.nodes;
  // A trial may be over, another search then finds nothing; an engine may tell no score.
  const bool told =
      slot.kind == SlotKind::kTrial ? found.score.has_value() : found.best.has_value();
  ++(found.score.value_or(0) == 0 ? unscored_ : scored_);
  if (!told) {
    if (planned) repertoire_.GiveBack(task);
    if (slot.kind != SlotKind::kTrial) Fail(found.line, {found.lease, found.worker});
    return absl::OkStatus();
  }
  book::LineFinding finding;
  finding.task = task;
  finding.task.line = found.line;
  finding.best = found.best.value_or(Move());
  finding.source = SourceOf(found);
  if (found.score) finding.centipawns = *found.score;
  return repertoire_.Add(finding, planned ? &task : nullptr);
}

uint32_t LineSearches::SourceOf(const LineSearch& found) {
  const auto [at, fresh] = source_of_.emplace(found.lease, static_cast<uint32_t>(sources_.size()));
  if (fresh) sources_.push_back({found.worker, found.lease});
  return at->second;
}

std::optional<Key> LineSearches::EndOf(const std::vector<Move>& line) const {
  const auto state = rules_->Start(start_, MatchRules{}).value();  // Make has seen that it is one
  if (state->PlayAll(line) != line.size()) return std::nullopt;
  return state->key();
}

void LineSearches::Fail(const std::vector<Move>& line, const LineFailure& failed) {
  if (const auto end = EndOf(line)) failed_.Note(*end, failed);
}

void LineSearches::SetTrust(const Trust& trust) {
  failed_.SetTrust(trust);
  repertoire_.Distrust([&](uint32_t source) {
    return trust.Excludes(sources_[source].worker, sources_[source].lease);
  });
}

}  // namespace joseki::coordinator
