#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The course of a run by its rows, beside its status (RunJson):
//   created_ms, first_ms, last_ms   Unix; the last two 0 without a game
//   played_seconds                  in state running
//   games, first_wins, second_wins, draws, plies, nodes, think_ms, workers, conflicts, checked,
//   differed, distrusted            of its games
//   steps     [{until_ms, games, searches, positions, changed, found}] (answer_course.h)
//   course    [{trials, score, error}]: expected score by equal parts of its trials
//   book      {positions, moves} of its input
//   spending  {positions, reached, settled, recent_games, gain, left, top: [{position, ply, games,
//             recent, standing, answer, gain}]} (spending.h); null of a match
//   changed   number of changed answers
//   movers    the most played of them: [{position, line, games, before, after}], with the moves
//             by AnswerJson
//   proof     ProofJson
//   match     of a match: {pairs, wins, draws, losses, elo, elo_low, elo_high, llr, lower, upper};
//             else null
// Reads every game of the run several times. NotFound "unknown_run".
absl::StatusOr<Json> RunReportJson(book::Store& store, const Rules& rules, RunId run);

}  // namespace joseki::coordinator
