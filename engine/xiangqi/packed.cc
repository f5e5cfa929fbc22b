#include "engine/xiangqi/packed.h"

#include <array>
#include <cstring>

#include "base/hash.h"
#include "base/problem.h"
#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

constexpr uint8_t kMark = 'X';
constexpr size_t kMarkByte = 31;
constexpr size_t kFirstPieceBit = 1 + kSquareCount;
constexpr size_t kPieceBits = 4;
constexpr int kMostPieces = 32;
constexpr unsigned kCodes = 14;

using Words = std::array<uint64_t, 4>;  // x86-64 is little-endian

unsigned CodeOf(Piece piece) {
  return TypeOf(piece) - 1U + (ColorOf(piece) == kBlack ? kCodes / 2 : 0);
}
Piece PieceOf(unsigned code) {
  return MakePiece(code < kCodes / 2 ? kRed : kBlack,
                   static_cast<PieceType>(code % (kCodes / 2) + 1));
}

// Names all bytes, by which a database finds its row.
absl::Status Broken(const PackedPosition& packed, const char* expected) {
  return MakeProblem({.code = "bad_packed_position",
                      .found = Hex(std::string_view(
                          reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size())),
                      .expected = expected});
}

}  // namespace

PackedPosition Pack(const Position& position) {
  const Bitboard all = position.occupied();
  // The side's bit and 63 squares fill the first word; 27 squares begin the second.
  Words words = {all.lo() << 1 | static_cast<uint64_t>(Index(position.side_to_move())), all.hi()};
  size_t at = kFirstPieceBit;
  ForEach(all, [&](Square s) {
    const uint64_t code = CodeOf(position.piece(s));
    words[at / 64] |= code << at % 64;
    if (at % 64 > 64 - kPieceBits) words[at / 64 + 1] |= code >> (64 - at % 64);
    at += kPieceBits;
  });
  PackedPosition packed;
  std::memcpy(packed.bytes.data(), words.data(), packed.bytes.size());
  packed.bytes[kMarkByte] = kMark;
  return packed;
}

absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
  if (packed.bytes[kMarkByte] != kMark) return Broken(packed, "the mark of xiangqi");
  Words words;
  std::memcpy(words.data(), packed.bytes.data(), packed.bytes.size());
  const Bitboard occupied(words[0] >> 1, words[1] & kAllSquares.hi());
  if (occupied.Count() > kMostPieces) return Broken(packed, "at most 32 pieces");
  PositionBuilder builder;
  builder.SideToMove(static_cast<Color>(words[0] & 1));
  size_t at = kFirstPieceBit;
  bool known = true;
  ForEach(occupied, [&](Square s) {
    uint64_t code = words[at / 64] >> at % 64;
    if (at % 64 > 64 - kPieceBits) code |= words[at / 64 + 1] << (64 - at % 64);
    code &= (1U << kPieceBits) - 1;
    at += kPieceBits;
    known = known && code < kCodes;
    if (known) builder.Put(s, PieceOf(static_cast<unsigned>(code)));
  });
  if (!known) return Broken(packed, "a code of each piece");
  Position position = builder.Build();
  if (*position.Flaw() != '\0') return Broken(packed, position.Flaw());
  // Rejects non-canonical encodings, so that each position has exactly one.
  if (Pack(position) != packed) return Broken(packed, "zeros behind the last piece");
  return position;
}

}  // namespace joseki::xiangqi
