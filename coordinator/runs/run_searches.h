#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/rng.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

// The searches of a run, as leased slots: of positions, for its priors, or along the lines that its
// book will be played by. A run that asks for the latter searches no positions, though its
// Evaluations may hold values that its book was imported with. Guarded by the owner's mutex.
class RunSearches {
 public:
  // Null: the run asks for none of these.
  RunSearches(std::shared_ptr<Evaluations> evaluations, std::shared_ptr<LineSearches> along_lines)
      : evaluations_(std::move(evaluations)), along_lines_(std::move(along_lines)) {}

  const Evaluations* evaluations() const { return evaluations_.get(); }
  const LineSearches* along_lines() const { return along_lines_.get(); }
  // The cost of those along lines so far, in games.
  uint64_t games_spent() const { return along_lines_ == nullptr ? 0 : along_lines_->games_spent(); }

  // How many could be given out now beside games to a worker that takes these kinds. `games` were
  // played or are open: searches along lines get their share.
  uint64_t Available(SlotKinds kinds, uint64_t games) const;
  // The next one, which is then open; nullopt: a game comes next. Slot number, start and seed are
  // the caller's.
  std::optional<PlannedSlot> Next(SlotKinds kinds, uint64_t games, const std::string& worker,
                                  Rng& rng);
  void Withdraw(const PlannedSlot& plan) { slots()->Withdraw(plan); }
  // The slot ended without a result, with its lease or by a fault; `open`: it was until now.
  // `failed`: whose it is, where the position may be to blame.
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed);
  // After a restart: the slot's lease lives.
  void Reopen(const PlannedSlot& plan);
  // A result was committed; `open` as above. REQUIRES: the run has searches of this kind.
  void Add(const PlannedSlot& plan, bool open, Evaluation evaluation);
  void Add(const PlannedSlot& plan, bool open, const LineSearch& found);

  // Takes a change of trust over, for so many positions at most; true when all are done.
  bool SetTrust(const Trust& trust, uint32_t most);

 private:
  // Those that slots are of; null: neither.
  SearchSlots* slots() const;

  std::shared_ptr<Evaluations> evaluations_;
  std::shared_ptr<LineSearches> along_lines_;
};

}  // namespace joseki::coordinator
