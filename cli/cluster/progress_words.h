#pragma once

#include <string>

#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// "899 of 5000 games (17 %)", with what searches along lines are worth of them.
std::string ProgressWords(const coordinator::RunStatus& run, const Voice& voice);
// What the run's trials bring: "expected score 58.3 % (+58 Elo)"; empty where nothing says it.
std::string ExpectedWords(const coordinator::RunStatus& run, const Voice& voice);
// What its nodes went into, in games: "games 500, answers 1800, replies 900, trials 1800"; empty of
// a run without searches along lines.
std::string SpentWords(const coordinator::RunStatus& run, const Voice& voice);

}  // namespace joseki::cli
