#include "proto/credentials.h"

#include <grpcpp/grpcpp.h>

#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/grpc_status.h"

namespace joseki {
namespace {

// Parts of error messages by gRPC, OpenSSL and the system, with the words for the user; the first
// match counts.
constexpr std::pair<std::string_view, std::string_view> kDeaths[] = {
    {"certificate verify failed", "a certificate that is not valid now, or not our authority's"},
    {"CERTIFICATE_VERIFY_FAILED", "a certificate that is not valid now, or not our authority's"},
    {"wrong version number", "no TLS"},
    {"WRONG_VERSION_NUMBER", "no TLS"},
    {"Connection refused", "nobody who listens there"},
    {"DNS resolution failed", "no machine of that name"},
    {"Name or service not known", "no machine of that name"},
    {"Network is unreachable", "no way to that machine"},
    {"No route to host", "no way to that machine"},
    {"Timeout", "no answer in time"},
    {"timed out", "no answer in time"},
    {"Socket closed", "a connection that was closed"},
    {"Connection reset", "a connection that was closed"},
    {"GOAWAY", "a connection that was closed"},
};

// The user's words for an error message; the message itself where nothing matches.
std::string WhatItDiedOf(std::string_view said) {
  for (const auto& [part, words] : kDeaths) {
    if (said.find(part) != std::string_view::npos) return std::string(words);
  }
  return std::string(said);
}

}  // namespace

absl::StatusOr<TlsTexts> ReadTls(const certificates::TlsFiles& files, certificates::End end,
                                 absl::Time now) {
  if (files.authority.empty() || files.certificate.empty() != files.key.empty()) {
    return MakeProblem({.code = "tls_files",
                        .file = files.certificate,
                        .found = files.authority.empty() ? "no certificate of the authority"
                                                         : "one of certificate and key",
                        .expected = "the authority's certificate, and one's own with its key"},
                       absl::StatusCode::kFailedPrecondition);
  }
  TlsTexts texts;
  ASSIGN_OR_RETURN(texts.authority, ReadFile(files.authority));
  RETURN_IF_ERROR(certificates::ReadCertificate(texts.authority, files.authority).status());
  if (files.certificate.empty()) return texts;
  ASSIGN_OR_RETURN(texts.certificate, ReadFile(files.certificate));
  ASSIGN_OR_RETURN(texts.key, ReadFile(files.key));
  RETURN_IF_ERROR(certificates::CheckCertificate(texts.authority, texts.certificate, texts.key, end,
                                                 now, files.certificate));
  return texts;
}

absl::StatusOr<ClientTls> MakeClientTls(const certificates::TlsFiles& files, absl::Time now) {
  ClientTls tls;
  tls.http_proxy = files.http_proxy;
  if (files.empty()) {
    tls.credentials = grpc::InsecureChannelCredentials();
    return tls;
  }
  ASSIGN_OR_RETURN(TlsTexts texts, ReadTls(files, certificates::End::kClient, now));
  if (!texts.certificate.empty()) {
    ASSIGN_OR_RETURN(const certificates::Certificate certificate,
                     certificates::ReadCertificate(texts.certificate, files.certificate));
    tls.identity = certificate.identity;
  }
  tls.secure = true;
  tls.credentials = grpc::SslCredentials({.pem_root_certs = std::move(texts.authority),
                                          .pem_private_key = std::move(texts.key),
                                          .pem_cert_chain = std::move(texts.certificate)});
  return tls;
}

grpc::ChannelArguments ChannelArgumentsFor(const ClientTls& tls) {
  grpc::ChannelArguments arguments;
  if (tls.secure) arguments.SetSslTargetNameOverride(std::string(certificates::kServerName));
  // Keep idle connections through a NAT open. The server accepts a ping every 10 s.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // The environment's proxy is meant for the web, not for connections within a cluster.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, tls.http_proxy ? 1 : 0);
  // Two layers of retries would multiply; and no name server may set a retry policy.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  // A new channel makes a new connection, without inheriting the back-off of an earlier one.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // gRPC's own counters are not read.
  arguments.SetInt(GRPC_ARG_ENABLE_CHANNELZ, 0);
  // A channel that is kept reconnects soon after its coordinator is back. A handshake may take long
  // while thousands reconnect.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 20'000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 10'000);
  return arguments;
}

absl::Status StatusOfCall(const grpc::Status& status, const std::string& address, bool secure) {
  // Errors from the coordinator have details; those of the transport have none.
  const bool late = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  if ((!late && status.error_code() != grpc::StatusCode::UNAVAILABLE) ||
      !status.error_details().empty()) {
    return FromGrpc(status);
  }
  const std::string said = late ? "timed out" : status.error_message();
  const auto has = [&](std::string_view word) { return said.find(word) != std::string::npos; };
  Problem problem{.code = "unreachable", .file = address, .found = WhatItDiedOf(said)};
  if (has("certificate verify failed") || has("CERTIFICATE_VERIFY_FAILED")) {
    problem.code = "coordinator_not_trusted";
    problem.expected = "a coordinator whose certificate is valid now and signed by our authority";
  } else if (has("wrong version number") || has("WRONG_VERSION_NUMBER")) {
    problem.expected = "a coordinator with TLS; this one seems to speak in clear";
  } else if (secure) {
    problem.expected = "a running coordinator that trusts our authority";
  } else {
    problem.expected = "a running coordinator without TLS; one with TLS is reached with --tls";
  }
  return MakeProblem(std::move(problem),
                     late ? absl::StatusCode::kDeadlineExceeded : absl::StatusCode::kUnavailable);
}

}  // namespace joseki
