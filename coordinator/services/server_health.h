#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/certificates/tls_files.h"

namespace joseki::coordinator {

// Queries the standard health service at "HOST:PORT": OK if it serves, Unavailable otherwise. With
// TLS the authority's certificate is enough, as health needs no identity.
absl::Status CheckHealth(const std::string& address, absl::Duration timeout,
                         const certificates::TlsFiles& tls = {});

}  // namespace joseki::coordinator
