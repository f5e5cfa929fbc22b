#pragma once

#include <string>

namespace joseki::certificates {

// Paths of the PEM files of one end of a connection. All empty: no TLS. A client may have an
// authority alone: it can then verify its coordinator, and may enrol or ask for health.
struct TlsFiles {
  std::string authority;    // authority that must have signed the other end's certificate
  std::string certificate;  // this end's certificate
  std::string key;          // its private key
  bool http_proxy = false;  // whether a client may use the proxy that its environment names

  // File names in the folders of `joseki certs`.
  static TlsFiles In(const std::string& folder) {
    return {.authority = folder + "/ca.pem",
            .certificate = folder + "/cert.pem",
            .key = folder + "/key.pem"};
  }
  bool empty() const { return authority.empty() && certificate.empty() && key.empty(); }
};

}  // namespace joseki::certificates
