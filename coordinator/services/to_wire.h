#pragma once

#include "coordinator/model/messages.h"
#include "coordinator/offline/spending.h"
#include "engine/core/rules.h"
#include "joseki/v1/operator.pb.h"
#include "joseki/v1/reader.pb.h"
#include "joseki/v1/types.pb.h"
#include "joseki/v1/worker.pb.h"

// From coordinator/model/messages.h to the wire. Pure. Durations are rounded up: a positive time
// must not become zero.
namespace joseki::coordinator {

v1::JoinResponse ToWire(const JoinOutput& output);
v1::AcquireResponse ToWire(const AcquireOutput& output);
v1::SubmitResponse ToWire(const SubmitOutput& output);
v1::BeatResponse ToWire(const BeatOutput& output);
v1::PlaySpec ToWire(const PlaySpec& play);
v1::RunSpec ToWire(const RunSpec& spec);
v1::Share ToWire(const Share& share);
// Poisoned lines are text by `rules`.
v1::Status ToWire(const ClusterStatus& status, const Rules& rules);
v1::PositionEvidence ToWire(const PositionEvidence& position, const Rules& rules);
v1::Spending ToWire(const SpendingReport& report, const Rules& rules);

}  // namespace joseki::coordinator
