#pragma once

#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {

// The book that a run began with, as it was frozen: each position's answer is the one that it came
// with (BookAnswer::Before), and nothing is said of games.
ExportBook InputOf(const TunedRun& run);

}  // namespace joseki::coordinator
