#pragma once

#include <cstdint>
#include <string>

#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// "899 of 5000 games (17 %)"; searches along lines count by their worth in games.
std::string ProgressWords(const coordinator::RunStatus& run, const Voice& voice);
// The result of the run's trials: "expected score 58.3 % (+58 Elo)"; empty where there is none.
std::string ExpectedWords(const coordinator::RunStatus& run, const Voice& voice);
// The trouble of a run that goes on without a worker that can serve it: "no worker can serve it: 2
// workers lack the engine 'gps'"; else empty. The status of several runs has no reasons.
std::string NotServedWords(const coordinator::RunStatus& run, const Voice& voice);
// Reason why the run makes no more searches, or trials: "games alone from now on: the engine gives
// no scores". Empty: it makes them, or has made none.
std::string OffWords(const coordinator::RunStatus& run, const Voice& voice);
// Worth of the scores of trials: "slope of results on scores 1.02 [0.95, 1.09] by 2400 games".
// Empty: too few games tell.
std::string CalibrationWords(const coordinator::LineSearchStatus& searches, const Voice& voice);
// A run's nodes by purpose, in games: "games 500, answers 1800, replies 900, trials 1800".
std::string SpentWords(uint64_t games, const coordinator::LineSearchStatus& searches,
                       const Voice& voice);
// The overload for a run, with OffWords; empty if it has no searches along lines.
std::string SpentWords(const coordinator::RunStatus& run, const Voice& voice);

}  // namespace joseki::cli
