#include "tests/e2e/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <sstream>
#include <stop_token>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace joseki::testing {
namespace {

using Clock = std::chrono::steady_clock;

absl::Status NotHere(const std::string& what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(errno)));
}

// Output of a command, including standard error.
absl::StatusOr<std::string> Output(const std::string& command) {
  const std::string full = absl::StrCat("PATH=/usr/sbin:/usr/bin:/sbin:/bin ", command, " 2>&1");
  FILE* const pipe = popen(full.c_str(), "re");
  if (pipe == nullptr) return NotHere(command);
  std::string said;
  std::array<char, 4096> buffer;
  while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    said.append(buffer.data(), got);
  }
  if (pclose(pipe) != 0) return absl::UnavailableError(absl::StrCat(command, ": ", said));
  return said;
}

absl::Status Do(const std::string& command) { return Output(command).status(); }

// Opens the calling thread's network namespace.
absl::StatusOr<int> CurrentNamespace() {
  const int name_space = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  if (name_space < 0) return NotHere("/proc/thread-self/ns/net");
  return name_space;
}

// A TUN device in the calling thread's namespace: reads give what is sent through it.
absl::StatusOr<int> MakeTun(const std::string& name) {
  const int tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (tun < 0) return NotHere("/dev/net/tun");
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name.c_str());
  if (ioctl(tun, TUNSETIFF, &request) != 0) {
    const absl::Status failed = NotHere("TUNSETIFF");
    close(tun);
    return failed;
  }
  return tun;
}

// Carries packets between two TUN devices, each `delay` after it came.
void Carry(const std::array<int, 2>& ends, Clock::duration delay, const std::stop_token& stop) {
  struct Packet {
    Clock::time_point due;
    int to = -1;
    std::string bytes;
  };
  std::deque<Packet> held;  // one delay for all: what came first is due first
  std::string buffer(65536, '\0');
  while (!stop.stop_requested()) {
    timespec patience{.tv_sec = 0, .tv_nsec = 50'000'000};
    if (!held.empty()) {
      const auto left =
          std::chrono::duration_cast<std::chrono::nanoseconds>(held.front().due - Clock::now());
      patience.tv_nsec = std::clamp<int64_t>(left.count(), 0, patience.tv_nsec);
    }
    std::array<pollfd, 2> ready{{{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}}};
    ppoll(ready.data(), ready.size(), &patience, nullptr);
    for (size_t from = 0; from < ends.size(); ++from) {
      for (;;) {
        const ssize_t got = read(ends[from], buffer.data(), buffer.size());
        if (got <= 0) break;
        held.push_back(
            {Clock::now() + delay, ends[1 - from], buffer.substr(0, static_cast<size_t>(got))});
      }
    }
    while (!held.empty() && held.front().due <= Clock::now()) {
      // A packet that the other end does not take is lost, as on any network.
      [[maybe_unused]] const ssize_t written =
          write(held.front().to, held.front().bytes.data(), held.front().bytes.size());
      held.pop_front();
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Network>> Network::Make(const std::vector<Link>& links) {
  std::unique_ptr<Network> network(new Network());
  RETURN_IF_ERROR(network->Build(links));
  return network;
}

absl::Status Network::Build(const std::vector<Link>& links) {
  if (geteuid() != 0) return absl::UnavailableError("network namespaces need root");
  RETURN_IF_ERROR(Do("ip -V"));
  RETURN_IF_ERROR(Do("iptables -V"));
  // Each namespace is entered once, and held by its descriptor; the last one is ours.
  for (size_t i = 0; i < links.size(); ++i) {
    if (unshare(CLONE_NEWNET) != 0) return NotHere("unshare(CLONE_NEWNET)");
    Host host;
    host.delay = links[i].delay;
    host.device = absl::StrCat("link", i);
    ASSIGN_OR_RETURN(host.name_space, CurrentNamespace());
    hosts_.push_back(host);
    RETURN_IF_ERROR(Do("ip link set lo up"));
    if (host.delay > absl::ZeroDuration()) {
      ASSIGN_OR_RETURN(hosts_.back().tun_there, MakeTun("out"));
    }
  }
  if (unshare(CLONE_NEWNET) != 0) return NotHere("unshare(CLONE_NEWNET)");
  RETURN_IF_ERROR(Do("ip link set lo up"));
  RETURN_IF_ERROR(Do(absl::StrCat("ip address add ", address(), "/32 dev lo")));
  for (size_t i = 0; i < links.size(); ++i) RETURN_IF_ERROR(Join(static_cast<int>(i)));
  for (Host& host : hosts_) {
    if (host.tun_here < 0) continue;
    delaying_.emplace_back([ends = std::array{host.tun_here, host.tun_there},
                            delay = absl::ToChronoNanoseconds(host.delay)](
                               const std::stop_token& stop) { Carry(ends, delay, stop); });
  }
  return absl::OkStatus();
}

// The link of one host, both ends.
absl::Status Network::Join(int number) {
  Host& host = hosts_[static_cast<size_t>(number)];
  const std::string name_space = absl::StrCat("/proc/", getpid(), "/fd/", host.name_space);
  if (host.delay > absl::ZeroDuration()) {
    ASSIGN_OR_RETURN(host.tun_here, MakeTun(host.device));
  } else {
    RETURN_IF_ERROR(Do(
        absl::StrCat("ip link add ", host.device, " type veth peer name out netns ", name_space)));
  }
  const std::string subnet = absl::StrCat("10.77.", number + 1, ".");
  const std::string there = absl::StrCat("nsenter --net=", name_space, " ip ");
  RETURN_IF_ERROR(Do(absl::StrCat("ip address add ", subnet, "1/30 dev ", host.device)));
  RETURN_IF_ERROR(Do(absl::StrCat("ip link set ", host.device, " up")));
  RETURN_IF_ERROR(Do(absl::StrCat(there, "address add ", subnet, "2/30 dev out")));
  RETURN_IF_ERROR(Do(absl::StrCat(there, "link set out up")));
  return Do(absl::StrCat(there, "route add default via ", subnet, "1"));
}

Network::~Network() {
  delaying_.clear();  // before what they read
  for (const Host& host : hosts_) {
    for (const int descriptor : {host.name_space, host.tun_here, host.tun_there}) {
      if (descriptor >= 0) close(descriptor);
    }
  }
}

absl::Status Network::Cut(int host) const {
  return Do(absl::StrCat("ip link set ", hosts_[static_cast<size_t>(host)].device, " down"));
}

absl::Status Network::CutReplies(int host) const {
  return Do(absl::StrCat("iptables -A OUTPUT -o ", hosts_[static_cast<size_t>(host)].device,
                         " -p tcp ! --tcp-flags RST RST -j DROP"));
}

absl::Status Network::Lose(int host, double share) const {
  const std::string& device = hosts_[static_cast<size_t>(host)].device;
  for (const char* const direction : {"INPUT -i ", "OUTPUT -o "}) {
    RETURN_IF_ERROR(
        Do(absl::StrCat("iptables -A ", direction, device,
                        " -m statistic --mode random --probability ", share, " -j DROP")));
  }
  return absl::OkStatus();
}

absl::Status Network::Reset(int host) const {
  return Do(absl::StrCat("iptables -A INPUT -p tcp -i ", hosts_[static_cast<size_t>(host)].device,
                         " -j REJECT --reject-with tcp-reset"));
}

absl::StatusOr<Network::Treated> Network::Count() {
  // Packets, bytes and the target stand first in each rule's line.
  ASSIGN_OR_RETURN(const std::string rules, Output("iptables -L -v -x -n"));
  std::istringstream lines(rules);
  Treated treated;
  for (std::string line; std::getline(lines, line);) {
    int packets = 0;
    std::string bytes;
    std::string target;
    std::istringstream words(line);
    if (!(words >> packets >> bytes >> target)) continue;
    if (target == "DROP") treated.lost += packets;
    if (target == "REJECT") treated.reset += packets;
  }
  return treated;
}

absl::Status Network::Heal() const {
  RETURN_IF_ERROR(Do("iptables -F"));
  for (const Host& host : hosts_) {
    RETURN_IF_ERROR(Do(absl::StrCat("ip link set ", host.device, " up")));
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Duration> Network::TimeToConnect(int host, int port) const {
  absl::StatusOr<absl::Duration> took = absl::UnknownError("not tried");
  // In a thread of its own, which enters the host.
  std::jthread([&] {
    if (setns(Namespace(host), CLONE_NEWNET) != 0) {
      took = NotHere("setns");
      return;
    }
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, address().c_str(), &to.sin_addr);
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto begin = Clock::now();
    if (connect(connection, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      took = NotHere("connect");
    } else {
      took = absl::FromChrono(Clock::now() - begin);
    }
    close(connection);
  }).join();
  return took;
}

}  // namespace joseki::testing
