#pragma once

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/server_credentials.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/tls_files.h"
#include "base/file.h"
#include "proto/credentials.h"

namespace joseki {

// A coordinator's end of TLS, whose files may be replaced while it serves: new connections see the
// new certificate, open ones stay. Clients with a certificate must have one that the authority has
// signed. Those without are let in without an identity; the server's processor decides which calls
// they may make. Thread-safe but for Refresh, which one thread calls.
class ServerTls : public std::enable_shared_from_this<ServerTls> {
 public:
  // FailedPrecondition as ReadTls's, and "tls_files" without a certificate.
  static absl::StatusOr<std::shared_ptr<ServerTls>> Load(const certificates::TlsFiles& files,
                                                         absl::Time now);

  // Loads the files if they differ from the last call. Returns true if they were loaded; an error,
  // once for each state of the files, if they are unusable, and then keeps the last good ones.
  // Certificate and key are replaced one after the other, so an unusable state is checked twice.
  absl::StatusOr<bool> Refresh(absl::Time now);

  // The end of the coordinator's certificate, or of the authority's if that comes before.
  absl::Time not_after() const;

  // For one server, which may outlive this.
  std::shared_ptr<grpc::ServerCredentials> Credentials(
      std::shared_ptr<grpc::AuthMetadataProcessor> processor);

  // The certificate in use, and how many times it was replaced.
  struct Served {
    TlsTexts texts;
    uint64_t version = 0;
  };
  Served served() const;

 private:
  using Stamps = std::array<FileStamp, 3>;

  explicit ServerTls(certificates::TlsFiles files) : files_(std::move(files)) {}
  Stamps StampsNow() const;
  absl::Status Take(absl::Time now);

  const certificates::TlsFiles files_;
  Stamps taken_;   // the state that was taken, or refused twice; Refresh's alone
  Stamps failed_;  // the state that was refused once; Refresh's alone
  mutable std::mutex mutex_;
  Served served_;         // guarded by mutex_
  absl::Time not_after_;  // guarded by mutex_
};

}  // namespace joseki
