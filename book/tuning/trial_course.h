#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace joseki::book {

// What trials brought, in their order: how the expected score of a repertoire's side rose while it
// was searched. Candidates are tried by chance, so the answers themselves are worth more than this.
// Not thread-safe.
class TrialCourse {
 public:
  // A trial's expected score for its own side, 0 to 1. `source` as in LineFinding.
  void Add(double score, uint32_t source);
  // Leaves out trials of these sources alone, until another call trusts them again.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  struct Part {
    uint64_t trials = 0;
    double score = 0;  // their mean
    double error = 0;  // its standard error
  };
  // Mean of the last kRecent trials; nullopt while there are fewer.
  static constexpr size_t kRecent = 256;
  std::optional<Part> Recent() const;
  // The whole course in at most `most` parts of equally many trials, each of kRecent at least; the
  // last has the remainder. Empty while there are fewer.
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
