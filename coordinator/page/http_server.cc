#include "coordinator/page/http_server.h"

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using Error = boost::system::error_code;
using Body = http::span_body<const char>;

constexpr size_t kThreads = 4;
constexpr int kQueue = 128;  // length of the kernel's queue
constexpr auto kAgain = std::chrono::milliseconds(100);
// Time for reading on from a refused caller; closing at once could lose the reply.
constexpr auto kLinger = std::chrono::seconds(1);
constexpr size_t kMostLingering = 64 << 10;

std::string Decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        absl::SimpleHexAtoi(absl::string_view(text.data() + i + 1, 2), &value)) {
      decoded += static_cast<char>(value);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

template <typename Fields>
HttpRequest RequestOf(const http::request<http::empty_body, Fields>& message) {
  const auto header = [&](http::field name) { return std::string(message[name]); };
  HttpRequest request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  request.host = header(http::field::host);
  request.authorization = header(http::field::authorization);
  request.accept_encoding = header(http::field::accept_encoding);
  if (mark == target.size()) return request;
  for (const absl::string_view part :
       absl::StrSplit(target.substr(mark + 1), '&', absl::SkipEmpty())) {
    const std::string_view pair(part.data(), part.size());
    const size_t equals = std::min(pair.find('='), pair.size());
    request.parameters.emplace(Decoded(pair.substr(0, equals)),
                               Decoded(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return request;
}

// The status for a request that could not be read; 0: none.
int RefusalOf(const Error& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  const bool gone = error == http::error::end_of_stream || error == http::error::partial_message;
  return !gone && error.category() == http::make_error_code(http::error::bad_method).category()
             ? 400
             : 0;
}

class BeastServer;

// One of the server's connections. All its functions run on the server's thread.
class Connection {
 public:
  enum class Phase { kReading, kReplying, kWriting };

  virtual ~Connection() = default;
  virtual void Begin() = 0;
  virtual void Close() = 0;

  Phase phase() const { return phase_; }
  // The order of closing: unauthorised connections first, then those that wait longest.
  bool GoesBefore(const Connection& other) const {
    return std::pair(let_in_, since_) < std::pair(other.let_in_, other.since_);
  }

 protected:
  void Enter(Phase phase) {
    phase_ = phase;
    since_ = std::chrono::steady_clock::now();
  }
  void LetIn() { let_in_ = true; }

 private:
  Phase phase_ = Phase::kReading;
  bool let_in_ = false;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

class BeastServer final : public HttpServer {
 public:
  BeastServer(Options options, Handler handler)
      : options_(std::move(options)), handler_(std::move(handler)) {}
  ~BeastServer() override {
    io_.stop();
    if (thread_.joinable()) thread_.join();
    pool_.join();
  }

  absl::Status Listen();
  int port() const override { return port_; }

  const Options& options() const { return options_; }
  void Add(Connection* connection) { connections_.insert(connection); }
  void Remove(Connection* connection) { connections_.erase(connection); }

  // Runs the handler on the pool. `done` is called on the server's thread.
  template <typename Done>
  void Reply(HttpRequest request, Done done) {
    asio::post(pool_, [this, request = std::move(request), done = std::move(done)]() mutable {
      HttpReply reply = handler_(request);
      asio::post(io_, [reply = std::move(reply), done = std::move(done)]() mutable {
        done(std::move(reply));
      });
    });
  }

 private:
  void Accept();
  void Welcome(tcp::socket socket);
  // Closes a connection to make room; false if all are in use.
  bool MakeRoom();
  // Loads the certificate and its key if their files have changed.
  absl::Status LoadCertificate();

  const Options options_;
  const Handler handler_;
  int port_ = 0;
  std::shared_ptr<asio::ssl::context> tls_;  // null: plaintext
  std::pair<FileStamp, FileStamp> loaded_;   // of the certificate and the key
  std::set<Connection*> connections_;  // connections remove themselves; declared before io_, which
                                       // owns them
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer again_{io_};
  asio::thread_pool pool_{kThreads};
  std::thread thread_;
};

template <typename Stream>
class StreamConnection final : public Connection,
                               public std::enable_shared_from_this<StreamConnection<Stream>> {
 public:
  template <typename... Arguments>
  explicit StreamConnection(BeastServer& server, Arguments&&... arguments)
      : server_(server), stream_(std::forward<Arguments>(arguments)...) {
    server_.Add(this);
  }
  ~StreamConnection() override { server_.Remove(this); }

  void Begin() override {
    if constexpr (kTls) {
      Expect(server_.options().head_time);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](const Error& error) {
                                if (!error) self->Read();
                              });
    } else {
      Read();
    }
  }

  // Pending operations fail, and the last of them destroys the connection.
  void Close() override {
    Error ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

 private:
  static constexpr bool kTls = !std::is_same_v<Stream, beast::tcp_stream>;

  void Expect(absl::Duration time) {
    beast::get_lowest_layer(stream_).expires_after(absl::ToChronoMilliseconds(time));
  }

  void Read() {
    Enter(Phase::kReading);
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(server_.options().most_head_bytes));
    parser_->body_limit(0);
    Expect(server_.options().head_time);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](const Error& error, size_t) { self->OnHead(error); });
  }

  void OnHead(const Error& error) {
    const bool has_body =
        !error && (parser_->chunked() || parser_->content_length().value_or(0) > 0);
    if (const int refusal = has_body ? 413 : RefusalOf(error); refusal != 0) {
      lingers_ = true;
      return Write({.status = refusal});
    }
    if (error) return;
    Enter(Phase::kReplying);
    beast::get_lowest_layer(stream_).expires_never();
    server_.Reply(RequestOf(parser_->get()), [self = this->shared_from_this()](HttpReply reply) {
      if (reply.status != 401 && reply.status != 421) self->LetIn();
      self->Write(std::move(reply));
    });
  }

  void Write(HttpReply reply) {
    Enter(Phase::kWriting);
    reply_ = std::move(reply);
    const std::string_view content =
        reply_.fixed_body.empty() ? std::string_view(reply_.body) : reply_.fixed_body;
    response_ = {};
    response_.result(static_cast<unsigned>(reply_.status));
    response_.keep_alive(!lingers_ && parser_->get().keep_alive());
    for (const auto& [name, value] : reply_.headers) response_.set(name, value);
    if (!reply_.content_type.empty()) {
      response_.set(http::field::content_type, reply_.content_type);
    }
    response_.content_length(content.size());
    if (lingers_ || parser_->get().method() != http::verb::head) {
      response_.body() = {content.data(), content.size()};
    }
    Expect(server_.options().write_time);
    http::async_write(stream_, response_,
                      [self = this->shared_from_this()](const Error& error, size_t) {
                        if (error) return;
                        self->response_.keep_alive() ? self->Read() : self->End();
                      });
  }

  void End() {
    Enter(Phase::kReading);
    beast::get_lowest_layer(stream_).expires_after(kLinger);
    if constexpr (kTls) {
      stream_.async_shutdown([self = this->shared_from_this()](const Error&) {});
    } else {
      Error ignored;
      stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      if (lingers_) Linger(kMostLingering);
    }
  }

  void Linger(size_t left) {
    stream_.async_read_some(asio::buffer(lingering_), [self = this->shared_from_this(), left](
                                                          const Error& error, size_t read) {
      if (!error && read < left) self->Linger(left - read);
    });
  }

  BeastServer& server_;
  Stream stream_;
  beast::flat_buffer buffer_{16 << 10};
  std::optional<http::request_parser<http::empty_body>> parser_;
  HttpReply reply_;  // the target of response_'s pointers
  http::response<Body> response_;
  bool lingers_ = false;  // refused: further bytes of the client are ignored
  std::array<char, 4096> lingering_;
};

bool BeastServer::MakeRoom() {
  if (connections_.size() < options_.most_connections) return true;
  Connection* first = nullptr;
  for (Connection* const connection : connections_) {
    if (connection->phase() == Connection::Phase::kReplying) continue;
    if (first == nullptr || connection->GoesBefore(*first)) first = connection;
  }
  if (first == nullptr) return false;
  first->Close();
  return true;
}

void BeastServer::Welcome(tcp::socket socket) {
  if (!MakeRoom()) return;
  if (tls_ != nullptr) {
    // Certificates are renewed while the server runs. Certificate and key are replaced one after
    // the other, so what cannot be loaded now may be at the next connection.
    (void)LoadCertificate();
    // OpenSSL counts the connections that use a context, so it outlives its replacement.
    std::make_shared<StreamConnection<beast::ssl_stream<beast::tcp_stream>>>(
        *this, std::move(socket), *tls_)
        ->Begin();
  } else {
    std::make_shared<StreamConnection<beast::tcp_stream>>(*this, std::move(socket))->Begin();
  }
}

void BeastServer::Accept() {
  acceptor_.async_accept([this](const Error& error, tcp::socket socket) {
    if (!error) {
      Welcome(std::move(socket));
      return Accept();
    }
    // Retry later: descriptors or memory are short.
    again_.expires_after(kAgain);
    again_.async_wait([this](const Error&) { Accept(); });
  });
}

absl::Status BeastServer::LoadCertificate() {
  const std::pair there(StampOf(options_.certificate), StampOf(options_.key));
  if (tls_ != nullptr && there == loaded_) return absl::OkStatus();
  Error error;
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                       asio::ssl::context::no_tlsv1_1,
                   error);
  if (!error) tls->use_certificate_chain_file(options_.certificate, error);
  if (!error) tls->use_private_key_file(options_.key, asio::ssl::context::pem, error);
  if (error) {
    return MakeProblem({.code = "tls_files",
                        .file = options_.certificate,
                        .found = "no certificate and key that fit each other",
                        .expected = "those of `joseki certs init`"},
                       absl::StatusCode::kFailedPrecondition);
  }
  tls_ = std::move(tls);
  loaded_ = there;
  return absl::OkStatus();
}

absl::Status BeastServer::Listen() {
  Error error;
  if (!options_.certificate.empty()) RETURN_IF_ERROR(LoadCertificate());
  const auto found = tcp::resolver(io_).resolve(
      options_.listen.host, absl::StrCat(options_.listen.port), tcp::resolver::passive, error);
  if (!error) {
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(kQueue, error);
  }
  if (error) {
    return MakeProblem({.code = "cannot_listen",
                        .found = absl::StrCat(options_.listen.host, ":", options_.listen.port, ": ",
                                              error.message()),
                        .expected = "an address of this machine and a free port"},
                       absl::StatusCode::kUnavailable);
  }
  port_ = acceptor_.local_endpoint(error).port();
  Accept();
  thread_ = std::thread([this] { io_.run(); });
  return absl::OkStatus();
}

}  // namespace

std::string HttpRequest::Parameter(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? "" : found->second;
}

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(Options options, Handler handler) {
  auto server = std::make_unique<BeastServer>(std::move(options), std::move(handler));
  RETURN_IF_ERROR(server->Listen());
  return server;
}

}  // namespace joseki::coordinator
