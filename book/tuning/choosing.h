#pragma once

#include <cstddef>

#include "base/rng.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// The largest of the offered items; each of the equal largest is equally likely.
class Best {
 public:
  explicit Best(Rng& rng) : rng_(rng) {}

  void Offer(size_t i, double value) {
    if (ties_ == 0 || value > value_) {
      index_ = i;
      value_ = value;
      ties_ = 1;
    } else if (value == value_ && rng_.Below(++ties_) == 0) {
      index_ = i;
    }
  }
  size_t index() const { return index_; }

 private:
  Rng& rng_;
  size_t index_ = 0;
  double value_ = 0;
  uint64_t ties_ = 0;
};

// Index below `count`, chosen with probability proportional to weight(i) >= 0; the last if all are
// 0.
template <typename Weight>
size_t ChooseInProportion(size_t count, Rng& rng, Weight weight) {
  if (count == 1) return 0;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += weight(i);
  double left = rng.Unit() * sum;
  for (size_t i = 0; i + 1 < count; ++i) {
    left -= weight(i);
    if (left < 0) return i;
  }
  return count - 1;
}

// Finished games of the arm plus games in flight, for rules that distribute games. A game in flight
// says nothing of the score.
inline double WithFlying(const Arm& arm) {
  return static_cast<double>(arm.evidence.games()) + static_cast<double>(arm.in_flight);
}
inline double GamesWithFlying(const Choices& at) {
  double all = 0;
  for (const Arm& arm : at.arms) all += WithFlying(arm);
  return all;
}

inline void Count(Evidence& evidence, Score score) {
  switch (score) {
    case Score::kWin:
      ++evidence.wins;
      break;
    case Score::kDraw:
      ++evidence.draws;
      break;
    case Score::kLoss:
      ++evidence.losses;
      break;
  }
}

}  // namespace joseki::book
