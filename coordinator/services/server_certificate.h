#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "proto/server_tls.h"

namespace joseki::coordinator {

// So long before the end of the certificate it is told of, once a day.
inline constexpr absl::Duration kCertificateWarning = absl::Hours(24 * 30);

// Looks after the certificate of a coordinator that runs: takes a renewed one, and tells the log
// when one cannot be taken and when it ends. One thread.
class ServerCertificate {
 public:
  explicit ServerCertificate(std::shared_ptr<ServerTls> tls) : tls_(std::move(tls)) {}

  void Look(absl::Time now);

 private:
  const std::shared_ptr<ServerTls> tls_;
  std::optional<absl::Time> warned_;
};

}  // namespace joseki::coordinator
