#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "book/evidence.h"
#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// The facts of one accepted game that count here; it may be a fault.
struct ResidualGame {
  Termination termination = Termination::kNone;
  uint32_t plies = 0;
  uint64_t nodes = 0;
  uint32_t think_ms = 0;
  // Whether the score counts; false for faults, and where the line has no moves. Score and evidence
  // are from the side that played the line's last move.
  bool scored = false;
  book::Score score = book::Score::kDraw;
  book::Evidence before;  // of that move, before this game
};

// Compares a worker's results with those of all others on the same lines. A wrong engine or a
// faulty machine shows here even where games cannot be compared move by move.
//
// Each game's score is compared with the mean of at least four earlier games through the last move
// of its line. So the choice of lines does not matter. All workers share a bias, since a policy
// prefers moves that were lucky. Its estimate, the median over workers, is robust against a few
// wrong ones and is subtracted. z is the rest over its standard deviation. p is the probability
// that any worker would have such a z if all played alike (Sidak). With fewer than three workers p
// is 1.
// Counts since construction; not thread-safe.
class Residuals {
 public:
  static constexpr uint32_t kLeastGames = 4;      // games of a move before it gives an expectation
  static constexpr uint64_t kLeastCompared = 30;  // games of a worker before it counts in the
                                                  // median

  void Add(const std::string& worker, const ResidualGame& game);
  void AddConflict(const std::string& worker) { ++sums_[worker].conflicts; }
  // The worker counts anew, as one that has played nothing.
  void Forget(const std::string& worker) { sums_.erase(worker); }

  // The figures of all workers together.
  struct Yardstick {
    double surplus = 0;  // score minus expectation per game: the median of the workers
    size_t workers = 0;  // number with enough games to be compared
  };
  Yardstick Measure() const;
  // The residuals of a worker; zeros if it has played nothing.
  WorkerResiduals Of(const std::string& worker, const Yardstick& yardstick) const;
  // The number of the worker's games that were compared.
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
