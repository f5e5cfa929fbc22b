#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace joseki::testing {

// A private network, for tests that a loopback cannot serve. This process is in one network
// namespace; other processes ("hosts") are in namespaces of their own, each joined to ours by a
// link. The namespaces have no name: they go with the process and its children, however these end,
// and tests beside each other do not meet. Links with a delay are a pair of TUN devices with a
// thread between them that holds every packet back (not every kernel has netem). The others are
// veth pairs.
class Network {
 public:
  struct Link {
    absl::Duration delay;  // of each packet, in each direction; zero: a veth pair
  };

  // Moves the calling thread, and all threads that it starts later, into a new namespace. REQUIRES:
  // the process has no other thread. Unavailable, with the reason, where the machine does not allow
  // it: no root, no namespaces, no `ip` or `iptables`.
  static absl::StatusOr<std::unique_ptr<Network>> Make(const std::vector<Link>& links);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // Descriptor of the host's namespace, for a Child.
  int Namespace(int host) const { return hosts_[static_cast<size_t>(host)].name_space; }
  // Our address, as every host reaches it.
  static std::string address() { return "10.77.0.1"; }

  // Faults of a host's link, until Heal, which mends all links.
  absl::Status Cut(int host) const;         // link down, without notice to either side
  absl::Status CutReplies(int host) const;  // packets to the host are lost, except resets
  // Drops this share of the packets in each direction, at random.
  absl::Status Lose(int host, double share) const;
  // Answers the host's packets with a reset, which ends its open connections.
  absl::Status Reset(int host) const;
  // Numbers of packets dropped and reset since the last Heal; packets on a link that is down are
  // not counted.
  struct Treated {
    int lost = 0;
    int reset = 0;
  };
  static absl::StatusOr<Treated> Count();
  absl::Status Heal() const;

  // Time to connect from the host to our `port`: one round trip.
  absl::StatusOr<absl::Duration> TimeToConnect(int host, int port) const;

 private:
  struct Host {
    int name_space = -1;
    std::string device;  // our end of the link
    int tun_here = -1;   // for a link with a delay: our end and the other end
    int tun_there = -1;
    absl::Duration delay;
  };

  Network() = default;
  absl::Status Build(const std::vector<Link>& links);
  absl::Status Join(int number);

  std::vector<Host> hosts_;
  std::vector<std::jthread> delaying_;
};

}  // namespace joseki::testing
