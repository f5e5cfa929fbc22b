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

// From the wire to coordinator/model/messages.h. Pure, and the only place where fields of
// requests are believed to be of some size: every one is checked against the bounds that its
// comment in proto/joseki/v1 names. A violation is an InvalidArgument problem "bad_field" whose
// place is the field's path ("games[3].moves"), with what was found and what was expected.
namespace joseki::coordinator {

// The problem of one field.
absl::Status BadField(std::string field, std::string found, std::string expected);

absl::StatusOr<JoinInput> FromWire(const v1::JoinRequest& request);
absl::StatusOr<AcquireInput> FromWire(const v1::AcquireRequest& request);
absl::StatusOr<SubmitInput> FromWire(const v1::SubmitRequest& request);
absl::StatusOr<std::vector<LeaseProgress>> FromWire(const v1::BeatRequest& request);
WorkerCost CostFromWire(const v1::BeatRequest& request);
absl::StatusOr<std::vector<SlotRef>> FromWire(const v1::LeaveRequest& request);
// An empty start position becomes "startpos". Whether game, start and policy exist is not looked
// at.
absl::StatusOr<RunSpec> FromWire(const v1::RunSpec& spec);
absl::StatusOr<MoreToPlay> FromWire(const v1::ExtendRunRequest& request);

// Bounds of requests that need no translation.
absl::Status Check(const v1::CreateRunRequest& request);  // but for the spec
absl::Status Check(const v1::RunRequest& request);
absl::Status Check(const v1::DrainRequest& request);
absl::Status Check(const v1::BlockWorkerRequest& request);
absl::Status Check(const v1::UnblockWorkerRequest& request);
absl::Status Check(const v1::SetPriorityRequest& request);
// The line that FreeLines names; nullopt: all of them.
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
