#include "engine/shogi/packed.h"

#include <array>
#include <cassert>
#include <cstring>

#include "base/hash.h"
#include "base/problem.h"

namespace joseki::shogi {
namespace {

constexpr size_t kBits = 256;

// Prefix code of a piece type on the board, lowest bit first. In hand the lowest bit is omitted.
struct Code {
  int bits;
  int length;
};
constexpr std::array<Code, 8> kCodes = {{
    {0x00, 1},  // empty
    {0x01, 2},  // pawn
    {0x03, 4},  // lance
    {0x0b, 4},  // knight
    {0x07, 4},  // silver
    {0x1f, 6},  // bishop
    {0x3f, 6},  // rook
    {0x0f, 5},  // gold
}};
constexpr std::array<PieceType, 7> kHandOrder = {kPawn, kLance,  kKnight, kSilver,
                                                 kGold, kBishop, kRook};

constexpr int kLongestCode = 6;
struct Decoded {
  PieceType kind = kNoPieceType;
  int length = 0;
};
// Indexed by the next six bits. The code is complete: any six bits begin with a codeword.
constexpr std::array<Decoded, 1 << kLongestCode> kDecode = [] {
  std::array<Decoded, 1 << kLongestCode> table{};
  for (int bits = 0; bits < 1 << kLongestCode; ++bits) {
    for (int kind = 0; kind <= kGold; ++kind) {
      const Code& code = kCodes[static_cast<size_t>(kind)];
      if ((bits & ((1 << code.length) - 1)) != code.bits) continue;
      table[static_cast<size_t>(bits)] = {static_cast<PieceType>(kind), code.length};
    }
  }
  return table;
}();

struct Bits {
  uint16_t bits = 0;
  uint8_t length = 0;
};

// Code of each piece on the board, with promotion and colour; empty for a king.
constexpr std::array<Bits, kPieceCount> kPieceCodes = [] {
  std::array<Bits, kPieceCount> table{};
  for (Piece piece = 0; piece < kPieceCount; ++piece) {
    const PieceType type = TypeOf(piece);
    const PieceType base = Unpromoted(type);
    if (base == kKing || (type == kNoPieceType && piece != kNoPiece)) continue;
    if (type == Promoted(kGold)) continue;  // no such piece exists
    int bits = kCodes[base].bits;
    int length = kCodes[base].length;
    if (piece != kNoPiece) {
      if (base != kGold) bits |= (IsPromoted(type) ? 1 : 0) << length++;
      bits |= Index(ColorOf(piece)) << length++;
    }
    table[piece] = {static_cast<uint16_t>(bits), static_cast<uint8_t>(length)};
  }
  return table;
}();

// Codes of two adjacent squares, indexed by PairOf.
constexpr size_t PairOf(Piece first, Piece second) { return size_t{first} | size_t{second} << 5; }
constexpr std::array<Bits, size_t{kPieceCount} << 5> kPairCodes = [] {
  std::array<Bits, size_t{kPieceCount} << 5> table{};
  for (Piece a = 0; a < kPieceCount; ++a) {
    for (Piece b = 0; b < kPieceCount; ++b) {
      const Bits& first = kPieceCodes[a];
      const Bits& second = kPieceCodes[b];
      table[PairOf(a, b)] = {static_cast<uint16_t>(first.bits | second.bits << first.length),
                             static_cast<uint8_t>(first.length + second.length)};
    }
  }
  return table;
}();

// Code of a piece in hand. A marked one is a piece missing from the set.
constexpr Bits InHand(PieceType t, Color color, bool mark) {
  int bits = kCodes[t].bits >> 1;
  int length = kCodes[t].length - 1;
  if (t != kGold) bits |= (mark ? 1 : 0) << length++;
  bits |= Index(color) << length++;
  return {static_cast<uint16_t>(bits), static_cast<uint8_t>(length)};
}

constexpr size_t kWordBits = 64;
// The bits in words, lowest first, with one spare word that reads and writes may run into.
using Words = std::array<uint64_t, kBits / kWordBits + 1>;

class BitWriter {
 public:
  // REQUIRES: bits < 2^count, count < 64, and at most 256 bits in total.
  void Write(uint64_t bits, size_t count) {
    // Branch-free, because the branch would be unpredictable.
    const size_t word = at_ / kWordBits;
    const size_t shift = at_ % kWordBits;
    words_[word] |= bits << shift;
    words_[word + 1] = bits >> 1 >> (kWordBits - 1 - shift);
    at_ += count;
  }
  size_t at() const { return at_; }

  // REQUIRES: all bits have been written.
  void CopyTo(std::array<uint8_t, 32>& bytes) const {
    // x86-64 is little-endian.
    std::memcpy(bytes.data(), words_.data(), bytes.size());
  }

 private:
  Words words_{};
  size_t at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const std::array<uint8_t, 32>& bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) words_[i / 8] |= uint64_t{bytes[i]} << (i % 8 * 8);
  }
  // Bits past the end read as 0; ok() then returns false.
  int Read(int count) {
    const int value = Peek(count);
    at_ += static_cast<size_t>(count);
    return value;
  }
  // The type whose code comes next; kNoPieceType for an empty square.
  PieceType ReadKind() {
    const Decoded& decoded = kDecode[static_cast<size_t>(Peek(kLongestCode))];
    at_ += static_cast<size_t>(decoded.length);
    return decoded.kind;
  }
  // The type of a piece in hand, whose lowest bit (always 1) is omitted.
  PieceType ReadKindInHand() {
    const int bits = Peek(kLongestCode - 1) << 1 | 1;
    const Decoded& decoded = kDecode[static_cast<size_t>(bits)];
    at_ += static_cast<size_t>(decoded.length) - 1;
    return decoded.kind;
  }
  bool ok() const { return at_ <= kBits; }
  size_t at() const { return at_; }

 private:
  int Peek(int count) const {
    if (at_ >= kBits) return 0;
    const size_t word = at_ / kWordBits;
    const size_t shift = at_ % kWordBits;
    uint64_t bits = words_[word] >> shift;
    if (shift > 0) bits |= words_[word + 1] << (kWordBits - shift);
    return static_cast<int>(bits & ((uint64_t{1} << count) - 1));
  }

  Words words_{};
  size_t at_ = 0;
};

// Names all bytes, by which a database finds its row.
absl::Status Broken(const PackedPosition& packed, const char* expected) {
  return MakeProblem({.code = "bad_packed_position",
                      .found = Hex(std::string_view(
                          reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size())),
                      .expected = expected});
}

// Number of pieces of a type that the set lacks.
int MissingOf(const Position& position, PieceType t) {
  int count = position.pieces(t).Count();
  if (CanPromote(t)) count += position.pieces(Promoted(t)).Count();
  for (const Color c : {kBlack, kWhite}) count += position.hand(c).Count(t);
  return kFullSet[t] - count;
}

}  // namespace

bool Packs(const Position& position) {
  return position.king(kBlack) != kNoSquare && position.king(kWhite) != kNoSquare;
}

PackedPosition Packer::Pack(const Position& position) {
  assert(Packs(position));
  BitWriter out;
  out.Write(static_cast<uint64_t>(Index(position.side_to_move())), 1);
  out.Write(static_cast<uint64_t>(position.king(kBlack)), 7);
  out.Write(static_cast<uint64_t>(position.king(kWhite)), 7);
  const Piece* squares = position.board();
  for (File& file : files_) {
    if (std::memcmp(file.squares.data(), squares, file.squares.size()) != 0) {
      std::memcpy(file.squares.data(), squares, file.squares.size());
      // Nine squares need at most 62 bits: four pieces take 8 bits, the others at most 6.
      file.bits = 0;
      file.length = 0;
      for (size_t i = 0; i < 8; i += 2) {
        const Bits& pair = kPairCodes[PairOf(squares[i], squares[i + 1])];
        file.bits |= uint64_t{pair.bits} << file.length;
        file.length = static_cast<uint8_t>(file.length + pair.length);
      }
      const Bits& last = kPieceCodes[squares[8]];
      file.bits |= uint64_t{last.bits} << file.length;
      file.length = static_cast<uint8_t>(file.length + last.length);
    }
    out.Write(file.bits, file.length);
    squares += file.squares.size();
  }
  for (const Color c : {kBlack, kWhite}) {
    if (position.hand(c).empty()) continue;
    for (const PieceType t : kHandOrder) {
      const Bits code = InHand(t, c, /*mark=*/false);
      for (int i = position.hand(c).Count(t); i > 0; --i) out.Write(code.bits, code.length);
    }
  }
  // Writes pieces missing from the set (handicap positions) as codes that no piece in hand has.
  // These are "promoted" pieces, for golds a promoted silver of White. A complete set fills all
  // bits.
  if (out.at() < kBits) {
    for (const PieceType t : kHandOrder) {
      const Bits code = t == kGold ? InHand(kSilver, kWhite, true) : InHand(t, kBlack, true);
      for (int i = MissingOf(position, t); i > 0; --i) out.Write(code.bits, code.length);
    }
  }
  assert(out.at() == kBits);
  PackedPosition packed;
  out.CopyTo(packed.bytes);
  return packed;
}

PackedPosition Pack(const Position& position) { return Packer().Pack(position); }

absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
  BitReader in(packed.bytes);
  PositionBuilder builder;
  builder.SideToMove(static_cast<Color>(in.Read(1)));
  const Square kings[2] = {in.Read(7), in.Read(7)};
  if (kings[0] >= kSquareCount || kings[1] >= kSquareCount || kings[0] == kings[1]) {
    return Broken(packed, "two kings on different squares");
  }
  builder.Put(kings[0], MakePiece(kBlack, kKing)).Put(kings[1], MakePiece(kWhite, kKing));
  std::array<int, 8> left{};
  for (int t = kPawn; t <= kGold; ++t) left[static_cast<size_t>(t)] = kFullSet[t];
  for (Square s = 0; s < kSquareCount; ++s) {
    if (s == kings[0] || s == kings[1]) continue;
    const PieceType base = in.ReadKind();
    if (base == kNoPieceType) continue;
    if (--left[base] < 0) return Broken(packed, "no more pieces of a kind than a set has");
    const bool promoted = base != kGold && in.Read(1) != 0;
    const auto color = static_cast<Color>(in.Read(1));
    builder.Put(s, MakePiece(color, promoted ? Promoted(base) : base));
  }
  while (in.at() < kBits) {
    const PieceType base = in.ReadKindInHand();
    const bool mark = base != kGold && in.Read(1) != 0;
    const auto color = static_cast<Color>(in.Read(1));
    const bool missing_gold = mark && base == kSilver && color == kWhite;
    if (--left[missing_gold ? kGold : base] < 0) {
      return Broken(packed, "no more pieces of a kind than a set has");
    }
    if (!mark) builder.Hold(color, base, 1);
  }
  if (!in.ok()) return Broken(packed, "256 bits");
  Position position = builder.Build();
  if (*position.Flaw() != '\0') return Broken(packed, position.Flaw());
  // Rejects non-canonical encodings, so that each position has exactly one.
  if (Pack(position) != packed) return Broken(packed, "the canonical order of hands");
  return position;
}

}  // namespace joseki::shogi
