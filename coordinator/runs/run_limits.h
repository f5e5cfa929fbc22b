#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/runs/run_searches.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// How far a run may go: the limits of its specification over what it has played so far. Pure
// functions of the run's parts.
struct RunLimits {
  const RunRow& row;
  const RunBook& book;
  const RunEvidence& evidence;
  const RunSearches& searches;
  const std::optional<MatchState>& match;  // nullopt: it is none

  // Games that the budget was spent on: those that count, and searches along lines in games' worth.
  uint64_t games_spent() const { return evidence.counters().games + searches.games_spent(); }
  bool budget_used() const { return row.spec.games > 0 && games_spent() >= row.spec.games; }
  // No position is left worth a game; the second: and the run ends for it.
  bool no_gain_left() const;
  bool nothing_left() const;
  // Nothing is given out any more, for whatever reason.
  bool used_up() const { return row.time_over() || budget_used() || nothing_left(); }

  // How many further games could be given out while `open` slots are open, if there are lines for
  // them; 0 unless the run is running.
  uint64_t GamesLeft(uint64_t open) const;
  // Counted games that the stage still needs, those that earlier ones lack included. REQUIRES: the
  // policy has stages, and this is one.
  uint64_t StageLeft() const;

  // Why a run that is used up, or has no stage left, is done.
  std::string EndReason() const;
  // Why a run is done whose next stage would find much the same as the one that is over; nullopt:
  // it would not.
  std::optional<std::string> StableAnswers() const;
};

}  // namespace joseki::coordinator
