#pragma once

#include <map>
#include <string>

#include "base/address.h"

namespace joseki::testing {

struct HttpReply {
  int status = 0;  // 0: none came
  std::map<std::string, std::string> headers;
  std::string body;

  std::string Header(const std::string& name) const;
};

// What is needed of HTTP to ask a page of ours: one connection a request, read to its end.
class HttpClient {
 public:
  using Headers = std::map<std::string, std::string>;

  // With TLS any certificate will do.
  explicit HttpClient(HostPort server, bool tls = false) : server_(std::move(server)), tls_(tls) {}

  // Of every request from now on.
  void SetPassword(const std::string& user, const std::string& password);
  void SetHeaders(Headers headers) { headers_ = std::move(headers); }

  HttpReply Get(const std::string& path, const Headers& headers = {}) const;
  HttpReply Post(const std::string& path, const std::string& body) const;
  // Sends these bytes, as they are.
  HttpReply Send(const std::string& bytes) const;

 private:
  std::string Head(const std::string& line, const Headers& headers) const;

  const HostPort server_;
  const bool tls_;
  Headers headers_;
};

}  // namespace joseki::testing
