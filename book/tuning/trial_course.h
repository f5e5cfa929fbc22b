#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace joseki::book {

// Scores of trials in their order: how the score of a repertoire's side rose during the search.
// Trials draw candidates at random, so the answers themselves are worth more than this. Not
// thread-safe.
class TrialCourse {
 public:
  // Adds a trial's expected score for our side, 0 to 1. `source` as in LineFinding.
  void Add(double score, uint32_t source);
  // Ignores trials of these sources; replaces the set of the previous call.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  struct Part {
    uint64_t trials = 0;
    double score = 0;  // mean score
    double error = 0;  // standard error of the mean
  };
  // Mean of the last kRecent trials; nullopt while there are fewer.
  static constexpr size_t kRecent = 256;
  std::optional<Part> Recent() const;
  // The whole course in at most `most` parts of equally many trials, at least kRecent each; the
  // last part takes the remainder. Empty while there are fewer than kRecent trials.
  std::vector<Part> Parts(size_t most) const;

 private:
  struct Trial {
    float score = 0;
    uint32_t source = 0;
    bool distrusted = false;
  };

  std::vector<Trial> trials_;
};

}  // namespace joseki::book
