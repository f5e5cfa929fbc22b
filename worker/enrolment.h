#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "base/certificates/tls_files.h"

namespace joseki::worker {

// A request for a certificate, with a token's secret. An Enroller sends it in one attempt and
// returns the certificate.
struct Enrolment {
  std::string authority_file;
  std::string secret;
  std::string worker;
  std::string request;
};
using Enroller = std::function<absl::StatusOr<std::string>(const Enrolment&)>;

// Ensures that `folder` holds a certificate for the worker. If it has none, the token in
// `token_file` is presented to the coordinator, once. The key is made here, readable by its owner
// alone, and never leaves the folder. The key is stored before it is used, so that an attempt whose
// reply was lost (Unavailable) can be repeated with the same token.
absl::Status EnsureEnrolled(const std::string& folder, const std::string& token_file,
                            const std::string& worker, const Enroller& enroll);

// Calls `attempt` until it succeeds or fails for good. An unreachable or busy coordinator is
// retried without limit, an untrusted one a few times (Mistrust). `pause` waits this long after a
// failure. If the program is to end, `pause` returns false and this function Cancelled.
absl::Status EnrolAtLast(const std::function<absl::Status()>& attempt, Backoff backoff,
                         const std::function<bool(const absl::Status&, absl::Duration)>& pause);

}  // namespace joseki::worker
