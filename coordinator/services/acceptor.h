#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/address.h"
#include "coordinator/services/connection_table.h"

namespace joseki::coordinator {

// Listens, and takes the connections of a server in place of gRPC, whose own listener never takes
// one again once there was no descriptor for it. It has the bounds of ConnectionTable: who is to
// wait waits in the kernel's queue, and so does who has not said a byte; who is too many is closed.
// Where there is no descriptor or memory for a connection it tries again ten times a second.
// Thread-safe.
class Acceptor {
 public:
  struct Options {
    HostPort listen;  // port 0 takes a free one
    ConnectionLimits limits;
    // Takes the descriptor of a new connection, and owns it. Called on the acceptor's thread.
    std::function<void(int descriptor)> take;
    // Called once, on the acceptor's thread, when it can listen no more.
    std::function<void(const std::string& why)> broken;
  };

  // Takes nothing before Start. Unavailable "cannot_listen" without a file, if none of the host's
  // addresses is one of this machine with a free port.
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(Options options);
  // Stops.
  virtual ~Acceptor() = default;

  virtual int port() const = 0;
  virtual void Start() = 0;
  // Closes the port; takes no connection after it returns.
  virtual void Stop() = 0;

  // `peer` (as gRPC names it) has shown who he is: a certificate's serial, or nothing in clear. His
  // connection ends where he has as many as one may have.
  virtual void Know(const std::string& peer, const std::string& serial) = 0;
  // Ends the connections with certificates that `revoked` names, and what goes on over them.
  virtual void EndRevoked(const std::function<bool(const std::string& serial)>& revoked) = 0;

  virtual ConnectionCounts counts() const = 0;
};

}  // namespace joseki::coordinator
