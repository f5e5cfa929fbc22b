#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "proto/server_tls.h"

namespace joseki::coordinator {

// The time before the certificate's end from which the log warns, once a day.
inline constexpr absl::Duration kCertificateWarning = absl::Hours(24 * 30);

// Watches the certificate of a running coordinator: loads a renewed one, and logs when loading
// fails and when the end is near. Used by one thread.
class ServerCertificate {
 public:
  explicit ServerCertificate(std::shared_ptr<ServerTls> tls) : tls_(std::move(tls)) {}

  void Look(absl::Time now);

 private:
  const std::shared_ptr<ServerTls> tls_;
  std::optional<absl::Time> warned_;
};

}  // namespace joseki::coordinator
