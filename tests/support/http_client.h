#pragma once

#include <map>
#include <string>

#include "base/address.h"

namespace joseki::testing {

struct HttpReply {
  int status = 0;  // 0: no reply
  std::map<std::string, std::string> headers;
  std::string body;

  std::string Header(const std::string& name) const;
};

// A minimal HTTP client for our pages: one connection for each request, read to its end.
class HttpClient {
 public:
  using Headers = std::map<std::string, std::string>;

  // TLS accepts any certificate.
  explicit HttpClient(HostPort server, bool tls = false) : server_(std::move(server)), tls_(tls) {}

  // Sets the credentials of all following requests.
  void SetPassword(const std::string& user, const std::string& password);
  void SetHeaders(Headers headers) { headers_ = std::move(headers); }

  HttpReply Get(const std::string& path, const Headers& headers = {}) const;
  HttpReply Post(const std::string& path, const std::string& body) const;
  // Sends these bytes unchanged.
  HttpReply Send(const std::string& bytes) const;
  // The fingerprint of the server's certificate; empty without one.
  std::string Certificate() const;

 private:
  std::string Head(const std::string& line, const Headers& headers) const;

  const HostPort server_;
  const bool tls_;
  Headers headers_;
};

}  // namespace joseki::testing
