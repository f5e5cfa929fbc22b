#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"
#include "joseki/v1/artefact.pb.h"
#include "joseki/v1/operator.pb.h"
#include "joseki/v1/reader.pb.h"
#include "joseki/v1/types.pb.h"
#include "joseki/v1/worker.pb.h"

// From the wire to coordinator/model/messages.h. Pure, and the only place where the sizes of
// request fields are checked: each against the bounds in its comment in proto/joseki/v1. A
// violation is an InvalidArgument problem "bad_field" at the field's path ("games[3].moves"), with
// the found and the expected value.
namespace joseki::coordinator {

// The problem of one field.
absl::Status BadField(std::string field, std::string found, std::string expected);

absl::StatusOr<JoinInput> FromWire(const v1::JoinRequest& request);
absl::StatusOr<AcquireInput> FromWire(const v1::AcquireRequest& request);
absl::StatusOr<SubmitInput> FromWire(const v1::SubmitRequest& request);
absl::StatusOr<std::vector<LeaseProgress>> FromWire(const v1::BeatRequest& request);
std::optional<WorkerCost> CostFromWire(const v1::BeatRequest& request);
absl::StatusOr<std::vector<SlotRef>> FromWire(const v1::LeaveRequest& request);
// An empty start position becomes "startpos". Does not check that game, start and policy exist.
absl::StatusOr<RunSpec> FromWire(const v1::RunSpec& spec);
absl::StatusOr<MoreToPlay> FromWire(const v1::ExtendRunRequest& request);

// Checks the bounds of requests that need no translation.
absl::Status Check(const v1::CreateRunRequest& request);  // without the spec
absl::Status Check(const v1::RunRequest& request);
absl::Status Check(const v1::DrainRequest& request);
absl::Status Check(const v1::BlockWorkerRequest& request);
absl::Status Check(const v1::UnblockWorkerRequest& request);
absl::Status Check(const v1::SetPriorityRequest& request);
// The line that FreeLines names; nullopt: all lines.
absl::StatusOr<std::optional<std::vector<Move>>> FromWire(const v1::FreeLinesRequest& request,
                                                          const Rules& rules);
absl::Status CheckImportHeader(const v1::ImportRequest& first);
absl::Status Check(const v1::WatchStatusRequest& request);
absl::Status Check(const v1::GetPositionRequest& request);
absl::Status Check(const v1::ListGamesRequest& request);
absl::Status Check(const v1::GetSpendingRequest& request);
absl::Status Check(const v1::ManifestRequest& request);
absl::Status Check(const v1::FetchRequest& request);

}  // namespace joseki::coordinator
