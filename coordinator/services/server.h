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
  std::string address_file;               // gets "HOST:PORT" once the server listens; may be empty
  std::string db_path;                    // of the coordinator, for exports, game lists and imports
  double artefact_mb_per_second = 100;    // of artefacts to all workers together; 0: no limit
  // The coordinator's certificate and the authority of its callers'. Without them the server speaks
  // in clear, and whoever reaches the port may do everything: on loopback, or off it on demand.
  // Files of certificates are read again when they change.
  certificates::TlsFiles tls;
  std::string revocations;  // file of revoked certificates; may be empty
  std::string authority;    // folder of certificates::Authority, by which nodes enrol; may be empty
  bool insecure_network = false;
  absl::Duration tls_every =
      absl::Seconds(1);  // how often certificate and revocations are looked at
  ConnectionLimits connections;
  // Called once, on a thread of the server's, when it can listen no more; Start it anew.
  std::function<void()> broken = [] {};
};

// The gRPC server: worker, operator and reader services, health and reflection.
class Server {
 public:
  // Listens, then writes the address file. InvalidArgument for a malformed address,
  // FailedPrecondition "insecure_network", those of ServerTls (proto/server_tls.h),
  // Unavailable if the port is taken.
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options,
                                                       Coordinator& coordinator, const Rules& rules,
                                                       const Clock& clock = Clock::System());
  // Checks of the options by which Start refuses before it listens: address, network, certificates,
  // revocations and authority.
  static absl::Status Check(const ServerOptions& options);
  // Shuts down, if that has not been done.
  virtual ~Server() = default;

  // "HOST:PORT", with the port that was taken.
  virtual const std::string& address() const = 0;

  // When the certificate that it shows ends; nullopt without TLS.
  virtual std::optional<absl::Time> certificate_end() const = 0;

  virtual ConnectionCounts connections() const = 0;

  // In this order: health says not serving, held calls are replied to and watches ended, no new
  // calls, those that run get `grace`, the rest is cancelled. Blocks until no call runs.
  virtual void Shutdown(absl::Duration grace = absl::Seconds(5)) = 0;
};

}  // namespace joseki::coordinator
