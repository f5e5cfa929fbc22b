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

// The parts of a request that the page looks at.
struct HttpRequest {
  std::string method = "GET";
  std::string path;
  std::map<std::string, std::string> parameters;  // decoded; of one name the first
  std::string host;
  std::string authorization;
  std::string accept_encoding;

  // Empty where there is none.
  std::string Parameter(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string content_type = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::string_view fixed_body = {};  // in place of `body`, where it outlives the server
};

// Replies to requests without a body over HTTP/1.1 or HTTPS. Whoever connects has a bounded number
// of connections, bytes and seconds, whatever he sends, and before anybody looks at it: a longer
// head gets 431, a body with 413 unread, nonsense with 400. Whoever is slow holds nobody up: only
// whole requests have a thread, and where there are as many connections as may be, the one that
// waits longest for its request goes, those first that have never been let in.
class HttpServer {
 public:
  struct Options {
    HostPort listen;  // port 0 takes a free one
    // PEM files; empty: in clear.
    std::string certificate = {};
    std::string key = {};
    size_t most_connections = 64;
    size_t most_head_bytes = 8192;                  // request line and headers together
    absl::Duration head_time = absl::Seconds(10);   // for TLS, and then for each request
    absl::Duration write_time = absl::Seconds(60);  // for a reply
  };
  // Called on several threads at once.
  using Handler = std::function<HttpReply(const HttpRequest&)>;

  // Listens. FailedPrecondition "tls_files", Unavailable "cannot_listen" without a file.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Options options, Handler handler);
  // Stops listening; waits for the replies that are being made.
  virtual ~HttpServer() = default;

  virtual int port() const = 0;
};

}  // namespace joseki::coordinator
