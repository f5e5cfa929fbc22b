#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::certificates {

// A one-time token for a node that has no certificate: a secret, and the authority by which the
// node verifies the coordinator. The coordinator knows the secret by its hash alone. Tokens are
// transferred as files.
struct JoinToken {
  std::string secret;     // 64 hexadecimal digits; never logged, never on a command line
  std::string authority;  // PEM
};

absl::StatusOr<std::string> MakeSecret();
bool IsSecret(std::string_view text);
// The hash in the authority's row of the token.
std::string HashOfSecret(std::string_view secret);

std::string TextOf(const JoinToken& token, const std::string& worker, const std::string& until);
// Reads a token's file. "bad_token" with the file's name, and none of its contents.
absl::StatusOr<JoinToken> ReadToken(const std::string& path);

}  // namespace joseki::certificates
