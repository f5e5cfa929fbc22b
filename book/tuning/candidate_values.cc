#include "book/tuning/candidate_values.h"

#include <algorithm>
#include <cmath>

#include "book/tuning/exact_math.h"

namespace joseki::book {

double ExpectedResult(int centipawns, double scale) {
  return 1 / (1 + std::exp(-centipawns / scale));
}

void CandidateValues::Scatter::Count(const RepertoireNode::Tally& tally, int sign) {
  if (tally.trials < 2) return;
  squares += sign * (tally.squares - tally.sum * tally.sum / tally.trials);
  freedom += sign * (tally.trials - 1);
}

void CandidateValues::Add(RepertoireNode::Candidate& candidate, double score, uint32_t source) {
  scatter_.Count(candidate.tally, -1);
  candidate.tally.Add(score, source);
  scatter_.Count(candidate.tally, 1);
}

void CandidateValues::AddError(const RepertoireNode::Candidate& last, double score,
                               uint32_t source) {
  if (!last.counts()) return;
  // The evaluation of a usual move that was not searched follows from others: it has no source.
  const uint32_t evaluation = last.nodes > 0 ? last.source : source;
  errors_.Count(
      errors_.all.emplace_back(Errors::Error{source, evaluation, score - Expected(last)}));
}

void CandidateValues::Errors::Count(const Error& error) {
  ++trials;
  sum += error.error;
}

void CandidateValues::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  errors_.trials = 0;
  errors_.sum = 0;
  for (const Errors::Error& error : errors_.all) {
    if (!distrusted(error.trial) && !distrusted(error.evaluation)) errors_.Count(error);
  }
}

void CandidateValues::Distrust(RepertoireNode::Candidate& candidate,
                               const std::function<bool(uint32_t source)>& distrusted) {
  scatter_.Count(candidate.tally, -1);
  candidate.tally.Distrust(distrusted);
  scatter_.Count(candidate.tally, 1);
}

double CandidateValues::Expected(int centipawns) const {
  return ExpectedResult(centipawns, rules_.scale);
}

double CandidateValues::Expected(const RepertoireNode::Candidate& candidate) const {
  return Expected(candidate.centipawns.value_or(0));
}

double CandidateValues::Spread() const {
  const double before = rules_.spread_trials;
  return std::sqrt((rules_.spread * rules_.spread * before + scatter_.squares) /
                   (before + scatter_.freedom));
}

double CandidateValues::ErrorAt(const RepertoireNode& node) const {
  double trials = rules_.error_trials;
  double sum = trials * errors_.sum / (static_cast<double>(errors_.trials) + rules_.error_trials);
  for (const RepertoireNode::Candidate& candidate : node.candidates) {
    if (!candidate.counts()) continue;  // nobody who is trusted has said its score
    trials += candidate.tally.trials;
    sum += candidate.tally.sum - candidate.tally.trials * Expected(candidate);
  }
  return sum / trials;
}

double CandidateValues::Unchosen(const RepertoireNode& node,
                                 const RepertoireNode::Candidate& candidate) const {
  constexpr double kDoublings = 4;
  if (node.choice == Move() || candidate.move == node.choice) return 0;
  const double part = static_cast<double>(node.nodes) / static_cast<double>(rules_.least_nodes);
  return rules_.unchosen * std::clamp(std::log2(part) / kDoublings, 0.0, 1.0);
}

double CandidateValues::ValueOf(const RepertoireNode& node,
                                const RepertoireNode::Candidate& candidate, double error) const {
  const double before = rules_.evaluation_trials;
  return (candidate.tally.sum + before * (Expected(candidate) + error)) /
             (candidate.tally.trials + before) -
         candidate.rarity - Unchosen(node, candidate);
}

const RepertoireNode::Candidate* CandidateValues::Sample(const RepertoireNode& node,
                                                         Rng& rng) const {
  const double error = ErrorAt(node);
  const double spread = Spread();
  const RepertoireNode::Candidate* best = nullptr;
  double most = 0;
  for (const RepertoireNode::Candidate& candidate : node.candidates) {
    if (!candidate.counts()) continue;
    const double sd = spread / std::sqrt(candidate.tally.trials + rules_.evaluation_trials);
    const double value = ValueOf(node, candidate, error) + sd * Normal(rng);
    if (best != nullptr && value <= most) continue;
    best = &candidate;
    most = value;
  }
  return best;
}

}  // namespace joseki::book
