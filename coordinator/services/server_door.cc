#include "coordinator/services/server_door.h"

#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "proto/grpc_status.h"

namespace joseki::coordinator {
namespace {

using certificates::Identity;
using certificates::Role;

constexpr unsigned Bit(Role role) { return 1U << static_cast<unsigned>(role); }
constexpr unsigned kWorkers = Bit(Role::kWorker);
constexpr unsigned kOperators = Bit(Role::kOperator);
// Operators may read as well.
constexpr unsigned kReaders = Bit(Role::kReader) | kOperators;
// Callers without a certificate, too.
constexpr unsigned kAnybody = 1;

struct Service {
  std::string_view prefix;
  unsigned callers;
};
// Roles by prefix of the call; the last match counts.
constexpr std::array<Service, 9> kServices = {{
    {"/joseki.v1.WorkerService/", kWorkers},
    {"/joseki.v1.ArtefactService/", kWorkers | kOperators},
    {"/joseki.v1.OperatorService/", kOperators},
    {"/joseki.v1.ReaderService/", kReaders},
    // Callers show a token in place of a certificate.
    {"/joseki.v1.EnrollService/", kAnybody},
    // Container probes have no certificate, and learn one bit.
    {"/grpc.health.v1.Health/", kAnybody},
    // An endless stream requires a certificate.
    {"/grpc.health.v1.Health/Watch", kWorkers | kReaders},
    {"/grpc.reflection.v1alpha.ServerReflection/", kReaders},
    {"/grpc.reflection.v1.ServerReflection/", kReaders},
}};

absl::Status Denied(std::string code, std::string found, std::string expected) {
  return MakeProblem({.code = std::move(code),
                      .file = "certificate",
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     absl::StatusCode::kPermissionDenied);
}

std::string NameOf(const Identity& identity) {
  return absl::StrCat("the ", std::string(certificates::NameOf(identity.role)), " ", identity.name);
}

}  // namespace

absl::Status Admit(std::string_view call, const std::optional<Identity>& caller) {
  unsigned callers = 0;
  for (const Service& service : kServices) {
    if (call.substr(0, service.prefix.size()) == service.prefix) callers = service.callers;
  }
  if ((callers & kAnybody) != 0) return absl::OkStatus();
  if (!caller) {
    return MakeProblem({.code = "no_certificate",
                        .file = "certificate",
                        .found = "a caller without one of this cluster",
                        .expected = "one of `joseki certs`: --tls FOLDER"},
                       absl::StatusCode::kUnauthenticated);
  }
  if ((callers & Bit(caller->role)) != 0) return absl::OkStatus();
  std::vector<std::string_view> roles;
  std::string expected;
  for (const Role role : {Role::kWorker, Role::kOperator, Role::kReader}) {
    if ((callers & Bit(role)) == 0) continue;
    absl::StrAppend(&expected, expected.empty() ? "" : " or ",
                    std::string(certificates::NameOf(role)));
  }
  return Denied("wrong_role", NameOf(*caller),
                expected.empty() ? "a service of this coordinator" : "the role " + expected);
}

std::optional<Identity> CallerOf(const grpc::AuthContext& connection) {
  const std::vector<grpc::string_ref> uris = connection.FindPropertyValues("peer_uri");
  if (uris.size() != 1) return std::nullopt;
  return certificates::IdentityOf(std::string_view(uris.front().data(), uris.front().size()));
}

absl::Status Revoked(const Identity& caller) {
  return Denied("revoked", NameOf(caller), "a certificate that has not been revoked");
}

grpc::Status Door::Process(const InputMetadata& metadata, grpc::AuthContext* connection,
                           OutputMetadata*, OutputMetadata*) {
  const auto path = metadata.find(":path");
  const std::string_view call = path == metadata.end()
                                    ? std::string_view()
                                    : std::string_view(path->second.data(), path->second.size());
  const std::optional<Identity> caller = CallerOf(*connection);
  if (caller && revocations_ != nullptr && revocations_->Contains(caller->serial)) {
    return ToGrpc(Revoked(*caller));
  }
  return ToGrpc(Admit(call, caller));
}

absl::Status CheckIsWorker(const grpc::AuthContext& connection, std::string_view worker) {
  const std::optional<Identity> caller = CallerOf(connection);
  if (!caller || caller->role != Role::kWorker || caller->name == worker) return absl::OkStatus();
  return Denied("another_worker", NameOf(*caller) + " in the name of " + Quote(worker),
                "the worker that the certificate names");
}

}  // namespace joseki::coordinator
