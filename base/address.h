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

// OK for what can be dialled: HOST:PORT with a host and a port from 1. InvalidArgument
// "bad_address" with `address` otherwise.
absl::Status CheckDialled(const std::string& address);

// A server's listening address, as an option gives it.
struct ListenOption {
  std::string option;    // "--listen"
  std::string text;      // HOST:PORT, port 0 for any free one
  std::string example;   // of an address
  bool guarded = false;  // whether it may be reached from other machines
  std::string guards;    // what makes it so
};

// FailedPrecondition "insecure_network" for an address of the network that nothing guards,
// InvalidArgument "bad_address" for none.
absl::StatusOr<HostPort> ListenAt(const ListenOption& listen);

// True if this host is reached from its own machine only: localhost, ::1, 127.*.
bool IsLoopback(std::string_view host);

}  // namespace joseki
