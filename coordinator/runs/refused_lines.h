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

// Which lines a run refuses, to all workers or to one, and who finds none left: poisoned and
// withheld ones (LostLines), and, while there are others, those that rest (RestingLines). Guarded
// by the owner's mutex.
class RefusedLines {
 public:
  // Chooses a line that is not refused; nullopt if every line is.
  using Chooser = std::function<std::optional<book::Line>(Rng&, const book::LineFilter&)>;

  RefusedLines(LostLines::Options options, uint32_t draws_to_rest)
      : lost_(options), resting_(draws_to_rest) {}

  // The line that `choose` finds for the worker. Nullopt: none is left for it, and it is idle; or
  // none is left for anybody.
  std::optional<book::Line> Choose(const std::string& worker, Rng& rng, const Chooser& choose);
  bool IsIdle(const std::string& worker) const { return idle_.count(worker) != 0; }
  // Every line was poisoned at the last Choose.
  bool exhausted() const { return exhausted_; }

  // A game of the line was played to its end.
  void Played(const std::vector<Move>& line);
  // Nothing waits, is withheld or rests any more, and nobody is idle.
  void BeginStage();
  // Lines may be left again. Whether none was.
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
  std::set<std::string> idle_;  // workers
};

}  // namespace joseki::coordinator
