#pragma once

#include <string>

#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// "899 of 5000 games (17 %)"; searches along lines count by their worth in games.
std::string ProgressWords(const coordinator::RunStatus& run, const Voice& voice);
// The result of the run's trials: "expected score 58.3 % (+58 Elo)"; empty where there is none.
std::string ExpectedWords(const coordinator::RunStatus& run, const Voice& voice);
// The run's nodes by purpose, in games: "games 500, answers 1800, replies 900, trials 1800". Empty
// for a run without searches along lines.
std::string SpentWords(const coordinator::RunStatus& run, const Voice& voice);

}  // namespace joseki::cli
