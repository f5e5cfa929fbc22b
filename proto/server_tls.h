#pragma once

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/server_credentials.h>

#include <array>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/tls_files.h"
#include "base/file.h"
#include "base/mutex.h"
#include "proto/credentials.h"

namespace joseki {

// A coordinator's end of TLS, whose files may be replaced while it serves: new connections get the
// new certificate, open ones stay. A client's certificate must be signed by the authority. Clients
// without one are accepted without an identity; the server's processor decides which calls they may
// make. Thread-safe except Refresh, which one thread calls.
class ServerTls : public std::enable_shared_from_this<ServerTls> {
 public:
  // Loads the files. FailedPrecondition as ReadTls's, and "tls_files" without a certificate.
  static absl::StatusOr<std::shared_ptr<ServerTls>> Load(const certificates::TlsFiles& files,
                                                         absl::Time now);

  // Loads the files if they have changed since the last call; returns whether they were loaded. An
  // error is returned once for each unusable state of the files, and keeps the last good ones.
  // Certificate and key are replaced one after the other, so an unusable state is checked twice.
  absl::StatusOr<bool> Refresh(absl::Time now);

  // The end of the coordinator's certificate, or of the authority's if that comes before.
  absl::Time not_after() const;

  // Credentials for one server, which may outlive this object.
  std::shared_ptr<grpc::ServerCredentials> Credentials(
      std::shared_ptr<grpc::AuthMetadataProcessor> processor);

  // The certificate in use, and the number of times it was replaced.
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
  Stamps taken_;   // the state that was loaded, or refused twice; used by Refresh alone
  Stamps failed_;  // the state that was refused once; used by Refresh alone
  mutable Mutex mutex_;
  Served served_ ABSL_GUARDED_BY(mutex_);
  absl::Time not_after_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki
