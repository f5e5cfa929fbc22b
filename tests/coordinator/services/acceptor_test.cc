#include "coordinator/services/acceptor.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A client's end of a connection.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = Loopback(port);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(send(socket_, "x", 1, MSG_NOSIGNAL), 1);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The address as gRPC formats it.
  std::string name() const {
    sockaddr_in own{};
    socklen_t size = sizeof(own);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size);
    return absl::StrCat("ipv4:127.0.0.1:", ntohs(own.sin_port));
  }
  bool Ended(std::chrono::milliseconds within = kPatience) const {
    pollfd waited{socket_, POLLIN, 0};
    char byte = 0;
    return poll(&waited, 1, static_cast<int>(within.count())) == 1 && read(socket_, &byte, 1) <= 0;
  }

 private:
  const int socket_;
};

class AcceptorTest : public ::testing::Test {
 protected:
  void TearDown() override {
    acceptor_.reset();
    for (const int descriptor : taken_) close(descriptor);
  }

  void Start(const ConnectionLimits& limits) {
    acceptor_ = Acceptor::Listen({.listen = {"127.0.0.1", 0},
                                  .limits = limits,
                                  .take =
                                      [this](int descriptor) {
                                        const std::lock_guard lock(mutex_);
                                        taken_.push_back(descriptor);
                                        changed_.notify_all();
                                      },
                                  .broken = [this](const std::string&) { broken_.set_value(); }})
                    .value();
    acceptor_->Start();
  }
  bool Taken(size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return taken_.size() >= count; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> taken_;  // guarded by mutex_
  std::promise<void> broken_;
  std::unique_ptr<Acceptor> acceptor_;
};

TEST_F(AcceptorTest, TakesUntilAllAreThere) {
  Start({.most = 4, .most_strangers = 4});
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(acceptor_->port()));
    ASSERT_TRUE(Taken(i + 1));
    acceptor_->Know(clients.back()->name(), "serial");
  }
  EXPECT_TRUE(Client(acceptor_->port()).Ended()) << "is too many";
  EXPECT_EQ(acceptor_->counts().known, 4U);
  EXPECT_GE(acceptor_->counts().refused, 1U);
  acceptor_->EndRevoked([](const std::string& serial) { return serial == "serial"; });
  for (const auto& client : clients) EXPECT_TRUE(client->Ended());
  const Client next(acceptor_->port());
  EXPECT_TRUE(Taken(5)) << "there is room again";
}

TEST_F(AcceptorTest, StrangersMakeRoom) {
  Start({.most_strangers = 1, .hello = absl::Minutes(5), .least = absl::Milliseconds(1)});
  const Client first(acceptor_->port());
  ASSERT_TRUE(Taken(1));
  const Client second(acceptor_->port());
  EXPECT_TRUE(first.Ended());
  EXPECT_TRUE(Taken(2));
}

TEST_F(AcceptorTest, AStrangerHasSoMuchTime) {
  Start({.hello = absl::Milliseconds(20)});
  const Client silent(acceptor_->port());
  EXPECT_TRUE(silent.Ended());
}

// gRPC's own listener never took a connection again.
TEST_F(AcceptorTest, TakesAgainOnceThereAreDescriptors) {
  Start({});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<Client>(acceptor_->port()));
  }
  ASSERT_TRUE(Taken(3));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  {
    const int waiting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const absl::Cleanup closes = [waiting] { close(waiting); };
    // None is left from here on, in all of this process.
    const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const absl::Cleanup restores = [&] { setrlimit(RLIMIT_NOFILE, &before); };
    const sockaddr_in address = Loopback(acceptor_->port());
    ASSERT_EQ(connect(waiting, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(send(waiting, "x", 1, MSG_NOSIGNAL), 1);
    pollfd waited{waiting, POLLIN, 0};
    EXPECT_EQ(poll(&waited, 1, 300), 0) << "it waits in the kernel's queue";
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_TRUE(Taken(4));
  }
}

TEST_F(AcceptorTest, SaysThatItCanListenNoMore) {
  Start({});
  // Nobody else's socket of this process has the port.
  DIR* const folder = opendir("/proc/self/fd");
  ASSERT_NE(folder, nullptr);
  while (const dirent* const entry = readdir(folder)) {
    const int descriptor = std::atoi(entry->d_name);
    sockaddr_in own{};
    socklen_t size = sizeof(own);
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
        own.sin_family == AF_INET && ntohs(own.sin_port) == acceptor_->port()) {
      shutdown(descriptor, SHUT_RDWR);
    }
  }
  closedir(folder);
  EXPECT_EQ(broken_.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(AcceptorPortTest, IsTakenByOne) {
  Acceptor::Options options{.listen = {"127.0.0.1", 0}};
  const auto first = Acceptor::Listen(options).value();
  options.listen.port = first->port();
  for (const char* const host : {"127.0.0.1", "0.0.0.0", "localhost"}) {
    options.listen.host = host;
    const auto second = Acceptor::Listen(options);
    ASSERT_FALSE(second.ok()) << host;
    EXPECT_EQ(ProblemOf(second.status()).code, "cannot_listen");
  }
  options.listen = {"no.such.host.invalid", 0};
  EXPECT_EQ(ProblemOf(Acceptor::Listen(options).status()).code, "cannot_listen");
}

}  // namespace
}  // namespace joseki::coordinator
