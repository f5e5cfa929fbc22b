#include "book/tuning/trial_course.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace joseki::book {

void TrialCourse::Add(double score, uint32_t source) {
  all_.push_back({static_cast<float>(score), source});
  trusted_.push_back(all_.back());
}

void TrialCourse::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  trusted_.clear();
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(trusted_),
               [&](const Trial& trial) { return !distrusted(trial.source); });
}

TrialCourse::Part TrialCourse::PartOf(size_t from, size_t to) const {
  double sum = 0;
  double squares = 0;
  for (size_t i = from; i < to; ++i) {
    sum += trusted_[i].score;
    squares += double{trusted_[i].score} * trusted_[i].score;
  }
  const auto count = static_cast<double>(to - from);
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  return {.trials = to - from, .score = mean, .error = std::sqrt(variance / count)};
}

std::optional<TrialCourse::Part> TrialCourse::Recent() const {
  if (trusted_.size() < kRecent) return std::nullopt;
  return PartOf(trusted_.size() - kRecent, trusted_.size());
}

std::vector<TrialCourse::Part> TrialCourse::Parts(size_t most) const {
  const size_t parts = std::min(most, trusted_.size() / kRecent);
  std::vector<Part> course;
  for (size_t i = 0; i < parts; ++i) {
    const size_t each = trusted_.size() / parts;
    course.push_back(PartOf(i * each, i + 1 == parts ? trusted_.size() : (i + 1) * each));
  }
  return course;
}

}  // namespace joseki::book
