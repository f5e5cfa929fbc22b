#include "coordinator/runs/assessments.h"

namespace joseki::coordinator {

std::shared_ptr<const book::Priors> Assessments::PriorsBy(const book::PriorModel& model) const {
  auto priors = std::make_shared<book::Priors>(of_edge->size());
  std::vector<book::Prior> priors_of(of_target.size());
  for (size_t i = 0; i < of_target.size(); ++i) {
    const Assessment& assessment = of_target[i];
    if (assessment.by == Assessment::By::kNobody) continue;
    // The score is that of the side to move, who did not play the move.
    priors_of[i] = book::PriorOf(-int{assessment.score}, model,
                                 assessment.by == Assessment::By::kOlderProfile);
  }
  for (size_t edge = 0; edge < of_edge->size(); ++edge) {
    const uint32_t target = (*of_edge)[edge];
    if (target != 0) (*priors)[edge] = priors_of[target - 1];
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

book::PriorModel ModelOf(const Assessments& assessments, uint64_t games,
                         std::span<const book::Arm> arms) {
  if (games < kFirstGames) return {};
  std::vector<book::JudgedMove> moves;
  for (const auto& [edge, score] : assessments.OfOwnProfile()) {
    if (arms[edge].evidence.games() > 0) moves.push_back({score, arms[edge].evidence});
  }
  return book::FitPriorModel(moves);
}

}  // namespace joseki::coordinator
