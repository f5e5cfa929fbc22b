#include "base/certificates/certificate.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/services/to_wire.h"
#include "joseki/v1/enroll.pb.h"
#include "joseki/v1/reader.pb.h"
#include "tests/fuzz/fuzz_request.h"

namespace joseki::coordinator {
namespace {

using Fuzzed = FuzzedCoordinator;

template <typename Request>
bool Parse(std::string_view bytes, Request& request) {
  return request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Bytes that are no request must be refused as such, and a name must survive a URI.
void Enroll(std::string_view bytes) {
  v1::EnrollRequest request;
  if (!Parse(bytes, request)) return;
  const absl::Status status = certificates::KeyOfRequest(request.request()).status();
  if (!status.ok() && status.code() != absl::StatusCode::kInvalidArgument) std::abort();
  const auto identity = certificates::IdentityOf(request.worker());
  if (identity && certificates::UriOf(*identity) != request.worker()) std::abort();
}

void Say(Coordinator& coordinator, const Rules& rules, uint8_t which, std::string_view bytes) {
  switch (which % 6) {
    case 0: {
      v1::GetStatusRequest request;
      if (!Parse(bytes, request)) return;
      return Fuzzed::MustBeSendable(ToWire(coordinator.readers().GetStatus(request.run()), rules));
    }
    case 1: {
      v1::WatchStatusRequest request;
      if (Parse(bytes, request)) Check(request).IgnoreError();
      return;
    }
    case 2: {
      v1::GetPositionRequest request;
      if (!Parse(bytes, request) || !Check(request).ok()) return;
      const auto position = coordinator.readers().GetPosition(request.run(), request.position());
      Fuzzed::MustBeTheCallersFault(position.status());
      if (position.ok()) Fuzzed::MustBeSendable(ToWire(*position, rules));
      return;
    }
    case 3: {
      v1::ExportBookRequest request;
      if (Parse(bytes, request)) (void)ExportFormatOf(request.format());
      return;
    }
    case 4: {
      v1::ListGamesRequest request;
      if (Parse(bytes, request)) Check(request).IgnoreError();
      return;
    }
    default:
      return Enroll(bytes);
  }
}

}  // namespace
}  // namespace joseki::coordinator

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::coordinator::FuzzedCoordinator;
  static FuzzedCoordinator fuzzed;
  joseki::coordinator::Coordinator& coordinator = fuzzed.Next().coordinator();
  fuzzed.ForEachRequest(data, size, [&](uint8_t which, std::string_view bytes) {
    joseki::coordinator::Say(coordinator, fuzzed.rules(), which, bytes);
  });
  return 0;
}
