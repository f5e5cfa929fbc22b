#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/model/messages.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// The lines whose slots brought no game that counts: they wait to be played again, oldest lease
// first, and those that failed too often are poisoned for good. Guarded by the owner's mutex.
class LostLines {
 public:
  struct Options {
    // A line is poisoned after so many failures in a row.
    uint32_t attempts = 3;
    // Where games that went that way ended with the line, the workers may be at fault: then it
    // takes so many times as many.
    uint32_t patience_with_played = 3;
  };

  // A line that waits, for the slot that had it.
  struct Lost {
    SlotRef slot;
    std::vector<Move> line;
    std::vector<Move> excluded;
    uint32_t failures = 0;  // of this line in the slots that the next one replaces
    std::optional<Color> own = {};
    std::string reason = {};  // of the last one
  };
  // Whether games were played whose line ended where this one does.
  using EndedThere = std::function<bool(const Lost&)>;

  explicit LostLines(Options options) : options_(options) {}

  // Waits, unless its line is poisoned.
  void Add(Lost lost);
  // Of those that wait, the first to be played again: it waits no more.
  std::optional<Lost> Next();
  // Its line needs not be played again, if it still waits.
  void Forget(SlotRef slot) { waiting_.erase(slot); }
  void ForgetAll() { waiting_.clear(); }

  // Judges the line that waits in place of the slot, if one does.
  void PoisonIfBad(SlotRef slot, const EndedThere& ended_there);
  // Judges all that wait.
  void PoisonBad(const EndedThere& ended_there);
  void Restore(std::span<const PoisonedLine> lines);

  bool IsPoisoned(const std::vector<Move>& line) const { return poisoned_.count(line) != 0; }
  size_t poisoned() const { return poisoned_.size(); }
  // At most so many of those that are poisoned.
  std::vector<PoisonedLine> Poisoned(size_t most) const;
  // Those poisoned since the last call.
  std::vector<PoisonedLine> TakePoisoned();

 private:
  const Options options_;
  std::map<SlotRef, Lost> waiting_;
  std::map<std::vector<Move>, PoisonedLine> poisoned_;
  std::vector<PoisonedLine> newly_poisoned_;
};

}  // namespace joseki::coordinator
