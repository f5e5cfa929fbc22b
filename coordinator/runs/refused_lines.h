#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "book/tuning/line.h"
#include "coordinator/runs/lost_lines.h"
#include "coordinator/runs/resting_lines.h"

namespace joseki::coordinator {

// Lines that a run refuses to all workers or to one, and workers that find none left. Refused are
// poisoned and withheld lines (LostLines) and, while there are others, resting ones (RestingLines).
// Guarded by the owner's mutex.
class RefusedLines {
 public:
  // Chooses a line that is not refused; nullopt if every line is.
  using Chooser = std::function<std::optional<book::Line>(Rng&, const book::LineFilter&)>;

  RefusedLines(LostLines::Options options, uint32_t draws_to_rest)
      : lost_(options), resting_(draws_to_rest) {}

  // The line that `choose` finds for the worker. Nullopt: none is left for this worker, which is
  // then idle, or for any worker.
  std::optional<book::Line> Choose(const std::string& worker, Rng& rng, const Chooser& choose);
  bool IsIdle(const std::string& worker) const { return idle_.count(worker) != 0; }
  // Whether every line was poisoned at the last Choose.
  bool exhausted() const { return exhausted_; }

  // Notes that a game of the line was played to its end.
  void Played(const std::vector<Move>& line);
  // Clears waiting, withheld and resting lines, and the idle marks.
  void BeginStage();
  // Clears the idle and exhausted marks; returns whether the run was exhausted.
  bool Reconsider();

  const LostLines& lost() const { return lost_; }
  LostLines& lost() { return lost_; }
  const RestingLines& resting() const { return resting_; }
  RestingLines& resting() { return resting_; }

 private:
  std::optional<book::Line> Try(const std::string& worker, Rng& rng, const Chooser& choose) const;

  LostLines lost_;
  RestingLines resting_;
  bool exhausted_ = false;
  std::set<std::string> idle_;  // names of workers
};

}  // namespace joseki::coordinator
