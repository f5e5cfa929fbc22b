#pragma once

#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"
#include "nlohmann/json.hpp"

// A status, a worker, a position and a game as JSON: one vocabulary for the page and
// for `joseki --json`. Figures that are not known are null.
namespace joseki::coordinator {

using Json = nlohmann::ordered_json;

// `cluster` is what the run's status came with.
Json RunJson(const RunStatus& run, const ClusterStatus& cluster);
// Runs and the coordinator itself, without the workers.
Json StatusJson(const ClusterStatus& status);
Json LineSearchJson(const LineSearchStatus& searches);
Json WorkerJson(const WorkerStatus& worker);
Json PositionJson(const PositionEvidence& position, const Rules& rules);
// As `joseki games` lists them.
Json GameJson(const GameRow& game, const Rules& rules);

// The part of a worker's processor time inside searches; 0 where none was told.
double SearchShare(const WorkerCost& cost);

}  // namespace joseki::coordinator
