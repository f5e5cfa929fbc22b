#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/runs/failure_weight.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Lines whose slots brought no counted game. They wait to be played again, oldest lease first. A
// failure may be due to the line or to the worker:
//
//   one worker    after `attempts` failures of its own the line is withheld from it alone,
//                 until the line has been played or the stage is over; so a single worker does
//                 not try a line for ever
//
//   many workers  after failures of `attempts` workers the line is poisoned: no worker gets it
//                 until an operator frees it, or some of those workers lose their trust
//
// Failures of a blocked worker do not count: lines that too few others poisoned are granted again.
// Guarded by the owner's mutex.
class LostLines {
 public:
  struct Options {
    // Consecutive failures, of as many workers, that poison a line.
    uint32_t attempts = 3;
    // If games have ended with the line, the workers may be at fault. A factor on the failures
    // needed then, of one worker or of all.
    uint32_t patience_with_played = 3;
  };

  // A waiting line, with the slot that had it.
  struct Lost {
    SlotRef slot;
    std::vector<Move> line;
    std::vector<Move> excluded;
    uint32_t failures = 0;  // of this line in the slots that the next one replaces
    std::optional<Color> own = {};
    std::string reason = {};               // of the last one
    std::vector<LineFailure> failed = {};  // the newest, at most kMaxFailed
  };
  // Whether games have been played whose line ended where this one does.
  using EndedThere = std::function<bool(const Lost&)>;

  explicit LostLines(Options options) : options_(options) {}

  void Add(Lost lost);
  // Takes the first waiting line that the worker may play.
  std::optional<Lost> Next(const std::string& worker);
  // Drops the slot's line, which has been played, if it still waits.
  void Forget(SlotRef slot);
  // Notes that a game of the line was played to its end; returns whether the line was withheld.
  bool Played(const std::vector<Move>& line) { return withheld_.erase(line) != 0; }
  // Clears waiting and withheld lines; poisoned ones stay.
  void ForgetAll();

  // Judges the line that waits in place of the slot, if there is one.
  void PoisonIfBad(SlotRef slot, const EndedThere& ended_there);
  // Judges all waiting lines.
  void PoisonBad(const EndedThere& ended_there);
  void Restore(std::span<const PoisonedLine> lines);

  // Sets the trust by which failures are counted.
  void SetTrust(const Trust& trust);
  // Frees the line, or every poisoned or withheld one; returns their number. Failures under leases
  // before `next` no longer count. Freeing all also writes a row of the empty line, poisoned or
  // not: the run's searches were freed too.
  size_t Free(const std::optional<std::vector<Move>>& line, LeaseId next);

  bool IsPoisoned(const std::vector<Move>& line) const { return poisoned_.count(line) != 0; }
  // Whether the line is poisoned, or withheld from this worker.
  bool Refuses(const std::vector<Move>& line, const std::string& worker) const;
  bool refuses_any() const { return !poisoned_.empty() || !withheld_.empty(); }
  size_t poisoned() const { return poisoned_.size(); }
  // Up to `most` poisoned lines.
  std::vector<PoisonedLine> Poisoned(size_t most) const;
  // Lines poisoned or freed since the last call. Write them.
  std::vector<PoisonedLine> TakePoisoned();

 private:
  // Weighs the failures of the line since an operator last freed it.
  FailureWeight WeighAt(const std::vector<Move>& line, std::span<const LineFailure> failed) const;
  // Applies a row of `poisoned_lines`.
  void Apply(const PoisonedLine& line);
  // Moves held lines that are no longer poisoned to the waiting ones.
  void ReleaseHeld();

  const Options options_;
  Trust trust_;
  std::map<SlotRef, Lost> waiting_;
  std::map<SlotRef, Lost> held_;  // like waiting_, for poisoned lines
  std::map<std::vector<Move>, std::set<std::string>> withheld_;  // from which workers
  std::map<std::vector<Move>, PoisonedLine> known_;  // all that ever were poisoned or freed
  std::set<std::vector<Move>> poisoned_;             // those of known_ that are poisoned now
  std::vector<PoisonedLine> to_write_;
};

}  // namespace joseki::coordinator
