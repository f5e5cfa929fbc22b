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

// The other end of a TCP connection; an IPv4 address in its form of IPv6.
struct Peer {
  std::array<uint8_t, 16> address = {};
  uint16_t port = 0;
  bool operator==(const Peer&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Peer& peer) {
    return H::combine(std::move(h), peer.address, peer.port);
  }
};

// The address in gRPC's name for it, "ipv4:127.0.0.1:7460" or "ipv6:%5B::1%5D:7460"; nullopt for
// others.
std::optional<Peer> PeerOf(std::string_view name);

// How many connections whoever has shown nothing yet may have, and how many there may be in all.
struct ConnectionLimits {
  size_t most = 50'000;
  // With one certificate, which a worker or a person has; in clear nobody is told apart.
  size_t most_of_one = 256;
  // Strangers: those who have not made a call yet that needs a certificate (in clear: any call but
  // those for health). What follows is theirs.
  size_t most_strangers = 64;
  absl::Duration hello = absl::Seconds(30);  // then they must be known
  // So long each of them has for sure; after that the oldest makes room for who waits. It bounds
  // how many a second there may be of those who come again and again.
  absl::Duration least = absl::Seconds(3);
  uint64_t most_bytes = uint64_t{2} << 20;  // that one of them sends; a Submit has half
  uint64_t all_bytes = uint64_t{64} << 20;  // that all of them send
};

// Those of a process that may have so many descriptors open; some are left for all else.
ConnectionLimits LimitsFor(uint64_t descriptors);

struct ConnectionCounts {
  size_t known = 0;
  size_t strangers = 0;
  size_t most = 0;             // that there may be
  size_t most_strangers = 0;   // of these
  uint64_t refused = 0;        // were closed at once: there are as many as there may be, or of one
  uint64_t strangers_out = 0;  // strangers that were closed: too late, too many bytes, for others
};

// The connections of a server, who of them is known, and which are to end. It owns no descriptor:
// gRPC closes them, and that one is gone is seen by looking. Pure.
class ConnectionTable {
 public:
  // What there is of the connection to `peer` at a descriptor: how many bytes have come; nullopt:
  // it is another one, or none.
  using Look = std::function<std::optional<uint64_t>(int descriptor, const Peer& peer)>;
  enum class Room { kFree, kWait, kNone };

  explicit ConnectionTable(const ConnectionLimits& limits) : limits_(limits) {}

  // Whether another connection may be taken: kWait until a stranger has had his time, kNone if it
  // is to be closed.
  Room RoomFor(absl::Time now) const;
  // Where there is room only if a stranger goes: the descriptor of the oldest one, which is
  // forgotten.
  std::optional<int> MakeRoom(const Look& look);
  // A connection was taken, and is a stranger.
  void Add(int descriptor, const Peer& peer, absl::Time now);
  void CountRefused() { ++refused_; }

  // `peer` has shown who he is; without certificates `serial` is empty. Where there are as many
  // with that certificate as there may be: the descriptor, to be ended, which is forgotten.
  std::optional<int> Know(const Peer& peer, const std::string& serial, const Look& look);

  // Forgets the strangers that are gone. The descriptors of those who are to be ended now, and are
  // forgotten too.
  std::vector<int> SweepStrangers(absl::Time now, const Look& look);
  // Forgets the known ones that are gone.
  void SweepKnown(const Look& look);
  // The descriptors of known connections whose certificates `revoked` names, which are forgotten.
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

  // The known connection is gone.
  void Forget(const Peer& peer, const std::string& serial);
  size_t MostStrangers() const;
  Strangers::const_iterator Oldest() const;

  const ConnectionLimits limits_;
  Strangers strangers_;
  absl::flat_hash_map<Peer, Known> known_;
  absl::flat_hash_map<std::string, absl::flat_hash_set<Peer>> of_one_;  // of these, by serial
  uint64_t refused_ = 0;
  uint64_t strangers_out_ = 0;
};

}  // namespace joseki::coordinator
