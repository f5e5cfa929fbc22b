#include "coordinator/runs/assessments.h"

namespace joseki::coordinator {
namespace {

// Joint prior of two independent sources.
book::Prior Both(const book::Prior& a, const book::Prior& b) {
  if (a.games == 0) return b;
  const float games = a.games + b.games;
  return {(a.games * a.value + b.games * b.value) / games, games};
}

}  // namespace

std::shared_ptr<const book::Priors> Assessments::PriorsBy(const PriorSet& set) const {
  auto priors = std::make_shared<book::Priors>(of_edge->size());
  std::vector<book::Prior> priors_of(of_target.size());
  for (size_t i = 0; i < of_target.size(); ++i) {
    const Assessment& assessment = of_target[i];
    if (assessment.by == Assessment::By::kNobody) continue;
    // The score is that of the side to move, who did not play the move.
    priors_of[i] = book::PriorOf(-int{assessment.score}, set.model,
                                 assessment.by == Assessment::By::kOlderProfile);
  }
  for (size_t edge = 0; edge < of_edge->size(); ++edge) {
    const uint32_t target = (*of_edge)[edge];
    if (target != 0) (*priors)[edge] = priors_of[target - 1];
  }
  if (imported == nullptr) return priors;
  for (size_t edge = 0; edge < imported->size(); ++edge) {
    const book::ImportedValue& value = (*imported)[edge];
    if (!value.known()) continue;
    // A value without a depth counts as little as one of another profile.
    (*priors)[edge] =
        Both((*priors)[edge], book::PriorOf(value.score, set.imported, value.depth == 0));
  }
  return priors;
}

std::vector<std::pair<book::EdgeId, int16_t>> Assessments::OfOwnProfile() const {
  std::vector<std::pair<book::EdgeId, int16_t>> judged;
  for (book::EdgeId edge = 0; edge < of_edge->size(); ++edge) {
    const uint32_t target = (*of_edge)[edge];
    if (target == 0) continue;
    const Assessment& assessment = of_target[target - 1];
    if (assessment.by != Assessment::By::kOwnProfile) continue;
    judged.emplace_back(edge, static_cast<int16_t>(-assessment.score));
  }
  return judged;
}

void FitModels(const Assessments& assessments, std::span<const book::Arm> arms, PriorSet& set) {
  set.model = set.imported = {};
  if (set.games < kFirstGames) return;
  std::vector<book::JudgedMove> moves;
  for (const auto& [edge, score] : assessments.OfOwnProfile()) {
    if (arms[edge].evidence.games() > 0) moves.push_back({score, arms[edge].evidence});
  }
  set.model = book::FitPriorModel(moves);
  if (assessments.imported == nullptr) return;
  moves.clear();
  for (size_t edge = 0; edge < assessments.imported->size(); ++edge) {
    const book::ImportedValue& value = (*assessments.imported)[edge];
    if (!value.known() || value.depth == 0 || arms[edge].evidence.games() == 0) continue;
    moves.push_back({value.score, arms[edge].evidence});
  }
  set.imported = book::FitPriorModel(moves);
}

}  // namespace joseki::coordinator
