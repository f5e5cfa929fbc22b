#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace joseki::testing {

// A network of our own, for what a loopback cannot show: this process in one network namespace, and
// others ("hosts") in namespaces of theirs, each joined to ours by a link of its own. The
// namespaces have no name: they go with the process and its children, however these end, and tests
// beside each other do not meet. Links with a delay are a pair of TUN devices with a thread between
// them that holds every packet back (not every kernel has netem); the others are veth pairs.
class Network {
 public:
  struct Link {
    absl::Duration delay;  // of each packet, in each direction; zero: a veth pair
  };

  // Moves the calling thread into a new namespace, with all threads that it starts from now on.
  // REQUIRES: the process has no other thread. Unavailable where the machine does not allow it,
  // with the reason: no root, no namespaces, no `ip` or `iptables`.
  static absl::StatusOr<std::unique_ptr<Network>> Make(const std::vector<Link>& links);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // A descriptor of the namespace, for a Child's.
  int Namespace(int host) const { return hosts_[static_cast<size_t>(host)].name_space; }
  // Ours, as every host reaches it.
  static std::string address() { return "10.77.0.1"; }

  // What happens to a host's link until Heal, which mends all links.
  absl::Status Cut(int host) const;         // it is down, and nobody is told
  absl::Status CutReplies(int host) const;  // what goes to the host is lost, but for resets
  // Loses this share of the packets of each direction, at random.
  absl::Status Lose(int host, double share) const;
  // Answers packets of the host with "no such connection"; what it had open is over.
  absl::Status Reset(int host) const;
  // How many packets were lost or answered so since the last Heal; those of a link that is down are
  // not counted.
  struct Treated {
    int lost = 0;
    int reset = 0;
  };
  static absl::StatusOr<Treated> Count();
  absl::Status Heal() const;

  // How long it takes that a connection from the host to `port` of ours stands: one round trip.
  absl::StatusOr<absl::Duration> TimeToConnect(int host, int port) const;

 private:
  struct Host {
    int name_space = -1;
    std::string device;  // our end of the link
    int tun_here = -1;   // of a link with a delay: our end, and the other one
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
