#pragma once

#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/certificate.h"
#include "base/certificates/tls_files.h"

namespace joseki {

// What files of TLS hold.
struct TlsTexts {
  std::string authority;
  std::string certificate;  // empty: none
  std::string key;
};
// Reads them. FailedPrecondition with the problems of certificates::CheckCertificate and the file's
// name, "tls_files" for a certificate without its key or without an authority.
absl::StatusOr<TlsTexts> ReadTls(const certificates::TlsFiles& files, certificates::End end,
                                 absl::Time now);

// Who we are and whom we believe, as a client. Reads the files, and says at once what the other end
// would only refuse: ReadTls's problems. Without files: clear text.
struct ClientTls {
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  bool secure = false;
  bool http_proxy = false;
  std::optional<certificates::Identity> identity;  // ours, if we have a certificate
};
absl::StatusOr<ClientTls> MakeClientTls(const certificates::TlsFiles& files, absl::Time now);

// What every channel to a coordinator is made with: the fixed name in its certificate, pings that
// keep an idle connection, no proxy of the environment (unless asked for), one connection a
// channel, and no retries of gRPC's own, for the caller has his.
grpc::ChannelArguments ChannelArgumentsFor(const ClientTls& tls);

// What a call came to. Where no coordinator answered, Unavailable "unreachable" with the address,
// what the connection died of, and what may be done: "coordinator_not_trusted" if its certificate
// is not the authority's or is not valid now.
absl::Status StatusOfCall(const grpc::Status& status, const std::string& address, bool secure);

}  // namespace joseki
