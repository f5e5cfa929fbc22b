#include "proto/grpc_status.h"

#include <string>
#include <string_view>

#include "absl/strings/cord.h"

namespace joseki {
namespace {

// Status payloads travel as "<url>\n<bytes>"; at most one is attached by base/problem.
std::string Details(const absl::Status& status) {
  std::string details;
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    details = std::string(url) + "\n" + std::string(payload);
  });
  return details;
}

}  // namespace

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()),
                      Details(status));
}

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  absl::Status result(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  const std::string details = status.error_details();
  if (const size_t end = details.find('\n'); end != std::string::npos) {
    result.SetPayload(details.substr(0, end), absl::Cord(details.substr(end + 1)));
  }
  return result;
}

}  // namespace joseki
