#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "book/evidence.h"
#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// The facts of one accepted game that count here; a fault is one, too.
struct ResidualGame {
  Termination termination = Termination::kNone;
  uint32_t plies = 0;
  uint64_t nodes = 0;
  uint32_t think_ms = 0;
  // Seen from the side that played the line's last move; not for faults, nor where the line has
  // none.
  bool scored = false;
  book::Score score = book::Score::kDraw;
  book::Evidence before;  // of that move, by the games before this one
};

// Whether a worker's results are those of the others on the same lines: a wrong engine or a bad
// machine shows here even where games cannot be compared move by move.
//
// Each game is set against the mean of the games that went before it through the last move of its
// line (at least four), so workers are compared on what they played, whatever it was. What workers
// commonly are off by (a policy takes up moves that were lucky) is the median over them, which no
// few wrong ones can move, and is taken away. What is left, over its standard deviation, is z; p is
// how likely one worker of all would have such a z if all played alike (Sidak). Of fewer than three
// workers nobody can be told apart: p is 1. Since construction; not thread-safe.
class Residuals {
 public:
  static constexpr uint32_t kLeastGames = 4;      // before a move says what to expect
  static constexpr uint64_t kLeastCompared = 30;  // games before a worker is one of them

  void Add(const std::string& worker, const ResidualGame& game);
  void AddConflict(const std::string& worker) { ++sums_[worker].conflicts; }

  // The measure of all workers together.
  struct Yardstick {
    double surplus = 0;  // of score over expectation, a game: the median of the workers
    size_t workers = 0;  // with enough games to be compared
  };
  Yardstick Measure() const;
  // Zeros for a worker that has played nothing.
  WorkerResiduals Of(const std::string& worker, const Yardstick& yardstick) const;
  // How many of its games were compared.
  uint64_t Compared(const std::string& worker) const;
  const auto& all() const { return sums_; }

 private:
  struct Sums {
    uint64_t games = 0;
    uint64_t plies = 0;
    uint64_t nodes = 0;
    uint64_t think_ms = 0;
    uint64_t time_losses = 0;
    uint64_t conflicts = 0;
    uint64_t compared = 0;
    double score = 0;
    double expected = 0;
    double variance = 0;
  };

  std::map<std::string, Sums> sums_;
};

}  // namespace joseki::coordinator
