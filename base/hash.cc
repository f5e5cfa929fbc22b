#include "base/hash.h"

#include <openssl/evp.h>

#include "absl/strings/escaping.h"

namespace joseki {

Sha256 Sha256Of(std::string_view bytes) {
  Sha256 hash{};
  unsigned length = 0;
  // Looked up once: that takes OpenSSL longer than hashing a game.
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_Digest(bytes.data(), bytes.size(), hash.data(), &length, sha256, nullptr);
  return hash;
}

std::string Hex(std::string_view bytes) {
  return absl::BytesToHexString(absl::string_view(bytes.data(), bytes.size()));
}

std::string Hex(const Sha256& hash) {
  return Hex(std::string_view(reinterpret_cast<const char*>(hash.data()), hash.size()));
}

uint64_t Hash64(std::string_view bytes) {
  const Sha256 hash = Sha256Of(bytes);
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | hash[static_cast<size_t>(i)];
  return value;
}

}  // namespace joseki
