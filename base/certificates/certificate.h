#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

// X.509 certificates of one cluster: P-256 keys, one authority, and the holder and role of a
// certificate. Certificates and keys are PEM text; no problem contains a secret.
//
// Keys, serial numbers and tokens come from the library's cryptographic generator, and never from
// base/rng.h: they must not be reproducible.
namespace joseki::certificates {

// The name in the coordinator's certificate, independent of its host, as a coordinator may move.
inline constexpr std::string_view kServerName = "joseki-coordinator";

// The holder's rights (docs/reference/protocol.md).
enum class Role : uint8_t { kWorker = 1, kOperator = 2, kReader = 3 };
std::string_view NameOf(Role role);  // "worker", "operator", "reader"
std::optional<Role> RoleOf(std::string_view name);

// Whether `name` may name a worker, an operator or a reader: IsName of proto/limits.h, and neither
// "." nor "..".
bool IsHolderName(std::string_view name);

// The holder of a client's certificate, from its one URI: "joseki://worker/NAME/SERIAL".
struct Identity {
  Role role = Role::kReader;
  std::string name;
  std::string serial;  // 32 lower-case hexadecimal digits; distinguishes certificates of one name
  bool operator==(const Identity&) const = default;
};
bool IsSerial(std::string_view text);
std::string UriOf(const Identity& identity);
std::optional<Identity> IdentityOf(std::string_view uri);

struct Certificate {
  std::optional<Identity> identity;  // of a client
  bool authority = false;
  absl::Time not_before;
  absl::Time not_after;
};
// InvalidArgument "bad_certificate" that names `place`, such as the file.
absl::StatusOr<Certificate> ReadCertificate(std::string_view pem, const std::string& place);

struct Validity {
  absl::Time not_before;
  absl::Time not_after;
};

// A new private key.
absl::StatusOr<std::string> MakeKey();
// 128 random bits in hexadecimal.
absl::StatusOr<std::string> MakeSerial();

// The signer. The key is held in memory.
struct Signer {
  std::string certificate;
  std::string key;
};
// Makes a new, self-signed authority.
absl::StatusOr<Signer> MakeAuthority(Validity validity);
// Signs the coordinator's certificate for the key `key`.
absl::StatusOr<std::string> SignServer(const Signer& authority, const std::string& key,
                                       Validity validity);
// Signs a client's certificate for the key `key`.
absl::StatusOr<std::string> SignClient(const Signer& authority, const std::string& key,
                                       const Identity& identity, Validity validity);

// Makes a request (PKCS#10, PEM) with which the holder of `key` asks for a certificate without
// revealing the key.
absl::StatusOr<std::string> MakeRequest(const std::string& key);
// The SHA-256 of a request's key, in hexadecimal. InvalidArgument "bad_request" unless the text is
// a request for a P-256 key, signed by that key.
absl::StatusOr<std::string> KeyOfRequest(std::string_view request);
absl::StatusOr<std::string> SignRequest(const Signer& authority, std::string_view request,
                                        const Identity& identity, Validity validity);

// The end of a connection that a certificate is for.
enum class End { kServer, kClient };
// Checks that `authority` vouches for `certificate` as that end of a connection, now, and that
// `key` (unless empty) is its key. FailedPrecondition "certificate_expired",
// "certificate_not_yet_valid", "certificate_not_trusted" or "key_mismatch", naming `place`.
absl::Status CheckCertificate(std::string_view authority, std::string_view certificate,
                              std::string_view key, End end, absl::Time now,
                              const std::string& place);

}  // namespace joseki::certificates
