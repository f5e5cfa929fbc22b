#include "coordinator/page/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/http_client.h"

namespace joseki::coordinator {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// A connection that may say little and keep still.
class Slow {
 public:
  explicit Slow(int port, const std::string& said = "") : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(send(socket_, said.data(), said.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(said.size()));
  }
  ~Slow() { close(socket_); }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;

  // Whether the server closes the connection within this time.
  bool Ended(std::chrono::milliseconds within) const {
    pollfd waited{socket_, POLLIN, 0};
    char byte = 0;
    return poll(&waited, 1, static_cast<int>(within.count())) == 1 &&
           recv(socket_, &byte, 1, MSG_DONTWAIT) <= 0;
  }

 private:
  const int socket_;
};

class HttpServerTest : public ::testing::Test {
 protected:
  void Start(HttpServer::Options options, HttpServer::Handler handler) {
    options.listen = {"127.0.0.1", 0};
    server_ = HttpServer::Start(std::move(options), std::move(handler)).value();
  }
  void Start(HttpServer::Options options = {}) {
    Start(std::move(options), [this](const HttpRequest& request) {
      ++asked_;
      return HttpReply{.content_type = "text/plain", .body = request.path};
    });
  }
  testing::HttpReply Send(const std::string& bytes) const {
    return testing::HttpClient({"127.0.0.1", server_->port()}).Send(bytes);
  }

  std::unique_ptr<HttpServer> server_;
  std::atomic<int> asked_ = 0;
};

TEST_F(HttpServerTest, HearsWhatIsAsked) {
  HttpRequest heard;
  Start({}, [&](const HttpRequest& request) {
    heard = request;
    return HttpReply{.status = 404, .headers = {{"X-One", "1"}}, .body = "none"};
  });
  const testing::HttpReply reply = Send(
      "GET /a/b?run=3&moves=7g7f%203c3d&empty&plus=a+b&run=4&half=%4 HTTP/1.1\r\nHost: h:1\r\n"
      "Accept-Encoding: gzip\r\nAuthorization: Basic x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(reply.status, 404);
  EXPECT_EQ(reply.Header("X-One"), "1");
  EXPECT_EQ(reply.body, "none");
  EXPECT_EQ(heard.method, "GET");
  EXPECT_EQ(heard.path, "/a/b");
  EXPECT_EQ(heard.host, "h:1");
  EXPECT_EQ(heard.accept_encoding, "gzip");
  EXPECT_EQ(heard.authorization, "Basic x");
  EXPECT_THAT(heard.parameters,
              UnorderedElementsAre(Pair("run", "3"), Pair("moves", "7g7f 3c3d"), Pair("empty", ""),
                                   Pair("plus", "a b"), Pair("half", "%4")));
}

TEST_F(HttpServerTest, AnswersOneAfterTheOtherOverAConnection) {
  Start();
  const testing::HttpReply replies = Send(
      "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nHEAD /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(replies.status, 200);
  EXPECT_THAT(replies.body, ::testing::StartsWith("/1HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(replies.body, ::testing::EndsWith("Content-Length: 2\r\n\r\n")) << "a head alone";
}

// The server bounds the memory of a request before it parses any of it.
TEST_F(HttpServerTest, ReadsNoMoreThanAHead) {
  Start();
  const std::string begin = "GET / HTTP/1.1\r\nHost: h\r\n";
  std::string headers;
  while (headers.size() < 40'000) headers += "X-" + std::to_string(headers.size()) + ": y\r\n";
  EXPECT_EQ(Send("GET /" + std::string(40'000, 'a')).status, 431);
  EXPECT_EQ(Send(begin + headers).status, 431);
  EXPECT_EQ(Send(begin + "X: " + std::string(40'000, 'a')).status, 431);
  EXPECT_EQ(Send(begin + "Content-Length: 1\r\n\r\n").status, 413);
  EXPECT_EQ(Send(begin + "Content-Length: 99999999999999\r\n\r\n").status, 413);
  EXPECT_EQ(Send(begin + "Transfer-Encoding: chunked\r\n\r\n5\r\n").status, 413);
  EXPECT_EQ(Send("nonsense\r\n\r\n").status, 400);
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(Send(begin + "Connection: close\r\n\r\n").status, 200);
}

TEST_F(HttpServerTest, WaitsForNobodyLong) {
  Start({.head_time = absl::Milliseconds(50)});
  const Slow silent(server_->port());
  const Slow stops(server_->port(), "GET / HTTP/1.1\r\nHo");
  EXPECT_TRUE(silent.Ended(std::chrono::seconds(20)));
  EXPECT_TRUE(stops.Ended(std::chrono::seconds(20)));
}

TEST_F(HttpServerTest, WhoSaysNothingMakesRoomForWhoDoes) {
  Start({.most_connections = 4, .head_time = absl::Minutes(5)});
  std::vector<std::unique_ptr<Slow>> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(std::make_unique<Slow>(server_->port()));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status, 200);
  }
  EXPECT_TRUE(silent.front()->Ended(std::chrono::seconds(20)));
}

TEST_F(HttpServerTest, WhoIsBeingAnsweredStays) {
  std::promise<void> began;
  std::promise<void> go;
  Start({.most_connections = 1, .head_time = absl::Minutes(5)},
        [&began, gone = go.get_future().share()](const HttpRequest&) {
          began.set_value();
          gone.wait();
          return HttpReply{.body = "late"};
        });
  auto first = std::async(std::launch::async, [&] {
    return Send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  });
  began.get_future().wait();
  EXPECT_TRUE(Slow(server_->port()).Ended(std::chrono::seconds(20)));
  go.set_value();
  EXPECT_EQ(first.get().body, "late");
}

}  // namespace
}  // namespace joseki::coordinator
