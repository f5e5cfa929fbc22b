#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/address.h"

namespace joseki::coordinator {

// The parts of a request that the page uses.
struct HttpRequest {
  std::string method = "GET";
  std::string path;
  std::map<std::string, std::string> parameters;  // decoded; of repeated names the first
  std::string host;
  std::string authorization;
  std::string accept_encoding;

  // Empty if there is no such parameter.
  std::string Parameter(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string content_type = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::string_view fixed_body = {};  // used in place of `body` if it outlives the server
};

// Replies to requests without a body over HTTP/1.1 or HTTPS. Clients have bounded connections,
// bytes and seconds, before any handler runs: a longer head gets 431, a body 413 unread, garbage
// 400. Slow clients delay no one, as only complete requests have a thread. At the limit of
// connections the one that waits longest for its request is closed, unauthorised ones first.
class HttpServer {
 public:
  struct Options {
    HostPort listen;  // port 0 takes a free one
    // PEM files; empty: plaintext. New connections get what the files hold then; while it is
    // unusable, what they held before.
    std::string certificate = {};
    std::string key = {};
    size_t most_connections = 64;
    size_t most_head_bytes = 8192;                  // request line plus headers
    absl::Duration head_time = absl::Seconds(10);   // for TLS, and then for each request
    absl::Duration write_time = absl::Seconds(60);  // for a reply
  };
  // Called on several threads concurrently.
  using Handler = std::function<HttpReply(const HttpRequest&)>;

  // Listens. FailedPrecondition "tls_files", Unavailable "cannot_listen" without a file.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Options options, Handler handler);
  // Stops listening; waits for replies in progress.
  virtual ~HttpServer() = default;

  virtual int port() const = 0;
};

}  // namespace joseki::coordinator
