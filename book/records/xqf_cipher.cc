#include "book/records/xqf_cipher.h"

namespace joseki::book {
namespace {

constexpr size_t kPiecesAt = 16;
constexpr uint8_t kLastPlainVersion = 10;
constexpr uint8_t kFirstShuffledVersion = 12;
constexpr std::string_view kText = "[(C) Copyright Mr. Dong Shiwei.]";

// One step of the key derivation: a polynomial of `base`, times `factor`, modulo 256.
uint8_t KeyOf(uint8_t base, uint8_t factor) {
  return static_cast<uint8_t>(((((base * base * 3U + 9) * 3 + 8) * 2 + 1) * 3 + 8) * factor);
}

}  // namespace

XqfCipher::XqfCipher(std::string_view header) {
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(header[at]); };
  const uint8_t version = byte(2);
  uint8_t piece = 0;
  if (version > kLastPlainVersion) {
    const uint8_t mask = byte(3);
    const uint8_t sum = byte(12);
    piece = KeyOf(byte(13), byte(13));
    from_ = KeyOf(byte(14), piece);
    to_ = KeyOf(byte(15), from_);
    comment_ = (sum * 256U + byte(13)) % 32000 + 767;
    for (size_t i = 0; i < stream_.size(); ++i) {
      // Four header keys in turn, masked and combined with bits of their own.
      const uint8_t key = static_cast<uint8_t>((byte(12 + i % 4) & mask) | byte(8 + i % 4));
      stream_[i] = static_cast<uint8_t>(kText[i]) & key;
    }
  }
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const size_t place = version >= kFirstShuffledVersion ? (i + piece + 1) % 32 : i;
    pieces_[place] = static_cast<uint8_t>(byte(kPiecesAt + i) - piece);
  }
}

}  // namespace joseki::book
