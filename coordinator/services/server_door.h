#pragma once

#include <grpcpp/security/auth_context.h>
#include <grpcpp/security/auth_metadata_processor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/certificates/certificate.h"
#include "base/certificates/revocations.h"

namespace joseki::coordinator {

// Whether `caller` (nobody: a client without a certificate) may make the call "/SERVICE/METHOD".
// A service that is not listed here may be called by no one. Unauthenticated "no_certificate",
// PermissionDenied "wrong_role". Pure.
absl::Status Admit(std::string_view call, const std::optional<certificates::Identity>& caller);

// The caller at the other end of a connection, by its certificate; nobody without one, or in clear.
std::optional<certificates::Identity> CallerOf(const grpc::AuthContext& connection);

// The one place where callers are let in, before anything of a request is read: by role, and not
// with a revoked certificate (PermissionDenied "revoked"). For servers with TLS.
class Door : public grpc::AuthMetadataProcessor {
 public:
  // `revocations` may be null: no certificate is revoked.
  explicit Door(std::shared_ptr<const certificates::Revocations> revocations)
      : revocations_(std::move(revocations)) {}

  bool IsBlocking() const override { return false; }
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* connection,
                       OutputMetadata* consumed, OutputMetadata* response) override;

 private:
  const std::shared_ptr<const certificates::Revocations> revocations_;
};

absl::Status Revoked(const certificates::Identity& caller);

// OK unless `connection` is that of a worker of another name: PermissionDenied "another_worker".
absl::Status CheckIsWorker(const grpc::AuthContext& connection, std::string_view worker);

}  // namespace joseki::coordinator
