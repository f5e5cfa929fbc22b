#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace joseki {

using Sha256 = std::array<uint8_t, 32>;

Sha256 Sha256Of(std::string_view bytes);

// The hash of bytes that arrive piece by piece.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(const Sha256Stream&) = delete;
  Sha256Stream& operator=(const Sha256Stream&) = delete;

  void Add(std::string_view bytes);
  Sha256 Finish();  // once, at the end

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Lower-case hexadecimal, two digits a byte.
std::string Hex(std::string_view bytes);
std::string Hex(const Sha256& hash);

// The first 8 bytes of SHA-256, big-endian; for distinguishing payloads.
uint64_t Hash64(std::string_view bytes);

}  // namespace joseki
