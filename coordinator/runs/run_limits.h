#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coordinator/model/rows.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/runs/run_searches.h"

namespace joseki::coordinator {

// Remaining budget of a run: the limits of its specification less what it has played. Pure
// functions of the run's parts.
struct RunLimits {
  const RunRow& row;
  const RunBook& book;
  const RunEvidence& evidence;
  const RunSearches& searches;
  const std::optional<MatchState>& match;  // nullopt: no match

  // Games that the budget was spent on: counted ones, and searches along lines in games' worth.
  uint64_t games_spent() const { return evidence.counters().games + searches.games_spent(); }
  bool budget_used() const { return row.spec.games > 0 && games_spent() >= row.spec.games; }
  // Whether no position is left worth a game; nothing_left: and the run ends by that rule.
  bool no_gain_left() const;
  bool nothing_left() const;
  // Whether nothing is granted any more, for any of the reasons.
  bool used_up() const { return row.time_over() || budget_used() || nothing_left(); }

  // Games that the run will have spent at its end, at its pace so far where time bounds it. A run
  // that nothing bounds, or time alone and has no pace yet, is taken to be half over.
  uint64_t ExpectedGames() const;
  // Number of further games that could be granted while `open` slots are open, if there are lines
  // for them. 0 unless the run is running.
  uint64_t GamesLeft(uint64_t open) const;
  // Counted games that the stage still needs, those missing from earlier stages included. REQUIRES:
  // the policy has stages, and one of them is running.
  uint64_t StageLeft() const;

  // Reason for the end of a run that is used up or has no stage left.
  std::string EndReason() const;
  // Reason for the end of a run whose next stage would give nearly the same answers; nullopt if it
  // would not.
  std::optional<std::string> StableAnswers() const;
};

}  // namespace joseki::coordinator
