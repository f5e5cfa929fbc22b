#include "base/hash.h"

#include <openssl/evp.h>

#include "absl/strings/escaping.h"

namespace joseki {

Sha256 Sha256Of(std::string_view bytes) {
  Sha256 hash{};
  unsigned length = 0;
  // Fetched once: the lookup takes OpenSSL longer than hashing a game.
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_Digest(bytes.data(), bytes.size(), hash.data(), &length, sha256, nullptr);
  return hash;
}

struct Sha256Stream::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
};

Sha256Stream::Sha256Stream() : impl_(std::make_unique<Impl>()) {
  EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr);
}

Sha256Stream::~Sha256Stream() { EVP_MD_CTX_free(impl_->context); }

void Sha256Stream::Add(std::string_view bytes) {
  EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size());
}

Sha256 Sha256Stream::Finish() {
  Sha256 hash{};
  unsigned length = 0;
  EVP_DigestFinal_ex(impl_->context, hash.data(), &length);
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
