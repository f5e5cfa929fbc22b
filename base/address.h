#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace joseki {

struct HostPort {
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;      // 0..65535
};

// "HOST:PORT" or "[IPv6]:PORT"; nullopt if malformed.
std::optional<HostPort> ParseHostPort(std::string_view address);

// Checks that a client can connect to `address`: HOST:PORT with a host and a port from 1.
// InvalidArgument "bad_address" with `address` otherwise.
absl::Status CheckDialled(const std::string& address);

// A server's listening address, as an option gives it.
struct ListenOption {
  std::string option;    // "--listen"
  std::string text;      // HOST:PORT, port 0 for any free one
  std::string example;   // an example of an address
  bool guarded = false;  // whether access from other machines is protected
  std::string guards;    // the means of protection, for errors
};

// Parses the address. FailedPrecondition "insecure_network" if other machines can reach it and
// `guarded` is false, InvalidArgument "bad_address" if it is malformed.
absl::StatusOr<HostPort> ListenAt(const ListenOption& listen);

// Whether only the machine itself can reach this host: localhost, ::1, 127.*.
bool IsLoopback(std::string_view host);

}  // namespace joseki
