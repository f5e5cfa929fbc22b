#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/certificates/certificate.h"
#include "base/certificates/tls_files.h"

namespace joseki::cli {

// Certificates for the workers of a load test, signed by the authority of a folder
// (base/certificates/authority.h) and kept beside it. All workers share one key, and no certificate
// is synced or recorded as issued, so that ten thousand take seconds.
class LoadCertificates {
 public:
  // Makes an authority and an operator's certificate in `folder`.
  static absl::StatusOr<LoadCertificates> Make(const std::string& folder);

  // The certificate of the worker called `name`.
  absl::StatusOr<certificates::TlsFiles> Worker(const std::string& name) const;
  const certificates::TlsFiles& operator_files() const { return operator_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  certificates::Signer signer_;
  std::string key_;
  certificates::TlsFiles operator_;
};

}  // namespace joseki::cli
