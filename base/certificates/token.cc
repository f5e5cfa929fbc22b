#include "base/certificates/token.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/certificates/certificate.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::certificates {
namespace {

constexpr size_t kSecretDigits = 64;
constexpr std::string_view kWord = "secret ";

}  // namespace

absl::StatusOr<std::string> MakeSecret() {
  ASSIGN_OR_RETURN(const std::string first, MakeSerial());
  ASSIGN_OR_RETURN(const std::string second, MakeSerial());
  return first + second;
}

bool IsSecret(std::string_view text) {
  return text.size() == kSecretDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string HashOfSecret(std::string_view secret) { return Hex(Sha256Of(secret)); }

std::string TextOf(const JoinToken& token, const std::string& worker, const std::string& until) {
  return absl::StrCat("# Joins ", worker.empty() ? "one worker" : "the worker " + worker,
                      " to a Joseki coordinator, once, until ", until,
                      ": joseki-worker --token-file. Secret.\n", std::string(kWord), token.secret,
                      "\n", token.authority);
}

absl::StatusOr<JoinToken> ReadToken(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  JoinToken token;
  bool in_authority = false;
  for (const absl::string_view view : absl::StrSplit(text, '\n')) {
    const std::string line(view);
    if (line.substr(0, kWord.size()) == kWord) {
      token.secret = std::string(absl::StripAsciiWhitespace(line.substr(kWord.size())));
    }
    in_authority |= line.substr(0, 5) == "-----";
    if (in_authority) absl::StrAppend(&token.authority, line, "\n");
  }
  if (!IsSecret(token.secret) || !ReadCertificate(token.authority, path).ok()) {
    return MakeProblem({.code = "bad_token",
                        .file = path,
                        .found = "something else",
                        .expected = "a join token, as `joseki certs token` writes it"});
  }
  return token;
}

}  // namespace joseki::certificates
