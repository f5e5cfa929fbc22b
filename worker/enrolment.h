#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "base/certificates/tls_files.h"

namespace joseki::worker {

// Sends a request for a certificate with a token's secret; the certificate. One attempt.
struct Enrolment {
  std::string authority_file;
  std::string secret;
  std::string worker;
  std::string request;
};
using Enroller = std::function<absl::StatusOr<std::string>(const Enrolment&)>;

// Makes sure that `folder` holds a certificate for the worker. If it has none, the token in
// `token_file` is shown to the coordinator, once. The key is made here, readable by its owner
// alone, and never leaves the folder. It stands there before it is used, so that an attempt whose
// reply was lost (Unavailable) can be repeated with the same token.
absl::Status EnsureEnrolled(const std::string& folder, const std::string& token_file,
                            const std::string& worker, const Enroller& enroll);

// Calls `attempt` until it succeeds or fails for good. A coordinator that cannot be reached or has
// no time is asked again, an untrusted one a few times (Mistrust). `pause` waits this long after a
// failure; it returns false, and this function Cancelled, if the program shall end.
absl::Status EnrolAtLast(const std::function<absl::Status()>& attempt, Backoff backoff,
                         const std::function<bool(const absl::Status&, absl::Duration)>& pause);

}  // namespace joseki::worker
