#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace joseki::certificates {

// A token with which a node without a certificate joins, once: a secret that the coordinator knows
// by its hash alone, and the authority by which the node knows the coordinator. It travels as a
// file.
struct JoinToken {
  std::string secret;     // 64 hexadecimal digits; never logged, never on a command line
  std::string authority;  // PEM
};

absl::StatusOr<std::string> MakeSecret();
bool IsSecret(std::string_view text);
// The authority's row of the token.
std::string HashOfSecret(std::string_view secret);

std::string TextOf(const JoinToken& token, const std::string& worker, const std::string& until);
// "bad_token" with the file's name, and nothing of what stands in it.
absl::StatusOr<JoinToken> ReadToken(const std::string& path);

}  // namespace joseki::certificates
