#pragma once

#include <iosfwd>
#include <string>

#include "book/stats/series.h"
#include "cli/context.h"
#include "cli/match/settings.h"
#include "cli/words/voice.h"

namespace joseki::cli {

// The number; null if it is infinite.
Json FiniteJson(double value);

// The result of a match, for scripts: pairs, games, score, Elo with 95 % intervals, the test,
// results by colour, terminations, and each side's effort. Infinities are null.
Json MatchJson(const MatchSettings& settings, const book::Series& series);

// Prints the result and the settings for people.
void PrintMatch(const MatchSettings& settings, const book::Series& series, std::ostream& out);

// The conclusion that the result allows, in one sentence.
std::string MatchVerdict(const book::Series& series, const book::SeriesRules& rules);

// One line of progress: "A 60-3-37, +70 [+12, +131] Elo, LLR 0.41 of -2.94..2.94".
std::string MatchLine(const book::Series& series, const book::SeriesRules& rules,
                      const Voice& voice = Voice());

// "+21 Elo, between -52 and +94"; says so where games are too few for a bound.
std::string EloWords(const book::Estimate& elo, const Voice& voice = Voice());
// The short form: "+21.3 [-52.0, +94.1]"; "?" where games are too few for a bound.
std::string EloRange(const book::Estimate& elo);

}  // namespace joseki::cli
