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
//   ca.pem ca.key          the signer; without ca.key no client can be added
//   cert.pem key.pem       the coordinator's own
//   issued                 every client's certificate: serial, role, name, end; once more with
//                          "revoked" as its role when it was revoked; grows at its end
//   revoked                those of them that are refused; read by the coordinator while it runs
//   tokens                 join tokens: hash, end, worker or "*", and the hash of the key that used
//                          it or "-"; grows at its end too: of two rows of a token the later holds
//   workers/NAME ...       what clients are given: ca.pem cert.pem key.pem; so for operators and
//                          readers
//
// Every change is all or nothing and waits for its turn, in this process or another one. Keys are
// readable by their owner alone. Each call reads the folder anew, so the object may live long.
class Authority {
 public:
  // Makes the folder (and those above it), an authority and the coordinator's certificate.
  // FailedPrecondition "authority_exists" where there is one.
  static absl::StatusOr<Authority> Create(const std::string& folder, absl::Time now);
  // "no_authority" unless the folder holds one with its key.
  static absl::StatusOr<Authority> Open(const std::string& folder);
  // Opens it without its key, for Revoke and List alone: these work where ca.key is kept elsewhere.
  static absl::StatusOr<Authority> OpenRecords(const std::string& folder);

  // A new certificate of the coordinator, with a new key.
  absl::Status RenewServer(absl::Time now, absl::Duration life) const;

  // Makes a certificate for a client and returns its folder. An earlier one of that name there is
  // replaced, and remains valid until it ends or is revoked. "bad_name" if the name is not allowed.
  absl::StatusOr<std::string> Issue(Role role, const std::string& name, absl::Time now,
                                    absl::Duration life) const;

  // Join tokens for the worker of that name, or each for any new one if that is empty: their files'
  // texts.
  absl::StatusOr<std::vector<std::string>> MakeTokens(const std::string& worker, int count,
                                                      absl::Time now, absl::Duration life) const;

  // Signs a node's request; `worker` is the name it wants. The same token with the same key and
  // name gives a certificate again, for the answer may have been lost. PermissionDenied "bad_token"
  // if the secret is unknown, used by another key, at its end, or another worker's (one message for
  // all of them); AlreadyExists "name_taken" if the token names no worker and another key has a
  // certificate of that name.
  absl::StatusOr<std::string> Enroll(std::string_view secret, const std::string& worker,
                                     std::string_view request, absl::Time now) const;

  // Revokes every certificate of that name that has not ended, and that worker's unused tokens.
  // Returns the number of certificates. The list's old rows and comments stay, and the new list is
  // read back as a coordinator reads it. Changes nothing on an error: NotFound "unknown_holder" if
  // there is nothing to revoke; FailedPrecondition "no_revocations" if the list is gone though
  // there are certificates, "bad_revocations" if it is none, "lost_revocations" if it lacks a
  // revoked one.
  absl::StatusOr<int> Revoke(Role role, const std::string& name, absl::Time now) const;

  struct Issued {
    Identity identity;
    absl::Time not_after;
    bool revoked = false;
  };
  // Codes of the list as Revoke's.
  absl::StatusOr<std::vector<Issued>> List() const;

  const std::string& folder() const { return folder_; }

  static constexpr absl::Duration kLife = absl::Hours(24 * 397);
  static constexpr absl::Duration kTokenLife = absl::Hours(24);

 private:
  explicit Authority(std::string folder) : folder_(std::move(folder)) {}

  std::string File(const std::string& name) const { return folder_ + "/" + name; }
  absl::StatusOr<Signer> ReadSigner() const;
  // A file without which there is no authority.
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
