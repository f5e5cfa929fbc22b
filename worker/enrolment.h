#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/trust/tls_files.h"

namespace joseki::worker {

// Sends a request for a certificate with a token's secret; the certificate. One attempt.
struct Enrolment {
  std::string authority_file;
  std::string secret;
  std::string worker;
  std::string request;
};
using Enroller = std::function<absl::StatusOr<std::string>(const Enrolment&)>;

// Makes sure that `folder` holds a certificate for the worker: nothing to do if it does, otherwise
// the token in `token_file` is shown to the coordinator, once. The key is made here, is readable by
// its owner alone, never leaves the folder, and stands there before it is used, so that an attempt
// whose answer was lost can be repeated with the same token: Unavailable means just that.
absl::Status EnsureEnrolled(const std::string& folder, const std::string& token_file,
                            const std::string& worker, const Enroller& enroll);

}  // namespace joseki::worker
