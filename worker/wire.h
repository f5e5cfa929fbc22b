#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "joseki/v1/artefact.pb.h"
#include "joseki/v1/worker.pb.h"
#include "worker/artefact_port.h"
#include "worker/coordinator_port.h"

// Conversions between the port's values and the messages of proto/joseki/v1. Incoming values are
// checked against the bounds in the protocol's comments: a DataLoss problem "bad_answer" names the
// field.
namespace joseki::worker {

v1::JoinRequest ToWire(const JoinInput& input);
v1::AcquireRequest ToWire(SessionId session, const AcquireInput& input);
v1::SubmitRequest ToWire(SessionId session, const SubmitInput& input);
v1::BeatRequest ToWire(SessionId session, const BeatInput& input);
v1::LeaveRequest ToWire(SessionId session, std::span<const SlotRef> unplayed);

absl::StatusOr<Session> FromWire(const v1::JoinResponse& response);
absl::StatusOr<AcquireOutput> FromWire(const v1::AcquireResponse& response);
absl::StatusOr<SubmitOutput> FromWire(const v1::SubmitResponse& response);
BeatOutput FromWire(const v1::BeatResponse& response);
absl::StatusOr<ArtefactManifest> FromWire(const v1::Manifest& manifest);

}  // namespace joseki::worker
