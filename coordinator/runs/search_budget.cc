#include "coordinator/runs/search_budget.h"

#include "book/tuning/trial.h"

namespace joseki::coordinator {

SearchBudget::SearchBudget(const RunSpec& spec)
    : game_nodes_(book::kGameMoves * spec.play.nodes), share_(spec.line_searches.share) {}

uint64_t SearchBudget::MostAnswers(const RunSpec& spec) {
  const double part = 1e-4 * spec.line_searches.share * (100 - book::kTrialShare);
  const double each = static_cast<double>(spec.line_searches.nodes) /
                      static_cast<double>(book::kGameMoves * spec.play.nodes);
  return static_cast<uint64_t>(part * static_cast<double>(spec.games) / each);
}

bool SearchBudget::AreDue(uint64_t games, bool trials) const {
  // Searches are one game ahead, so a run begins with them.
  const uint64_t played = (games + 1) * game_nodes_;
  if (trials) return AllNodes() * (100 - share_) < played * share_;
  // The trials' part of the share goes to games.
  const uint64_t searched = AllNodes() - NodesIn(book::TaskKind::kTrial);
  return searched * 100 < (AllNodes() + played) / 100 * share_ * (100 - book::kTrialShare);
}

bool SearchBudget::IsTrialDue() const {
  return 100 * NodesIn(book::TaskKind::kTrial) < book::kTrialShare * AllNodes();
}

void SearchBudget::Spend(uint32_t source, book::TaskKind kind, uint64_t nodes) {
  if (source >= spent_by_.size()) spent_by_.resize(source + 1);
  spent_[static_cast<size_t>(kind)] += nodes;
  spent_by_[source][static_cast<size_t>(kind)] += nodes;
}

void SearchBudget::Begin() {
  spent_ = {};
  spent_by_.clear();
}

void SearchBudget::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  spent_ = {};
  for (uint32_t source = 0; source < spent_by_.size(); ++source) {
    if (distrusted(source)) continue;
    for (size_t kind = 0; kind < spent_.size(); ++kind) spent_[kind] += spent_by_[source][kind];
  }
}

uint64_t SearchBudget::NodesIn(book::TaskKind kind) const {
  const auto at = static_cast<size_t>(kind);
  return spent_[at] + open_[at];
}

uint64_t SearchBudget::AllNodes() const {
  return NodesIn(book::TaskKind::kAnswer) + NodesIn(book::TaskKind::kReply) +
         NodesIn(book::TaskKind::kTrial);
}

}  // namespace joseki::coordinator
