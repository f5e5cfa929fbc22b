#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/tls_files.h"
#include "base/clock.h"
#include "coordinator/coordinator.h"
#include "coordinator/services/connection_table.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct ServerOptions {
  std::string listen = "127.0.0.1:7460";  // HOST:PORT; port 0 takes a free one
  std::string db_path;                    // the coordinator's, for exports, game lists and imports
  double artefact_mb_per_second = 100;    // for all workers together; 0: no limit
  // The coordinator's certificate and the authority of its callers'. Without them the server is
  // plaintext, and anybody who reaches the port has all rights: allowed on loopback, or elsewhere
  // on demand. Certificate files are read again when they change.
  certificates::TlsFiles tls;
  std::string revocations;  // file of revoked certificates; may be empty
  std::string authority;    // folder of certificates::Authority, for enrolment; may be empty
  bool insecure_network = false;
  absl::Duration tls_every =
      absl::Seconds(1);  // interval of the checks of certificate and revocations
  ConnectionLimits connections;
  // Called once, on a thread of the server's, when it can no longer listen; start a new one.
  std::function<void()> broken = [] {};
};

// The gRPC server: worker, operator and reader services, health and reflection.
class Server {
 public:
  // Listens, then writes the address file. InvalidArgument for a malformed address,
  // FailedPrecondition "insecure_network" and the errors of ServerTls (proto/server_tls.h),
  // Unavailable if the port is in use.
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options,
                                                       Coordinator& coordinator, const Rules& rules,
                                                       const Clock& clock = Clock::System());
  // Checks the options as Start does before it listens: address, network, certificates, revocations
  // and authority.
  static absl::Status Check(const ServerOptions& options);
  // Shuts down, unless that has been done.
  virtual ~Server() = default;

  // "HOST:PORT", with the actual port.
  virtual const std::string& address() const = 0;

  // The end of the certificate that the server shows; nullopt without TLS.
  virtual std::optional<absl::Time> certificate_end() const = 0;

  virtual ConnectionCounts connections() const = 0;

  // Shuts down in this order: health turns to not serving, held calls get replies, watches end, no
  // new calls are accepted. Running calls then get `grace`, and the rest is cancelled. Blocks until
  // no call runs.
  virtual void Shutdown(absl::Duration grace = absl::Seconds(5)) = 0;
};

}  // namespace joseki::coordinator
