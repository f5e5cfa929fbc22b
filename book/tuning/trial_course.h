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
  // What only these sources say is left out, until another call trusts them again.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  struct Part {
    uint64_t trials = 0;
    double score = 0;  // their mean
    double error = 0;  // its standard error
  };
  // The last kRecent trials; nullopt before there are so many.
  static constexpr size_t kRecent = 256;
  std::optional<Part> Recent() const;
  // The whole course in at most `most` parts of equally many trials, each of kRecent at least; the
  // last has what is left over. Empty before there are so many.
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
