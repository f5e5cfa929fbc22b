#pragma once

#include <cstdint>
#include <map>

namespace joseki::book {

// A straight line through results as a function of expected scores.
struct CalibrationFit {
  uint64_t games = 0;
  uint64_t groups = 0;
  // Slope within groups, and its 95 % interval. The interval is unbounded where the scores within
  // groups do not differ.
  double slope = 0;
  double low = 0;
  double high = 0;
  double between = 0;    // slope of the groups' means
  double intercept = 0;  // of the line with `slope` through the mean of all games
};

// Worth of an expected score: the regression of results on it, over games whose lines fall into
// groups. A slope of 1 means that a difference between scores is the same difference between
// results. Groups differ in more than their scores, so the slope that counts is that within them.
//
// The slope's variance is the larger of that for independent games and that clustered by group,
// with degrees of freedom as in ClusterByLine (book/stats/clustered.h). Keeps a few sums for each
// group. Not thread-safe.
class Calibration {
 public:
  // Adds a game of the group: its expected score and its result for the same side, 0 to 1.
  void Add(uint64_t group, double expected, double result);

  uint64_t games() const { return games_; }
  CalibrationFit Fit() const;

  // Whether the scores mislead: at the last look, the slope's whole interval lay below kLeastSlope.
  // Each kGamesALook games give one look. A large slope misleads nobody: results are farther apart
  // than the scores say, but in the same order, and scores are compared with one another.
  bool misleads() const { return misleads_; }
  static constexpr uint64_t kGamesALook = 200;
  static constexpr double kLeastSlope = 0.8;

 private:
  struct Sums {
    double games = 0;
    double expected = 0;
    double result = 0;
    double expected_squares = 0;
    double result_squares = 0;
    double products = 0;
  };

  uint64_t games_ = 0;
  bool misleads_ = false;
  std::map<uint64_t, Sums> groups_;
};

}  // namespace joseki::book
