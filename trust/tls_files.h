#pragma once

#include <string>

namespace joseki::trust {

// Where the PEM files of one end of a connection are. All empty: no TLS. A client may have an
// authority alone: it then knows its coordinator, and may enrol or ask for health.
struct TlsFiles {
  std::string authority;    // whom the other end's certificate must be signed by
  std::string certificate;  // one's own
  std::string key;          // its private key

  // As the folders of `joseki certs` name them.
  static TlsFiles In(const std::string& folder) {
    return {folder + "/ca.pem", folder + "/cert.pem", folder + "/key.pem"};
  }
  bool empty() const { return authority.empty() && certificate.empty() && key.empty(); }
};

}  // namespace joseki::trust
