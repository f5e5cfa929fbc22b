#include "coordinator/services/acceptor.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/mutex.h"
#include "base/problem.h"

namespace joseki::coordinator {
namespace {

constexpr int kQueue = 4096;  // length of the kernel's queue, which has a limit of its own
constexpr int kTakenAtOnce = 64;
constexpr int kUserTimeoutMs = 10'000;  // as long as the server's ping timeout
// Seconds for which the kernel keeps a connection to itself until the client's first byte.
constexpr int kSilentSeconds = 10;
constexpr absl::Duration kFull = absl::Milliseconds(5);
constexpr absl::Duration kStrangers = absl::Milliseconds(20);
constexpr absl::Duration kAgain = absl::Milliseconds(100);
constexpr absl::Duration kQuiet = absl::Seconds(5);

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  int get() const { return descriptor_; }
  int Release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

Peer PeerOf(const sockaddr_storage& address) {
  Peer peer;
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    peer.address[10] = peer.address[11] = 0xff;
    std::memcpy(&peer.address[12], &four.sin_addr, 4);
    peer.port = ntohs(four.sin_port);
  } else if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    std::memcpy(peer.address.data(), &six.sin6_addr, 16);
    peer.port = ntohs(six.sin6_port);
  }
  return peer;
}

std::optional<uint64_t> BytesFrom(int descriptor, const Peer& peer) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      PeerOf(address) != peer) {
    return std::nullopt;
  }
  tcp_info info{};
  size = sizeof(info);
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  return info.tcpi_bytes_received;
}

int PortOf(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return PeerOf(address).port;
}

// Time that a change of the wall clock does not affect: setting it back would give strangers a day.
absl::Time Monotonic() {
  return absl::UnixEpoch() + absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

// Errors that are temporary and not the listener's fault.
bool Passes(int error) {
  return error == EINTR || error == ECONNABORTED || error == EAGAIN || error == EPROTO ||
         error == ENOPROTOOPT || error == EHOSTDOWN || error == ENONET || error == EHOSTUNREACH ||
         error == ENETDOWN || error == ENETUNREACH || error == EPERM || error == ETIMEDOUT;
}
bool NeedsRoom(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

class ThreadAcceptor final : public Acceptor {
 public:
  ThreadAcceptor(Options options, std::vector<Descriptor> listeners)
      : options_(std::move(options)),
        listeners_(std::move(listeners)),
        port_(PortOf(listeners_.front().get())),
        table_(options_.limits) {}
  ~ThreadAcceptor() override { Stop(); }

  int port() const override { return port_; }

  void Start() override {
    thread_ = std::thread([this] { Run(); });
  }

  void Stop() override {
    stopping_ = true;
    const uint64_t one = 1;
    if (write(wake_.get(), &one, sizeof(one)) < 0) return;  // cannot fail
    if (thread_.joinable()) thread_.join();
    listeners_.clear();
  }

  void Know(const std::string& name, const std::string& serial) override {
    const std::optional<Peer> peer = coordinator::PeerOf(name);
    if (!peer) return;
    const ScopedLock lock(mutex_);
    if (const std::optional<int> excess = table_.Know(*peer, serial, BytesFrom)) End({*excess});
  }

  void EndRevoked(const std::function<bool(const std::string& serial)>& revoked) override {
    const ScopedLock lock(mutex_);
    End(table_.TakeRevoked(revoked, BytesFrom));
  }

  ConnectionCounts counts() const override {
    const ScopedLock lock(mutex_);
    return table_.counts();
  }

 private:
  // Shuts the connections down; gRPC notices and closes them.
  static void End(const std::vector<int>& descriptors) {
    for (const int descriptor : descriptors) shutdown(descriptor, SHUT_RDWR);
  }

  void Run() {
    absl::Time looked = Monotonic();
    while (!stopping_) {
      const absl::Time now = Monotonic();
      ConnectionTable::Room room = ConnectionTable::Room::kFree;
      absl::Duration pause = kQuiet;
      {
        const ScopedLock lock(mutex_);
        End(table_.SweepStrangers(now, BytesFrom));
        room = table_.RoomFor(now);
        if (now - looked >= (room == ConnectionTable::Room::kNone ? kAgain : kQuiet)) {
          looked = now;
          table_.SweepKnown(BytesFrom);
          room = table_.RoomFor(now);
        }
        if (table_.counts().strangers > 0) pause = kStrangers;
      }
      if (room == ConnectionTable::Room::kWait) pause = kFull;
      if (short_of_) pause = kAgain;
      const bool listening = !short_of_ && room != ConnectionTable::Room::kWait;
      short_of_ = false;
      std::vector<pollfd> waited = {{wake_.get(), POLLIN, 0}};
      for (const Descriptor& listener : listeners_) {
        if (listening) waited.push_back({listener.get(), POLLIN, 0});
      }
      poll(waited.data(), waited.size(), static_cast<int>(absl::ToInt64Milliseconds(pause)));
      for (size_t i = 1; i < waited.size() && !stopping_; ++i) {
        if (waited[i].revents != 0 && !TakeFrom(waited[i].fd)) return;
      }
    }
  }

  // Accepts connections; false when the listener is broken.
  bool TakeFrom(int listener) {
    for (int i = 0; i < kTakenAtOnce; ++i) {
      const absl::Time now = Monotonic();
      ConnectionTable::Room room = ConnectionTable::Room::kFree;
      {
        const ScopedLock lock(mutex_);
        room = table_.RoomFor(now);
        if (room == ConnectionTable::Room::kWait) return true;
      }
      sockaddr_storage address{};
      socklen_t size = sizeof(address);
      Descriptor taken(accept4(listener, reinterpret_cast<sockaddr*>(&address), &size,
                               SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (taken.get() < 0) {
        const int error = errno;
        if (NeedsRoom(error)) short_of_ = true;
        if (NeedsRoom(error) || Passes(error)) return true;
        options_.broken(std::strerror(error));
        return false;
      }
      {
        const ScopedLock lock(mutex_);
        if (room == ConnectionTable::Room::kNone) {
          table_.CountRefused();
          continue;
        }
        if (const std::optional<int> oldest = table_.MakeRoom(BytesFrom)) End({*oldest});
        table_.Add(taken.get(), PeerOf(address), now);
      }
      options_.take(taken.Release());
    }
    return true;
  }

  const Options options_;
  std::vector<Descriptor> listeners_;
  const int port_;
  const Descriptor wake_{eventfd(0, EFD_CLOEXEC)};
  std::atomic<bool> stopping_ = false;
  bool short_of_ = false;  // of descriptors or memory; used by the thread alone
  mutable Mutex mutex_;
  ConnectionTable table_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

// The listening socket; -1, with errno set, if that fails.
Descriptor ListenOn(const addrinfo& found, int port) {
  Descriptor made(socket(found.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.get() < 0) return made;
  const int on = 1;
  const int off = 0;
  setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  setsockopt(made.get(), IPPROTO_TCP, TCP_DEFER_ACCEPT, &kSilentSeconds, sizeof(kSilentSeconds));
  // Accepted connections inherit these options.
  setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(made.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kUserTimeoutMs, sizeof(kUserTimeoutMs));
  sockaddr_storage address{};
  std::memcpy(&address, found.ai_addr, found.ai_addrlen);
  if (found.ai_family == AF_INET6) {
    setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(static_cast<uint16_t>(port));
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(static_cast<uint16_t>(port));
  }
  if (bind(made.get(), reinterpret_cast<const sockaddr*>(&address), found.ai_addrlen) != 0 ||
      listen(made.get(), kQueue) != 0) {
    return Descriptor(-1);
  }
  return made;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(Options options) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  std::vector<Descriptor> listeners;
  std::string why;
  int port = options.listen.port;
  if (const int error = getaddrinfo(options.listen.host.c_str(), nullptr, &hints, &found);
      error != 0) {
    why = gai_strerror(error);
  }
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    Descriptor listener = ListenOn(*at, port);
    if (listener.get() < 0) {
      const int error = errno;
      why = std::strerror(error);
      if (error != EADDRINUSE) continue;  // not a kind of address of this machine
      listeners.clear();
      break;
    }
    port = PortOf(listener.get());
    listeners.push_back(std::move(listener));
  }
  if (found != nullptr) freeaddrinfo(found);
  if (listeners.empty()) {
    return MakeProblem({.code = "cannot_listen",
                        .found = absl::StrCat(options.listen.host, ":", port, ": ", why),
                        .expected = "an address of this machine and a free port"},
                       absl::StatusCode::kUnavailable);
  }
  return std::make_unique<ThreadAcceptor>(std::move(options), std::move(listeners));
}

}  // namespace joseki::coordinator
