#pragma once

#include <cstdint>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "book/graph.h"
#include "book/stats/calibration.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/rows.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Measures the worth of the scores of a run's trials by its whole games. Each game's result is
// compared with the score that a trial from the end of its line would have had. Both are those of
// the side that moves first. Games with the same first moves are a group. A function of the games
// added, in their order. Guarded by the owner's mutex.
class RunCalibration {
 public:
  // Measures nothing.
  RunCalibration() = default;
  // `start`: as StartNode gives it. Measures nothing in a run without trials.
  RunCalibration(const RunSpec& spec, const book::Graph& graph, book::NodeId start);

  // Adds a game that is evidence, unless kMostGames were added. It says nothing without the scores
  // of a whole trial, or if a game with the same moves was added before.
  void Add(const GameRow& game);
  // Largest number of games: it measures the slope to a few hundredths, and bounds what a restart
  // reads.
  static constexpr uint64_t kMostGames = 20'000;
  bool full() const { return added_ >= kMostGames; }

  bool measures() const { return scale_ > 0; }
  const book::Calibration& measured() const { return measured_; }
  // Reason why no trials are made at present; empty: they are.
  std::string_view WhyNoTrials() const;

 private:
  double scale_ = 0;
  Color mover_ = Color::kFirst;  // at the start
  uint64_t added_ = 0;
  book::Calibration measured_;
  absl::flat_hash_set<uint64_t> seen_;  // moves hashes of what was measured
};

// Scale of book::ExpectedResult in a run with this number of LineSearchSpec. The number stands with
// the run, so what an old database says does not change with the program. REQUIRES: 1.
double ScoreScale(uint32_t calibration);

}  // namespace joseki::coordinator
