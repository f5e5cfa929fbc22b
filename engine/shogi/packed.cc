#include "engine/shogi/packed.h"

#include <array>
#include <cassert>

#include "base/problem.h"

namespace joseki::shogi {
namespace {

constexpr int kBits = 256;

// The prefix code of each kind on the board, lowest bit first. In hand the lowest bit is left out.
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

class BitWriter {
 public:
  explicit BitWriter(std::array<uint8_t, 32>& bytes) : bytes_(bytes) {}
  void Write(int value, int count) {
    for (int i = 0; i < count; ++i, ++at_) {
      if ((value >> i & 1) != 0) bytes_[at_ / 8] |= static_cast<uint8_t>(1 << at_ % 8);
    }
  }
  size_t at() const { return at_; }

 private:
  std::array<uint8_t, 32>& bytes_;
  size_t at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const std::array<uint8_t, 32>& bytes) : bytes_(bytes) {}
  // Bits past the end read as 0; ok() then says so.
  int Read(int count) {
    int value = 0;
    for (int i = 0; i < count; ++i, ++at_) {
      if (at_ < kBits) value |= (bytes_[at_ / 8] >> at_ % 8 & 1) << i;
    }
    return value;
  }
  // The kind whose code comes next, its lowest bit given as `first`; kNoPieceType for an empty
  // square.
  PieceType ReadKind(int first) {
    if (first == 0) return kNoPieceType;
    int bits = 1;
    for (int length = 2; length <= 6; ++length) {
      bits |= Read(1) << (length - 1);
      for (int t = kPawn; t <= kGold; ++t) {
        const Code& code = kCodes[static_cast<size_t>(t)];
        if (code.length == length && code.bits == bits) return static_cast<PieceType>(t);
      }
    }
    return kKing;  // no such code
  }
  bool ok() const { return at_ <= kBits; }
  size_t at() const { return at_; }

 private:
  const std::array<uint8_t, 32>& bytes_;
  size_t at_ = 0;
};

absl::Status Broken(const char* expected) {
  return MakeProblem({.code = "bad_packed_position", .expected = expected});
}

}  // namespace

PackedPosition Pack(const Position& position) {
  assert(position.king(kBlack) != kNoSquare && position.king(kWhite) != kNoSquare);
  PackedPosition packed;
  BitWriter out(packed.bytes);
  out.Write(Index(position.side_to_move()), 1);
  out.Write(position.king(kBlack), 7);
  out.Write(position.king(kWhite), 7);
  std::array<int, 8> missing{};
  for (int t = kPawn; t <= kGold; ++t) missing[static_cast<size_t>(t)] = kFullSet[t];
  for (Square s = 0; s < kSquareCount; ++s) {
    const Piece piece = position.piece(s);
    const PieceType type = TypeOf(piece);
    if (type == kKing) continue;
    const auto base = static_cast<size_t>(Unpromoted(type));
    out.Write(kCodes[base].bits, kCodes[base].length);
    if (piece == kNoPiece) continue;
    --missing[base];
    if (base != kGold) out.Write(IsPromoted(type) ? 1 : 0, 1);
    out.Write(Index(ColorOf(piece)), 1);
  }
  auto in_hand = [&](PieceType t, bool mark, int color) {
    const Code& code = kCodes[t];
    out.Write(code.bits >> 1, code.length - 1);
    if (t != kGold) out.Write(mark ? 1 : 0, 1);
    out.Write(color, 1);
  };
  for (const Color c : {kBlack, kWhite}) {
    for (const PieceType t : kHandOrder) {
      const int count = position.hand(c).Count(t);
      missing[t] -= count;
      for (int i = 0; i < count; ++i) in_hand(t, false, Index(c));
    }
  }
  // What the set lacks (handicap positions) is written as a mark that no piece in hand can carry: a
  // "promoted" piece, for golds a promoted silver of White.
  for (const PieceType t : kHandOrder) {
    for (int i = 0; i < missing[t]; ++i) {
      if (t == kGold) {
        out.Write(0x1b, 5);
      } else {
        in_hand(t, true, 0);
      }
    }
  }
  assert(out.at() == kBits);
  return packed;
}

absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
  BitReader in(packed.bytes);
  PositionBuilder builder;
  builder.SideToMove(static_cast<Color>(in.Read(1)));
  const Square kings[2] = {in.Read(7), in.Read(7)};
  if (kings[0] >= kSquareCount || kings[1] >= kSquareCount || kings[0] == kings[1]) {
    return Broken("two kings on different squares");
  }
  builder.Put(kings[0], MakePiece(kBlack, kKing)).Put(kings[1], MakePiece(kWhite, kKing));
  std::array<int, 8> left{};
  for (int t = kPawn; t <= kGold; ++t) left[static_cast<size_t>(t)] = kFullSet[t];
  for (Square s = 0; s < kSquareCount; ++s) {
    if (s == kings[0] || s == kings[1]) continue;
    const PieceType base = in.ReadKind(in.Read(1));
    if (base == kNoPieceType) continue;
    if (base == kKing || --left[base] < 0) return Broken("no more pieces of a kind than a set has");
    const bool promoted = base != kGold && in.Read(1) != 0;
    const auto color = static_cast<Color>(in.Read(1));
    builder.Put(s, MakePiece(color, promoted ? Promoted(base) : base));
  }
  while (in.at() < kBits) {
    const PieceType base = in.ReadKind(1);
    if (base == kKing) return Broken("codes of pieces in hand");
    const bool mark = base != kGold && in.Read(1) != 0;
    const auto color = static_cast<Color>(in.Read(1));
    const bool missing_gold = mark && base == kSilver && color == kWhite;
    if (--left[missing_gold ? kGold : base] < 0) {
      return Broken("no more pieces of a kind than a set has");
    }
    if (!mark) builder.Hold(color, base, 1);
  }
  if (!in.ok()) return Broken("256 bits");
  Position position = builder.Build();
  if (*position.Flaw() != '\0') return Broken(position.Flaw());
  // A decoder must not take two spellings for one position.
  if (Pack(position) != packed) return Broken("the canonical order of hands");
  return position;
}

}  // namespace joseki::shogi
