#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/time/time.h"

namespace joseki::coordinator {

// The other end of a TCP connection; an IPv4 address in its IPv6 form.
struct Peer {
  std::array<uint8_t, 16> address = {};
  uint16_t port = 0;
  bool operator==(const Peer&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Peer& peer) {
    return H::combine(std::move(h), peer.address, peer.port);
  }
};

// The peer of gRPC's name for it, "ipv4:127.0.0.1:7460" or "ipv6:%5B::1%5D:7460"; nullopt for
// others.
std::optional<Peer> PeerOf(std::string_view name);

// Limits on connections, in all and for peers that are not identified yet.
struct ConnectionLimits {
  size_t most = 50'000;
  // With one certificate, which belongs to a worker or a person; without TLS there are no
  // certificates.
  size_t most_of_one = 256;
  // Strangers are connections without a call yet that needs a certificate (without TLS: any call
  // but health). The following limits apply to them.
  size_t most_strangers = 64;
  absl::Duration hello = absl::Seconds(30);  // then they must be identified
  // Guaranteed time of each stranger; after that the oldest gives way to waiting connections. The
  // time bounds the rate of clients that reconnect again and again.
  absl::Duration least = absl::Seconds(3);
  uint64_t most_bytes = uint64_t{2} << 20;  // sent by one of them; a Submit has half
  uint64_t all_bytes = uint64_t{64} << 20;  // sent by all of them
};

// The limits for a process with that many descriptors; some are kept for other uses.
ConnectionLimits LimitsFor(uint64_t descriptors);

struct ConnectionCounts {
  size_t known = 0;
  size_t strangers = 0;
  size_t most = 0;             // limit of connections
  size_t most_strangers = 0;   // limit of strangers among them
  uint64_t refused = 0;        // closed at once, at a limit of all or of one certificate
  uint64_t strangers_out = 0;  // strangers that were closed: too late, too many bytes, or for
                               // others
};

// The connections of a server: which are identified, and which are to end. The table owns no
// descriptor: gRPC closes them, and sweeps find those that are gone. Pure.
class ConnectionTable {
 public:
  // Returns the number of bytes that have arrived from `peer` at a descriptor; nullopt: the
  // descriptor is closed or another connection's.
  using Look = std::function<std::optional<uint64_t>(int descriptor, const Peer& peer)>;
  enum class Room { kFree, kWait, kNone };

  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}

  // Whether another connection may be accepted: kWait until a stranger's guaranteed time is over,
  // kNone if it is to be closed.
  Room RoomFor(absl::Time now) const;
  // If there is room only without one of the strangers: forgets the oldest and returns its
  // descriptor.
  std::optional<int> MakeRoom(const Look& look);
  // Adds an accepted connection, as a stranger.
  void Add(int descriptor, const Peer& peer, absl::Time now);
  void CountRefused() { ++refused_; }

  // Identifies `peer`; without certificates `serial` is empty. If its certificate is at its limit,
  // forgets the connection and returns its descriptor, which is to be ended.
  std::optional<int> Know(const Peer& peer, const std::string& serial, const Look& look);

  // Forgets the strangers that are gone, and those whose time is over. Returns the descriptors of
  // the latter, which are to be ended.
  std::vector<int> SweepStrangers(absl::Time now, const Look& look);
  // Forgets the identified connections that are gone.
  void SweepKnown(const Look& look);
  // Forgets identified connections whose certificates `revoked` names; returns their descriptors.
  std::vector<int> TakeRevoked(const std::function<bool(const std::string& serial)>& revoked,
                               const Look& look);

  ConnectionCounts counts() const;

 private:
  struct Stranger {
    int descriptor = -1;
    absl::Time came;
  };
  struct Known {
    int descriptor = -1;
    std::string serial;
  };
  using Strangers = absl::flat_hash_map<Peer, Stranger>;

  // Forgets an identified connection.
  void Forget(const Peer& peer, const std::string& serial);
  size_t MostStrangers() const;
  Strangers::const_iterator Oldest() const;

  const ConnectionLimits limits_;
  Strangers strangers_;
  absl::flat_hash_map<Peer, Known> known_;
  absl::flat_hash_map<std::string, absl::flat_hash_set<Peer>> of_one_;  // of known_, by serial
  uint64_t refused_ = 0;
  uint64_t strangers_out_ = 0;
};

}  // namespace joseki::coordinator
