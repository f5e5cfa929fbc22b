#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/address.h"
#include "coordinator/services/connection_table.h"

namespace joseki::coordinator {

// Accepts the connections of a server in place of gRPC, whose listener stops for good after it once
// ran out of descriptors. The bounds are those of ConnectionTable. Waiting connections stay in the
// kernel's queue, and so do those without a first byte; surplus ones are closed. If there is no
// descriptor or memory for a connection, the acceptor retries ten times a second. Thread-safe.
class Acceptor {
 public:
  struct Options {
    HostPort listen;  // port 0 takes a free one
    ConnectionLimits limits;
    // Receives and owns the descriptor of a new connection. Called on the acceptor's thread.
    std::function<void(int descriptor)> take;
    // Called once, on the acceptor's thread, when it can no longer listen.
    std::function<void(const std::string& why)> broken;
  };

  // Listens, but accepts nothing before Start. Unavailable "cannot_listen", without a file, if none
  // of the host's addresses is one of this machine with a free port.
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(Options options);
  // Stops the acceptor.
  virtual ~Acceptor() = default;

  virtual int port() const = 0;
  virtual void Start() = 0;
  // Closes the port; no connection is accepted after it returns.
  virtual void Stop() = 0;

  // Identifies `peer` (gRPC's name for it) by its certificate's serial, empty for plaintext. Ends
  // its connection if that certificate has its maximum of connections already.
  virtual void Know(const std::string& peer, const std::string& serial) = 0;
  // Ends the connections whose certificates `revoked` names, with their calls.
  virtual void EndRevoked(const std::function<bool(const std::string& serial)>& revoked) = 0;

  virtual ConnectionCounts counts() const = 0;
};

}  // namespace joseki::coordinator
