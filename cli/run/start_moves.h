#pragma once

#include <iosfwd>
#include <string>

#include "cli/context.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

// The effect of tuning on the moves of one position, for people and scripts.
namespace joseki::cli {

// Prints the table of cli/move_table.h. If the answer has changed, the one before is marked: the
// move with the largest base weight. `spec`: of the run.
void PrintStartMoves(const coordinator::PositionEvidence& after, const coordinator::RunSpec& spec,
                     const Rules& rules, const Voice& voice, std::ostream& out);

// The conclusion that the intervals allow, in one sentence. Only moves with games are compared.
std::string Verdict(const coordinator::PositionEvidence& after, const Rules& rules,
                    const Voice& voice = Voice());
// Whether the answer's interval lies above those of all other moves, and all of them have games.
bool AnswerStandsOut(const coordinator::PositionEvidence& after);

Json StartMovesJson(const coordinator::PositionEvidence& before,
                    const coordinator::PositionEvidence& after, const Rules& rules);

}  // namespace joseki::cli
