#pragma once

#include "coordinator/runs/lost_lines.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"

namespace joseki::coordinator {

// Whether games of the run were played whose line ended where a lost one does, as far as the
// evidence of its last move and of the moves after it tells. Valid as long as the arguments are.
LostLines::EndedThere EndedThereBy(const RunBook& book, const RunEvidence& evidence,
                                   const RunSpec& spec);

}  // namespace joseki::coordinator
