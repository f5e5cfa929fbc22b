#pragma once

#include <iosfwd>
#include <string>

#include "cli/context.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

// What tuning did to the moves of one position, for people and scripts.
namespace joseki::cli {

// A table: each move's weight before and after, games, wins, draws, losses, score and its 95 %
// interval, and which move the book answers.
void PrintStartMoves(const coordinator::PositionEvidence& before,
                     const coordinator::PositionEvidence& after, const Rules& rules,
                     std::ostream& out);

// What the intervals allow to be said, in one sentence.
std::string Verdict(const coordinator::PositionEvidence& after, const Rules& rules);
// Whether the answer's interval lies above those of all other moves.
bool AnswerStandsOut(const coordinator::PositionEvidence& after);

Json StartMovesJson(const coordinator::PositionEvidence& before,
                    const coordinator::PositionEvidence& after, const Rules& rules);

}  // namespace joseki::cli
