#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "book/evidence.h"
#include "cli/words/voice.h"
#include "coordinator/model/messages.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

// The table of one position's moves; columns have one name wherever it is shown.
namespace joseki::cli {

struct MoveRow {
  std::string move;  // in the notation of the voice
  bool answer = false;
  double share = 0;  // of a run's input book; without a run, of the games and counts here
  std::optional<double> weight;  // WeightIn
  book::Evidence evidence;
  int64_t games = 0;  // all that were played
  double low = 0;     // 95 % interval of the share of wins among the decided games
  double high = 1;
  std::string note;
};

// The unit of the column of weights.
enum class RowsOf {
  kBook,   // weights are base weights
  kScore,  // a run whose policy's weights are scores
  kPoints  // a run whose policy adds up points
};
RowsOf RowsOfRun(const coordinator::RunSpec& spec);

// What the run makes of a move of the position, or without a run its base weight. Nullopt: searches
// and trials choose here, and say nothing of this move.
std::optional<double> WeightIn(const coordinator::ExportBook::Position& position,
                               const coordinator::ExportBook::Move& move);

// One row per move, in the order of the position's moves.
std::vector<MoveRow> RowsFor(const coordinator::ExportBook::Position& position, RowsOf of,
                             const Rules& rules, const Voice& voice);

// Prints a header, the rows, and two lines that explain the columns. Rows without decided games
// have neither score nor interval.
void PrintMoveTable(const std::vector<MoveRow>& rows, RowsOf of, const Voice& voice,
                    std::ostream& out);

// "51.0 % of 222 decided games (49.6 to 52.5 %)": a score, its number of games and its interval; or
// "no decided game".
std::string ScoreWords(const book::Evidence& evidence, double low, double high,
                       const Voice& voice = Voice());

// "12 games, 51.0 % of 10 decided games (20.1 to 81.0 %), value 52.3": what a book says of a move
// of the position; "nothing known" without any.
std::string EvidenceWords(const coordinator::ExportBook::Position& position,
                          const coordinator::ExportBook::Move& move, RowsOf of,
                          const Voice& voice = Voice());

}  // namespace joseki::cli
