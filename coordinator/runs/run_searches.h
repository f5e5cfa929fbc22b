#pragma once

#include <cstddef>
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

// Searches of a run as leased slots: of positions, for its priors, or along the lines that its book
// will be played through. A run with searches along lines searches no positions, though its
// Evaluations may hold imported values. Guarded by the owner's mutex.
class RunSearches {
 public:
  // Null: the run asks for none of the kind.
  RunSearches(std::shared_ptr<Evaluations> evaluations, std::shared_ptr<LineSearches> along_lines)
      : evaluations_(std::move(evaluations)), along_lines_(std::move(along_lines)) {}

  const Evaluations* evaluations() const { return evaluations_.get(); }
  const LineSearches* along_lines() const { return along_lines_.get(); }
  // Cost of searches along lines so far, in games.
  uint64_t games_spent() const {
    return along_lines_ == nullptr ? 0 : along_lines_->budget().games_spent();
  }

  // Searches along lines that ended by a fault.
  uint64_t faults() const { return along_lines_ == nullptr ? 0 : along_lines_->faults(); }
  void CountFault() {
    if (along_lines_ != nullptr) along_lines_->CountFault();
  }

  // Shares nodes out as suits a run of so many games' worth in all.
  void PlanFor(uint64_t games) {
    if (along_lines_ != nullptr) along_lines_->PlanFor(games);
  }
  // Number of searches that can be granted now beside games to a worker that accepts these kinds.
  // `games` were played or are open; searches along lines get their share. `trials`: whether these
  // are made.
  uint64_t Available(SlotKinds kinds, uint64_t games, bool trials) const;
  // Opens the next search; nullopt if a game comes next. The caller sets slot number, start and
  // seed.
  std::optional<PlannedSlot> Next(SlotKinds kinds, uint64_t games, bool trials,
                                  const std::string& worker, Rng& rng);
  void Withdraw(const PlannedSlot& plan) { slots()->Withdraw(plan); }
  // Ends the slot without a result, with its lease or by a fault. `open`: the slot was open until
  // now. `failed`: worker and lease, if the position may be to blame.
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed);
  // Opens a slot whose lease is alive after a restart.
  void Reopen(const PlannedSlot& plan);
  // Adds a committed result; `open` as above. REQUIRES: the run has searches of this kind.
  void Add(const PlannedSlot& plan, bool open, Evaluation evaluation);
  void Add(const PlannedSlot& plan, bool open, const LineSearch& found);
  // Notes that the copy of a committed search found the same. Of use along lines alone.
  void Confirm(const PlannedSlot& copy, const LineSearch& again);
  // Frees positions along lines that failures under leases before `next` closed; returns their
  // number.
  size_t Free(LeaseId next) { return along_lines_ == nullptr ? 0 : along_lines_->Free(next); }

  // Applies a change of trust to at most `most` positions, or some `most` results along lines; true
  // when all are done.
  bool SetTrust(const Trust& trust, uint32_t most);

 private:
  // The searches that leased slots belong to; null: neither kind.
  SearchSlots* slots() const;

  std::shared_ptr<Evaluations> evaluations_;
  std::shared_ptr<LineSearches> along_lines_;
};

}  // namespace joseki::coordinator
