#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

// The parts of every report: its settings, the sources of its games, and its end.
namespace joseki::cli {

ExperimentReport Begin(const Laboratory& lab, const char* name, const char* title);
void NoteSources(const Laboratory& lab, ExperimentReport& report);
void NotePlay(const Laboratory& lab, ExperimentReport& report);
// The report, or the error that ended it; an interruption is no error.
absl::StatusOr<ExperimentReport> Finish(const Laboratory& lab, ExperimentReport& report,
                                        const absl::Status& status);

}  // namespace joseki::cli
