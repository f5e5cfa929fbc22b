#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace joseki::book {

// The cipher of XQF files above version 10; earlier versions have none, which is a key of zeros.
// The constants belong to the format.
class XqfCipher {
 public:
  // REQUIRES: a whole header of 1,024 bytes.
  explicit XqfCipher(std::string_view header);

  // Decodes the byte at offset `at` of the file, in the move section.
  uint8_t Plain(uint8_t byte, size_t at) const {
    return static_cast<uint8_t>(byte - stream_[at % stream_.size()]);
  }
  // Square of the header's piece `i`: file * 10 + rank; 90 and above: not on the board.
  int PieceAt(size_t i) const { return pieces_[i]; }
  // Squares of a move, file * 10 + rank, from the bytes that Plain gives.
  int From(uint8_t byte) const { return static_cast<uint8_t>(byte - 24 - from_); }
  int To(uint8_t byte) const { return static_cast<uint8_t>(byte - 32 - to_); }
  // Length of a comment from the number in its length field.
  uint32_t CommentLength(uint32_t told) const { return told - comment_; }

 private:
  std::array<uint8_t, 32> stream_{};
  std::array<uint8_t, 32> pieces_{};
  uint8_t from_ = 0;
  uint8_t to_ = 0;
  uint32_t comment_ = 0;
};

}  // namespace joseki::book
