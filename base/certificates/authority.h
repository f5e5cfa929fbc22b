#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/certificate.h"

namespace joseki::certificates {

// The authority of one cluster, a folder that only its owner can read:
//
//   ca.pem ca.key     the signer; without ca.key no client can be added
//   cert.pem key.pem  the coordinator's own certificate and key
//   issued            every client's certificate: serial, role, name, end; a second row with
//                     the role "revoked" once it is revoked; append-only
//   revoked           certificates that are refused; the coordinator reads it while it runs
//   tokens            join tokens: hash, end, worker or "*", and the hash of the key that used it
//                     or "-"; append-only: the last row of a token counts
//   workers/NAME ...  files for clients: ca.pem cert.pem key.pem; likewise for operators and
//                     readers
//
// Every change is all or nothing and excludes others, across processes. Keys are readable by their
// owner alone. Each call reads the folder again, so the object may live long.
class Authority {
 public:
  // Makes the folder (and its parents), an authority and the coordinator's certificate.
  // FailedPrecondition "authority_exists" where there is one.
  static absl::StatusOr<Authority> Create(const std::string& folder, absl::Time now);
  // Opens an authority. "no_authority" unless the folder holds one with its key.
  static absl::StatusOr<Authority> Open(const std::string& folder);
  // Opens it without its key, for Revoke and List alone: these work where ca.key is kept elsewhere.
  static absl::StatusOr<Authority> OpenRecords(const std::string& folder);

  // Makes a new certificate of the coordinator, with a new key.
  absl::Status RenewServer(absl::Time now, absl::Duration life) const;

  // Makes a certificate for a client and returns its folder. An earlier one of that name is
  // replaced there, but remains valid until it ends or is revoked. "bad_name" if the name is not
  // allowed.
  absl::StatusOr<std::string> Issue(Role role, const std::string& name, absl::Time now,
                                    absl::Duration life) const;

  // Makes join tokens for the worker of that name, or each for any new worker if that is empty.
  // Returns the texts of their files.
  absl::StatusOr<std::vector<std::string>> MakeTokens(const std::string& worker, int count,
                                                      absl::Time now, absl::Duration life) const;

  // Signs a node's request; `worker` is the name it wants. A repeated call with equal token, key
  // and name signs again, since the reply may have been lost.
  // PermissionDenied "bad_token" if the secret is unknown, used by another key, expired, or another
  // worker's (one message for all of them). AlreadyExists "name_taken" if the token names no worker
  // and another key has a certificate of that name.
  absl::StatusOr<std::string> Enroll(std::string_view secret, const std::string& worker,
                                     std::string_view request, absl::Time now) const;

  // Revokes every certificate of that name that has not ended, and that worker's unused tokens.
  // Returns the number of certificates. The list's old rows and comments stay, and the new list is
  // read back as a coordinator reads it. Changes nothing on an error:
  // - NotFound "unknown_holder" if there is nothing to revoke;
  // - FailedPrecondition "no_revocations" if the list is gone though there are certificates;
  // - FailedPrecondition "bad_revocations" if it is no list;
  // - FailedPrecondition "lost_revocations" if it lacks a revoked certificate.
  absl::StatusOr<int> Revoke(Role role, const std::string& name, absl::Time now) const;

  struct Issued {
    Identity identity;
    absl::Time not_after;
    bool revoked = false;
  };
  // Every certificate of a client. Codes of the list as Revoke's.
  absl::StatusOr<std::vector<Issued>> List() const;

  const std::string& folder() const { return folder_; }

  static constexpr absl::Duration kLife = absl::Hours(24 * 397);
  static constexpr absl::Duration kTokenLife = absl::Hours(24);

 private:
  explicit Authority(std::string folder) : folder_(std::move(folder)) {}

  std::string File(const std::string& name) const { return folder_ + "/" + name; }
  absl::StatusOr<Signer> ReadSigner() const;
  // Reads a file that every authority has.
  absl::StatusOr<std::string> ReadPart(const std::string& name) const;
  absl::StatusOr<std::string> ReadRevoked() const;
  absl::Status MarkRevoked() const;
  absl::Status CheckRevoked(Role role, const std::string& name, absl::Time now) const;
  // Only rows that contain `part`.
  absl::StatusOr<std::vector<Issued>> ListIssued(std::string_view part) const;
  absl::Status Record(const Identity& identity, absl::Time not_after) const;

  std::string folder_;
};

}  // namespace joseki::certificates
