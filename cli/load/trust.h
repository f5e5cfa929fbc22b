#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/trust/certificate.h"
#include "base/trust/tls_files.h"

namespace joseki::cli {

// Certificates for the workers of a load test, signed by the authority of a folder
// (trust/authority.h) and kept beside it. All workers share one key, and nothing is synced or
// recorded as issued: ten thousand are made in seconds.
class LoadTrust {
 public:
  // Makes an authority in `folder`, and an operator.
  static absl::StatusOr<LoadTrust> Make(const std::string& folder);

  // The certificate of the worker of that name.
  absl::StatusOr<trust::TlsFiles> Worker(const std::string& name) const;
  const trust::TlsFiles& operator_files() const { return operator_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  trust::Signer signer_;
  std::string key_;
  trust::TlsFiles operator_;
};

}  // namespace joseki::cli
