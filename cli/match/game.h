#pragma once

#include <array>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "cli/context.h"
#include "cli/match/settings.h"
#include "worker/play/player.h"
#include "worker/play/referee.h"

namespace joseki::cli {

// A finished game of a match, as the match file keeps it.
struct MatchGame {
  book::SeriesGame game;
  MatchStart start;
  std::vector<Move> moves;  // the start's line included
  book::SeriesOutcome outcome;
};

// A hash that distinguishes games.
uint64_t HashOf(const MatchStart& start, const std::vector<Move>& moves);

// Plays one game under our own referee. `players` by book::Side, made for the match's settings.
// Cancelled if `keep_going` returned false or a player was stopped: no game was played then.
absl::StatusOr<MatchGame> PlayMatchGame(const Rules& rules, const MatchSettings& settings,
                                        const book::SeriesGame& game,
                                        const std::array<worker::Player*, 2>& players,
                                        const worker::KeepGoing& keep_going);

// A line of the match file and its reading: InvalidArgument "bad_game" with the fault.
Json MatchGameJson(const MatchGame& game, const Rules& rules);
absl::StatusOr<MatchGame> MatchGameOf(const Json& json, const Rules& rules);

}  // namespace joseki::cli
