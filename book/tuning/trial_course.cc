#include "book/tuning/trial_course.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace joseki::book {
namespace {

TrialCourse::Part PartOf(std::span<const double> scores) {
  double sum = 0;
  double squares = 0;
  for (const double score : scores) {
    sum += score;
    squares += score * score;
  }
  const auto count = static_cast<double>(scores.size());
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  return {.trials = scores.size(), .score = mean, .error = std::sqrt(variance / count)};
}

}  // namespace

void TrialCourse::Add(double score, uint32_t source) {
  trials_.push_back({static_cast<float>(score), source, false});
}

void TrialCourse::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  for (Trial& trial : trials_) trial.distrusted = distrusted(trial.source);
}

std::optional<TrialCourse::Part> TrialCourse::Recent() const {
  std::vector<double> scores;
  for (auto trial = trials_.rbegin(); trial != trials_.rend() && scores.size() < kRecent; ++trial) {
    if (!trial->distrusted) scores.push_back(trial->score);
  }
  if (scores.size() < kRecent) return std::nullopt;
  return PartOf(scores);
}

std::vector<TrialCourse::Part> TrialCourse::Parts(size_t most) const {
  std::vector<double> scores;
  for (const Trial& trial : trials_) {
    if (!trial.distrusted) scores.push_back(trial.score);
  }
  const size_t parts = std::min(most, scores.size() / kRecent);
  std::vector<Part> course;
  for (size_t i = 0; i < parts; ++i) {
    const size_t each = scores.size() / parts;
    const size_t end = i + 1 == parts ? scores.size() : (i + 1) * each;
    course.push_back(PartOf(std::span(scores).subspan(i * each, end - i * each)));
  }
  return course;
}

}  // namespace joseki::book
