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

// A game of a match as it was played, and as the match file keeps it.
struct MatchGame {
  book::SeriesGame game;
  MatchStart start;
  std::vector<Move> moves;  // the start's line included
  std::string fault;        // what went wrong, where the ending is a fault
  book::SeriesOutcome outcome;
};

// What tells the game from others.
uint64_t HashOf(const MatchStart& start, const std::vector<Move>& moves);

// Plays one game under our own referee. `players` by book::Side, of the match's settings.
// Cancelled if `keep_going` said no, or a player was stopped: no game was played then.
absl::StatusOr<MatchGame> PlayMatchGame(const Rules& rules, const MatchSettings& settings,
                                        const book::SeriesGame& game,
                                        const std::array<worker::Player*, 2>& players,
                                        const worker::KeepGoing& keep_going);

// One line of the match file, and back: InvalidArgument "bad_game" with what is wrong.
Json MatchGameJson(const MatchGame& game, const Rules& rules);
absl::StatusOr<MatchGame> MatchGameOf(const Json& json, const Rules& rules);

}  // namespace joseki::cli
