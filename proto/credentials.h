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

// Contents of the TLS files.
struct TlsTexts {
  std::string authority;
  std::string certificate;  // empty: none
  std::string key;
};
// Reads the files. FailedPrecondition with the problems of certificates::CheckCertificate and the
// file's name, or "tls_files" for a certificate without its key or without an authority.
absl::StatusOr<TlsTexts> ReadTls(const certificates::TlsFiles& files, certificates::End end,
                                 absl::Time now);

// A client's identity and the authority it trusts.
struct ClientTls {
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  bool secure = false;
  bool http_proxy = false;
  std::optional<certificates::Identity> identity;  // ours, if we have a certificate
};
absl::StatusOr<ClientTls> MakeClientTls(const certificates::TlsFiles& files, absl::Time now);

// Settings of every channel to a coordinator: the fixed name in its certificate, and pings that
// keep an idle connection open. There is one connection per channel, and no proxy of the
// environment unless asked for. gRPC does not retry, since the caller does.
grpc::ChannelArguments ChannelArgumentsFor(const ClientTls& tls);

// The result of a call. Unavailable "unreachable" if no coordinator replied, with the address, the
// reason why the connection ended, and the remedy; DeadlineExceeded "unreachable" if it let the
// call's time pass. "coordinator_not_trusted" if its certificate is not the authority's or not
// valid now.
absl::Status StatusOfCall(const grpc::Status& status, const std::string& address, bool secure);

}  // namespace joseki
