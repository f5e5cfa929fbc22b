#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// What every experiment says: its settings, what its games rest on, and how it ended.
namespace joseki::cli {

ExperimentReport Begin(const Laboratory& lab, const char* name, const char* title);
void NoteSources(const Laboratory& lab, ExperimentReport& report);
void NotePlay(const Laboratory& lab, ExperimentReport& report);
// The report, or the error that ended it; having been told to end is none.
absl::StatusOr<ExperimentReport> Finish(const Laboratory& lab, ExperimentReport& report,
                                        const absl::Status& status);

}  // namespace joseki::cli
