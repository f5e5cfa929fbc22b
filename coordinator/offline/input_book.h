#pragma once

#include "coordinator/offline/exporter.h"

namespace joseki::coordinator {

// The frozen book that a run began with. Each position has its answer of then (BookAnswer::Before),
// and no games.
ExportBook InputOf(const TunedRun& run);

}  // namespace joseki::coordinator
