#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace joseki::book {

// Little-endian numbers in binary book files. REQUIRES: `bytes` holds the whole number from `at`
// on.
template <typename T>
T LittleEndian(std::string_view bytes, size_t at) {
  std::make_unsigned_t<T> value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::make_unsigned_t<T>>(
        static_cast<std::make_unsigned_t<T>>(static_cast<unsigned char>(bytes[at + i])) << 8 * i);
  }
  return static_cast<T>(value);
}

template <typename T>
void AppendLittleEndian(std::string& out, T number) {
  auto value = static_cast<std::make_unsigned_t<T>>(number);
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> 8 * i & 0xff);
}

}  // namespace joseki::book
