#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace joseki {

// A number that is tuned.
struct SpsaKnob {
  std::string name;
  double start = 0;
  double low = 0;  // its range, both ends included
  double high = 0;
  double step = 1;  // how far the last iteration moves it to either side; larger before
};

struct SpsaPlan {
  std::vector<SpsaKnob> knobs;
  uint64_t iterations = 1;  // pairs in all; the steps shrink towards the last
  double rate = 0.002;      // of the last iteration: change for a won pair over the step
  uint64_t seed = 1;
};

// Simultaneous perturbation: each iteration moves every number up or down at random, and plays the
// two opposite settings. It then moves all numbers a little towards the better one. J. Spall,
// "Implementation of the simultaneous perturbation algorithm", IEEE Trans. AES 34 (1998): gains
// fall with the exponents 0.602 and 0.101, behind a tenth of the iterations. Pure: the values
// follow from the plan and the results alone.
class Spsa {
 public:
  // One value a knob, for each side. Whole numbers, drawn so that their means are the values meant.
  struct Probe {
    std::vector<int> a;
    std::vector<int> b;
  };

  explicit Spsa(SpsaPlan plan);

  // Settings of the iteration `ahead` after the next one, around the values as they are now.
  Probe Next(uint64_t ahead = 0) const;
  // Result of the next iteration: A's wins less its losses, -2 to 2 for a pair of games.
  void Learn(double result);

  uint64_t learned() const { return learned_; }
  const std::vector<double>& values() const { return values_; }

 private:
  // Gains of an iteration, counted from 0. Reach: how far its sides are apart, in units of the
  // steps. Gain: how far a result moves the values.
  double Reach(uint64_t iteration) const;
  double Gain(uint64_t iteration) const;
  // +1 or -1.
  int Sign(uint64_t iteration, size_t knob) const;

  SpsaPlan plan_;
  std::vector<double> values_;
  uint64_t learned_ = 0;
};

}  // namespace joseki
