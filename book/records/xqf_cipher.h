#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace joseki::book {

// The cipher of XQF files of versions above 10; those up to 10 have none, and keys of zero. The
// numbers are the format's own.
class XqfCipher {
 public:
  // REQUIRES: a whole header of 1,024 bytes.
  explicit XqfCipher(std::string_view header);

  // The byte that stands at `at` of the file, among its moves.
  uint8_t Plain(uint8_t byte, size_t at) const {
    return static_cast<uint8_t>(byte - stream_[at % stream_.size()]);
  }
  // Square of the header's piece `i`: file * 10 + rank; 90 and more: nowhere.
  int PieceAt(size_t i) const { return pieces_[i]; }
  // The squares of a move, file * 10 + rank, of the bytes as Plain gives them.
  int From(uint8_t byte) const { return static_cast<uint8_t>(byte - 24 - from_); }
  int To(uint8_t byte) const { return static_cast<uint8_t>(byte - 32 - to_); }
  // Length of a comment whose field has this number of bytes.
  uint32_t CommentLength(uint32_t told) const { return told - comment_; }

 private:
  std::array<uint8_t, 32> stream_{};
  std::array<uint8_t, 32> pieces_{};
  uint8_t from_ = 0;
  uint8_t to_ = 0;
  uint32_t comment_ = 0;
};

}  // namespace joseki::book
