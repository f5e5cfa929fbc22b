#include "coordinator/services/server_certificate.h"

#include <spdlog/spdlog.h>

#include <string>

namespace joseki::coordinator {

void ServerCertificate::Look(absl::Time now) {
  const absl::StatusOr<bool> taken = tls_->Refresh(now);
  const absl::Time end = tls_->not_after();
  const std::string until = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", end, absl::UTCTimeZone());
  if (!taken.ok()) {
    spdlog::error("event=certificate_unusable kept=the_last reason=\"{}\"",
                  std::string(taken.status().message()));
  } else if (*taken) {
    spdlog::info("event=certificate_read until={}", until);
    warned_.reset();
  }
  if (end - now > kCertificateWarning || (warned_ && now - *warned_ < absl::Hours(24))) return;
  warned_ = now;
  if (end <= now) {
    spdlog::error(
        "event=certificate_ended until={}: nobody can connect; renew it with `joseki "
        "certs server`",
        until);
  } else {
    spdlog::warn("event=certificate_ends until={} days={}: renew it with `joseki certs server`",
                 until, (end - now) / absl::Hours(24));
  }
}

}  // namespace joseki::coordinator
