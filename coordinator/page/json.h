#pragma once

#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"
#include "nlohmann/json.hpp"

// A status, a worker, a position and a game as JSON, with one vocabulary for the page and for
// `joseki --json`. Unknown figures are null.
namespace joseki::coordinator {

using Json = nlohmann::ordered_json;

// `cluster`: the status that contains the run's.
Json RunJson(const RunStatus& run, const ClusterStatus& cluster);
// Runs and the coordinator itself, without the workers.
Json StatusJson(const ClusterStatus& status);
Json LineSearchJson(const LineSearchStatus& searches);
Json WorkerJson(const WorkerStatus& worker);
Json PositionJson(const PositionEvidence& position, const Rules& rules);
// A game in the form of `joseki games`.
Json GameJson(const GameRow& game, const Rules& rules);

// The share of a worker's processor time inside searches; 0 if unknown.
double SearchShare(const WorkerCost& cost);

}  // namespace joseki::coordinator
