#pragma once

#include <iosfwd>
#include <string>

#include "cli/context.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

// What tuning did to the moves of one position, for people and scripts.
namespace joseki::cli {

// The table of cli/move_table.h, with the answer before the run marked if it is another one now.
// `spec`: of the run.
void PrintStartMoves(const coordinator::PositionEvidence& before,
                     const coordinator::PositionEvidence& after, const coordinator::RunSpec& spec,
                     const Rules& rules, const Voice& voice, std::ostream& out);

// What the intervals allow to be said, in one sentence. Only moves with games are compared.
std::string Verdict(const coordinator::PositionEvidence& after, const Rules& rules,
                    const Voice& voice = Voice());
// Whether the answer's interval lies above those of all other moves, which all have games.
bool AnswerStandsOut(const coordinator::PositionEvidence& after);

Json StartMovesJson(const coordinator::PositionEvidence& before,
                    const coordinator::PositionEvidence& after, const Rules& rules);

}  // namespace joseki::cli
