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

// Whether `caller` (nullopt: a client without a certificate) may make the call "/SERVICE/METHOD".
// Services that are not listed in the table may be called by no one. Unauthenticated
// "no_certificate", PermissionDenied "wrong_role". Pure.
absl::Status Admit(std::string_view call, const std::optional<certificates::Identity>& caller);

// The caller at the other end of a connection, by its certificate; nullopt without one, or without
// TLS.
std::optional<certificates::Identity> CallerOf(const grpc::AuthContext& connection);

// The one place that admits calls, before anything of a request is read: by role, and without
// revoked certificates (PermissionDenied "revoked"). For servers with TLS.
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

// PermissionDenied "another_worker" if `connection` is that of a worker of another name; else OK.
absl::Status CheckIsWorker(const grpc::AuthContext& connection, std::string_view worker);

}  // namespace joseki::coordinator
