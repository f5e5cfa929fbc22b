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

// The lines whose slots brought no game that counts: they wait to be played again, oldest lease
// first. A failure may be the line's or the worker's, and nobody knows which of the two:
//
//   one worker     after `attempts` failures of its own the line is withheld from it, and only from
//                  it, until somebody has played the line or the stage is over; so no line is tried
//                  for ever where there is one worker alone
//   `attempts`     different workers poison it: then nobody gets it, until an operator frees it or
//                  some of them are no longer believed
//
// A blocked worker has said nothing: a line that only it and too few others poisoned is given out
// again.
// Guarded by the owner's mutex.
class LostLines {
 public:
  struct Options {
    // A line is poisoned after so many failures in a row, of as many workers.
    uint32_t attempts = 3;
    // Where games that went that way ended with the line, the workers may be at fault: then it
    // takes so many times as many failures, of one worker or of all.
    uint32_t patience_with_played = 3;
  };

  // A line that waits, for the slot that had it.
  struct Lost {
    SlotRef slot;
    std::vector<Move> line;
    std::vector<Move> excluded;
    uint32_t failures = 0;  // of this line in the slots that the next one replaces
    std::optional<Color> own = {};
    std::string reason = {};               // of the last one
    std::vector<LineFailure> failed = {};  // the newest of them, at most kMaxFailed
  };
  // Whether games were played whose line ended where this one does.
  using EndedThere = std::function<bool(const Lost&)>;

  explicit LostLines(Options options) : options_(options) {}

  void Add(Lost lost);
  // The first waiting line that the worker may play: it waits no more.
  std::optional<Lost> Next(const std::string& worker);
  // Its line needs not be played again, if it still waits.
  void Forget(SlotRef slot);
  // A game of the line was played to its end; whether it was withheld from anybody.
  bool Played(const std::vector<Move>& line) { return withheld_.erase(line) != 0; }
  // Nothing waits and nothing is withheld any more; what is poisoned is.
  void ForgetAll();

  // Judges the line that waits in place of the slot, if one does.
  void PoisonIfBad(SlotRef slot, const EndedThere& ended_there);
  // Judges all that wait.
  void PoisonBad(const EndedThere& ended_there);
  void Restore(std::span<const PoisonedLine> lines);

  // Sets who is believed from now on.
  void SetTrust(const Trust& trust);
  // The failures under leases before `next` say nothing of the line any more, or of any line that
  // is poisoned or withheld; how many lines were.
  size_t Free(const std::optional<std::vector<Move>>& line, LeaseId next);

  bool IsPoisoned(const std::vector<Move>& line) const { return poisoned_.count(line) != 0; }
  // Whether the worker must not have it: poisoned, or withheld from this worker.
  bool Refuses(const std::vector<Move>& line, const std::string& worker) const;
  bool refuses_any() const { return !poisoned_.empty() || !withheld_.empty(); }
  size_t poisoned() const { return poisoned_.size(); }
  // At most so many of those that are poisoned.
  std::vector<PoisonedLine> Poisoned(size_t most) const;
  // Lines poisoned or freed since the last call, to be written.
  std::vector<PoisonedLine> TakePoisoned();

 private:
  // Those of the line that no operator has taken back.
  FailureWeight WeighAt(const std::vector<Move>& line, std::span<const LineFailure> failed) const;
  // Puts what it says of the line into force.
  void Apply(const PoisonedLine& line);
  // Lets a held line wait again that is poisoned no more.
  void ReleaseHeld();

  const Options options_;
  Trust trust_;
  std::map<SlotRef, Lost> waiting_;
  std::map<SlotRef, Lost> held_;  // as waiting_, of lines that are poisoned
  std::map<std::vector<Move>, std::set<std::string>> withheld_;  // from which workers
  std::map<std::vector<Move>, PoisonedLine> known_;              // that ever were poisoned or freed
  std::set<std::vector<Move>> poisoned_;                         // of these, those that are now
  std::vector<PoisonedLine> to_write_;
};

}  // namespace joseki::coordinator
