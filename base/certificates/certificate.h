#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

// X.509 certificates of one cluster: P-256 keys, one authority, and a certificate's holder and
// role. Certificates and keys are PEM text; no problem contains a secret.
//
// Keys, serial numbers and tokens come from the cryptographic generator of the library, and never
// from base/rng.h: they must not be repeatable.
namespace joseki::certificates {

// The name in the coordinator's certificate, whatever its host is called: a coordinator may move.
inline constexpr std::string_view kServerName = "joseki-coordinator";

// The holder's rights (docs/reference/protocol.md).
enum class Role : uint8_t { kWorker = 1, kOperator = 2, kReader = 3 };
std::string_view NameOf(Role role);  // "worker", "operator", "reader"
std::optional<Role> RoleOf(std::string_view name);

// True if `name` may name a worker, an operator or a reader: IsName of proto/limits.h, and neither
// "." nor "..".
bool IsHolderName(std::string_view name);

// The holder of a client's certificate, from its one URI: "joseki://worker/NAME/SERIAL".
struct Identity {
  Role role = Role::kReader;
  std::string name;
  std::string serial;  // 32 lower-case hexadecimal digits; tells two certificates of a name apart
  bool operator==(const Identity&) const = default;
};
bool IsSerial(std::string_view text);
std::string UriOf(const Identity& identity);
std::optional<Identity> IdentityOf(std::string_view uri);

struct Certificate {
  std::optional<Identity> identity;  // a client's
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
// A new authority that signs itself.
absl::StatusOr<Signer> MakeAuthority(Validity validity);
// The coordinator's certificate for the key `key`.
absl::StatusOr<std::string> SignServer(const Signer& authority, const std::string& key,
                                       Validity validity);
// A client's certificate for the key `key`.
absl::StatusOr<std::string> SignClient(const Signer& authority, const std::string& key,
                                       const Identity& identity, Validity validity);

// A request (PKCS#10, PEM) by which the holder of `key` asks for a certificate without showing the
// key.
absl::StatusOr<std::string> MakeRequest(const std::string& key);
// The SHA-256 of the key that a request asks a certificate for, in hexadecimal. InvalidArgument
// "bad_request" unless it is one, for a P-256 key, signed by that key.
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
