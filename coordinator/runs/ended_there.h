#pragma once

#include "coordinator/runs/lost_lines.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"

namespace joseki::coordinator {

// Whether some game's line ended where a lost one does, by the evidence of its last move and of the
// moves after it. Valid as long as the arguments are.
LostLines::EndedThere EndedThereBy(const RunBook& book, const RunEvidence& evidence,
                                   const RunSpec& spec);

}  // namespace joseki::coordinator
