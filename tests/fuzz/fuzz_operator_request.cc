#include <optional>
#include <string>

#include "base/hash.h"
#include "book/database/importer.h"
#include "coordinator/services/operator_service.h"
#include "coordinator/services/put_book_service.h"
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
  // An accepted specification survives the conversion to the wire and back.
  const absl::StatusOr<RunSpec> again = FromWire(ToWire(*spec));
  if (!again.ok() || ToWire(*again).SerializeAsString() != ToWire(*spec).SerializeAsString()) {
    std::abort();
  }
  Fuzzed::MustBeTheCallersFault(
      coordinator.operators().CreateRun(*spec, request.request_id()).status());
}

void ChangeRun(Coordinator& coordinator, uint8_t which, std::string_view bytes) {
  v1::RunRequest request;
  if (!IsGood(bytes, request)) return;
  const auto change = which % 3 == 0   ? &OperatorCalls::PauseRun
                      : which % 3 == 1 ? &OperatorCalls::ResumeRun
                                       : &OperatorCalls::StopRun;
  Fuzzed::MustBeTheCallersFault((coordinator.operators().*change)(request.run()).status());
}

// The bytes of a whole upload that was promised as it is or otherwise; nullopt if it is refused.
template <typename Request, typename Take>
std::optional<std::string> Uploaded(Request request, bool honest, Take take) {
  const std::string data = request.data();
  if (honest) {
    const Sha256 sha256 = Sha256Of(data);
    request.set_size(data.size());
    request.set_sha256(std::string(sha256.begin(), sha256.end()));
  }
  Upload upload(1 << 16);
  request.set_data(data.substr(0, data.size() / 2));
  absl::Status status = take(request, upload);
  if (status.ok()) {
    Request rest;
    rest.set_data(data.substr(data.size() / 2));
    status = take(rest, upload);
  }
  Fuzzed::MustBeTheCallersFault(status);
  if (!status.ok()) return std::nullopt;
  absl::StatusOr<std::string> whole = upload.Finish();
  Fuzzed::MustBeTheCallersFault(whole.status());
  if (!whole.ok()) return std::nullopt;
  if (*whole != data) std::abort();
  return *std::move(whole);
}

void Import(uint8_t which, std::string_view bytes) {
  v1::ImportRequest request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  v1::ImportRequest header;
  const std::optional<std::string> file =
      Uploaded(request, which >= 12, [&header](const v1::ImportRequest& message, Upload& upload) {
        return TakePiece(message, header, upload);
      });
  if (!file) return;
  book::Importer importer(shogi::ShogiRules(), book::ImportOptions());
  importer.AddBytes("upload", *file);
}

void PutBook(Coordinator& coordinator, uint8_t which, std::string_view bytes) {
  v1::PutBookRequest request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  const std::optional<std::string> book = Uploaded(
      request, which >= 12,
      [](const v1::PutBookRequest& message, Upload& upload) { return TakePiece(message, upload); });
  if (book) Fuzzed::MustBeTheCallersFault(coordinator.operators().PutBook(*book).status());
}

void FreeLines(Coordinator& coordinator, std::string_view bytes) {
  v1::FreeLinesRequest request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  const auto line = FromWire(request, shogi::ShogiRules());
  Fuzzed::MustBeTheCallersFault(line.status());
  if (!line.ok()) return;
  Fuzzed::MustBeTheCallersFault(coordinator.operators().FreeLines(request.run(), *line).status());
}

void Say(Coordinator& coordinator, uint8_t which, std::string_view bytes) {
  switch (which % 13) {
    case 0:
      return CreateRun(coordinator, bytes);
    case 1:
    case 2:
    case 3:
      return ChangeRun(coordinator, which % 13, bytes);
    case 4: {
      v1::DrainRequest request;
      if (IsGood(bytes, request)) coordinator.operators().Drain(request.worker());
      return;
    }
    case 5:
      return Import(which, bytes);
    case 6: {
      v1::BlockWorkerRequest request;
      if (!IsGood(bytes, request)) return;
      const auto ended =
          coordinator.operators().BlockWorker(request.worker(), request.reason(), request.unseen());
      return Fuzzed::MustBeTheCallersFault(ended.status());
    }
    case 7: {
      v1::SetPriorityRequest request;
      if (!IsGood(bytes, request)) return;
      const auto share =
          coordinator.operators().SetPriority(request.run(), request.priority(), request.weight());
      return Fuzzed::MustBeTheCallersFault(share.status());
    }
    case 8: {
      v1::UnblockWorkerRequest request;
      if (!IsGood(bytes, request)) return;
      return Fuzzed::MustBeTheCallersFault(
          coordinator.operators().UnblockWorker(request.worker(), request.keep_games_out()));
    }
    case 10:
      return PutBook(coordinator, which, bytes);
    case 11:
      return FreeLines(coordinator, bytes);
    case 12: {
      v1::ExtendRunRequest request;
      if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
      const absl::StatusOr<MoreToPlay> more = FromWire(request);
      if (!more.ok()) return;
      return Fuzzed::MustBeTheCallersFault(
          coordinator.operators().ExtendRun(request.run(), *more).status());
    }
    default: {
      v1::DrainRequest request;
      if (!IsGood(bytes, request)) return;
      return Fuzzed::MustBeTheCallersFault(
          coordinator.operators().Undrain(request.worker()).status());
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
