#include "base/address.h"

#include <charconv>

#include "base/problem.h"

namespace joseki {

std::optional<HostPort> ParseHostPort(std::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view digits = address.substr(colon + 1);
  int port = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port < 0 || port > 65535) {
    return std::nullopt;
  }
  std::string_view host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  return HostPort{std::string(host), port};
}

absl::Status CheckDialled(const std::string& address) {
  const std::optional<HostPort> named = ParseHostPort(address);
  if (named && named->port > 0) return absl::OkStatus();
  return MakeProblem({.code = "bad_address",
                      .found = Quote(address),
                      .expected = "HOST:PORT with a port from 1 to 65535, such as 10.0.0.1:7460"});
}

absl::StatusOr<HostPort> ListenAt(const ListenOption& listen) {
  const std::optional<HostPort> address = ParseHostPort(listen.text);
  if (!address) {
    return MakeProblem({.code = "bad_address",
                        .file = listen.option,
                        .found = Quote(listen.text),
                        .expected = "HOST:PORT, such as " + listen.example});
  }
  if (IsLoopback(address->host) || listen.guarded) return *address;
  return MakeProblem({.code = "insecure_network",
                      .file = listen.option,
                      .found = listen.text,
                      .expected = listen.guards},
                     absl::StatusCode::kFailedPrecondition);
}

bool IsLoopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  return host.substr(0, 4) == "127." && host.find_first_not_of("0123456789.") == host.npos;
}

}  // namespace joseki
