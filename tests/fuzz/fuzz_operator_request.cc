#include "coordinator/services/to_wire.h"
#include "joseki/v1/operator.pb.h"
#include "tests/fuzz/fuzz_request.h"

namespace joseki::coordinator {
namespace {

using Fuzzed = FuzzedCoordinator;

template <typename Request>
bool IsGood(std::string_view bytes, Request& request) {
  return request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
         Check(request).ok();
}

void CreateRun(Coordinator& coordinator, std::string_view bytes) {
  v1::CreateRunRequest request;
  if (!IsGood(bytes, request)) return;
  const absl::StatusOr<RunSpec> spec = FromWire(request.spec());
  if (!spec.ok()) return;
  // What is believed of a run says the same on the way back.
  const absl::StatusOr<RunSpec> again = FromWire(ToWire(*spec));
  if (!again.ok() || ToWire(*again).SerializeAsString() != ToWire(*spec).SerializeAsString()) {
    std::abort();
  }
  Fuzzed::MustBeTheCallersFault(coordinator.CreateRun(*spec, request.request_id()).status());
}

void ChangeRun(Coordinator& coordinator, uint8_t which, std::string_view bytes) {
  v1::RunRequest request;
  if (!IsGood(bytes, request)) return;
  const auto change = which % 3 == 0   ? &Coordinator::PauseRun
                      : which % 3 == 1 ? &Coordinator::ResumeRun
                                       : &Coordinator::StopRun;
  Fuzzed::MustBeTheCallersFault((coordinator.*change)(request.run()).status());
}

void Say(Coordinator& coordinator, uint8_t which, std::string_view bytes) {
  switch (which % 11) {
    case 0:
      return CreateRun(coordinator, bytes);
    case 1:
    case 2:
    case 3:
      return ChangeRun(coordinator, which % 11, bytes);
    case 4: {
      v1::DrainRequest request;
      if (IsGood(bytes, request)) coordinator.Drain(request.worker());
      return;
    }
    case 5: {
      v1::ImportRequest request;
      if (request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        CheckImportHeader(request).IgnoreError();
      }
      return;
    }
    case 6: {
      v1::BlockWorkerRequest request;
      if (!IsGood(bytes, request)) return;
      const auto ended = coordinator.BlockWorker(request.worker(), request.reason());
      return Fuzzed::MustBeTheCallersFault(ended.status());
    }
    case 7: {
      v1::SetPriorityRequest request;
      if (!IsGood(bytes, request)) return;
      const auto share =
          coordinator.SetPriority(request.run(), request.priority(), request.weight());
      return Fuzzed::MustBeTheCallersFault(share.status());
    }
    case 8: {
      v1::UnblockWorkerRequest request;
      if (!IsGood(bytes, request)) return;
      return Fuzzed::MustBeTheCallersFault(
          coordinator.UnblockWorker(request.worker(), request.keep_games_out()));
    }
    case 10: {
      v1::ExtendRunRequest request;
      if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
      const absl::StatusOr<MoreToPlay> more = FromWire(request);
      if (!more.ok()) return;
      return Fuzzed::MustBeTheCallersFault(coordinator.ExtendRun(request.run(), *more).status());
    }
    default: {
      v1::DrainRequest request;
      if (IsGood(bytes, request)) coordinator.Undrain(request.worker());
      return;
    }
  }
}

}  // namespace
}  // namespace joseki::coordinator

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::coordinator::FuzzedCoordinator;
  static FuzzedCoordinator fuzzed;
  joseki::coordinator::Coordinator& coordinator = fuzzed.Next().coordinator();
  fuzzed.ForEachRequest(data, size, [&](uint8_t which, std::string_view bytes) {
    joseki::coordinator::Say(coordinator, which, bytes);
  });
  return 0;
}
