#include "proto/grpc_status.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "base/retry_after.h"
#include "joseki/v1/error.pb.h"

namespace joseki {
namespace {

constexpr char kRetryInfo[] = "type.googleapis.com/google.rpc.RetryInfo";
constexpr char kProblem[] = "type.joseki/problem";
constexpr char kProblemPayload[] = "joseki/problem";  // of an absl::Status (base/problem.cc)
// Upper bound of the delay that a peer may ask for.
constexpr absl::Duration kLongestDelay = absl::Hours(1);

void AddRetryInfo(absl::Duration delay, v1::ErrorStatus& details) {
  v1::RetryInfo info;
  const timespec time = absl::ToTimespec(delay);
  info.mutable_retry_delay()->set_seconds(time.tv_sec);
  info.mutable_retry_delay()->set_nanos(static_cast<int32_t>(time.tv_nsec));
  google::protobuf::Any& detail = *details.add_details();
  detail.set_type_url(kRetryInfo);
  detail.set_value(info.SerializeAsString());
}

std::string Details(const absl::Status& status) {
  v1::ErrorStatus details;
  const std::optional<absl::Duration> retry_after = RetryAfterOf(status);
  if (retry_after) AddRetryInfo(*retry_after, details);
  if (const auto problem = status.GetPayload(kProblemPayload); problem.has_value()) {
    google::protobuf::Any& detail = *details.add_details();
    detail.set_type_url(kProblem);
    detail.set_value(std::string(*problem));
  }
  if (details.details_size() == 0) return "";
  details.set_code(static_cast<int>(status.code()));
  details.set_message(std::string(status.message()));
  return details.SerializeAsString();
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
  v1::ErrorStatus details;
  if (!details.ParseFromString(status.error_details())) return result;
  for (const google::protobuf::Any& detail : details.details()) {
    v1::RetryInfo info;
    if (detail.type_url() == kRetryInfo && info.ParseFromString(detail.value())) {
      const absl::Duration delay = absl::Seconds(info.retry_delay().seconds()) +
                                   absl::Nanoseconds(info.retry_delay().nanos());
      if (delay > absl::ZeroDuration()) {
        result = WithRetryAfter(std::move(result), std::min(delay, kLongestDelay));
      }
    } else if (detail.type_url() == kProblem) {
      result.SetPayload(kProblemPayload, absl::Cord(detail.value()));
    }
  }
  return result;
}

}  // namespace joseki
