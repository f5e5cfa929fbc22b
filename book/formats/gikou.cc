#include "book/formats/gikou.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

constexpr size_t kPieces = 32;
constexpr size_t kHandsAt = kPieces * shogi::kSquareCount * 8;
constexpr size_t kHandKinds = 16;
constexpr size_t kRecordsAt = kHandsAt + 2 * kHandKinds * 8;
constexpr size_t kGikouRecord = 32;
constexpr int kUnknownScore = 32'601;

// Piece types in the file's numbering: pawn, lance, knight, silver, gold, bishop, rook and king
// from 1; promoted ones add 8.
constexpr std::array<uint8_t, shogi::kPieceTypeCount> kGikouKind = {0, 1, 2,  3,  4,  6,  7, 5,
                                                                    8, 9, 10, 11, 12, 14, 15};

// The square as the side to move sees it: the file stores Black's view of the turned board.
shogi::Square Turned(shogi::Square square, Color us) {
  return us == shogi::kBlack ? square : shogi::kSquareCount - 1 - square;
}

class GikouReader {
 public:
  GikouReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : bytes_(bytes),
        file_(file),
        sink_(sink),
        order_((bytes.size() - kRecordsAt) / kGikouRecord) {
    for (size_t i = 0; i < order_.size(); ++i) {
      order_[i] = {LittleEndian<uint64_t>(bytes_, At(i)), i};
    }
    std::sort(order_.begin(), order_.end());
  }

  void Read(const HashedWalk& walk) {
    const HashedBook book = {
        .knows = [&](const shogi::Position& position) { return First(position) != order_.end(); },
        .entry = [&](const shogi::Position& position, int ply) { return Entry(position, ply); }};
    Walk(book, walk, sink_.accept);
    for (size_t i = 0; i < order_.size(); ++i) {
      const auto key = LittleEndian<uint64_t>(bytes_, At(i));
      if (reached_.contains(key)) continue;
      sink_.reject(MakeProblem(
          {.code = "unreached_position",
           .file = std::string(file_),
           .line = static_cast<int>(i + 1),
           .found = absl::StrCat("key ", absl::Hex(key, absl::kZeroPad16), " at byte ", At(i)),
           .expected = "a position that legal moves lead to from the start"}));
    }
  }

 private:
  using Indexed = std::pair<uint64_t, size_t>;  // key, number of the record from 0

  static size_t At(size_t record) { return kRecordsAt + record * kGikouRecord; }

  uint64_t Key(const shogi::Position& position) const {
    const Color us = position.side_to_move();
    uint64_t key = 0;
    for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
      const shogi::Piece piece = position.piece(s);
      if (piece == shogi::kNoPiece) continue;
      const size_t row = kGikouKind[shogi::TypeOf(piece)] + (shogi::ColorOf(piece) == us ? 0 : 16);
      key += Number((row * shogi::kSquareCount + static_cast<size_t>(Turned(s, us))) * 8);
    }
    for (const Color side : {us, ~us}) {
      for (int t = shogi::kPawn; t <= shogi::kGold; ++t) {
        const auto type = static_cast<shogi::PieceType>(t);
        const size_t row = kGikouKind[type] + (side == us ? 0 : kHandKinds);
        key += Number(kHandsAt + row * 8) * static_cast<uint64_t>(position.hand(side).Count(type));
      }
    }
    return key;
  }
  uint64_t Number(size_t at) const { return LittleEndian<uint64_t>(bytes_, at); }

  std::vector<Indexed>::const_iterator First(const shogi::Position& position) const {
    const uint64_t key = Key(position);
    const auto first = std::lower_bound(order_.begin(), order_.end(), Indexed(key, 0));
    return first != order_.end() && first->first == key ? first : order_.end();
  }

  // Bits 0-6 to, 7 promotion, 8-14 from, 15 drop, 16-20 piece type; squares as the side to move
  // sees them.
  static std::optional<Move> MoveOf(uint32_t bits, Color us) {
    const auto to = static_cast<int>(bits & 0x7f);
    const auto from = static_cast<int>(bits >> 8 & 0x7f);
    const bool promote = (bits & 1 << 7) != 0;
    if (to >= shogi::kSquareCount) return std::nullopt;
    if ((bits & 1 << 15) == 0) {
      if (from >= shogi::kSquareCount) return std::nullopt;
      return Move::Board(Turned(from, us), Turned(to, us), promote);
    }
    for (int type = shogi::kPawn; type <= shogi::kGold; ++type) {
      if (kGikouKind[static_cast<size_t>(type)] == (bits >> 16 & 15) && !promote) {
        return Move::Drop(static_cast<shogi::PieceType>(type), Turned(to, us));
      }
    }
    return std::nullopt;
  }

  DbPosition Entry(const shogi::Position& position, int ply) {
    const auto first = First(position);
    DbPosition entry;
    entry.line = static_cast<int>(first->second + 1);
    entry.packed = shogi::Pack(position);
    entry.ply = ply;
    std::vector<size_t> illegal;
    for (auto at = first; at != order_.end() && at->first == first->first; ++at) {
      const size_t byte = At(at->second);
      const std::optional<Move> move =
          MoveOf(LittleEndian<uint32_t>(bytes_, byte + 8), position.side_to_move());
      if (!move.has_value() || !position.IsLegal(*move)) {
        illegal.push_back(at->second);
        continue;
      }
      DbMove added;
      added.move = *move;
      added.count = LittleEndian<uint32_t>(bytes_, byte + 12);
      const auto score = LittleEndian<int32_t>(bytes_, byte + 24);
      if (score != kUnknownScore) {
        added.value = score;
        added.has_value = true;
      }
      AddMove(entry.moves, added);
    }
    if (entry.moves.empty()) return entry;  // the hash belongs to another position
    reached_.insert(first->first);
    for (const size_t index : illegal) {
      sink_.reject(MakeProblem(
          {.code = "illegal_move",
           .file = std::string(file_),
           .line = static_cast<int>(index + 1),
           .found = absl::StrCat("0x", absl::Hex(LittleEndian<uint32_t>(bytes_, At(index) + 8)),
                                 " at byte ", At(index) + 8),
           .expected = "a legal move in " + shogi::ToSfen(position, ply)}));
    }
    return entry;
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const DbSink& sink_;
  std::vector<Indexed> order_;
  absl::flat_hash_set<uint64_t> reached_;
};

}  // namespace

bool IsGikou(std::string_view bytes) {
  if (bytes.size() <= kRecordsAt || (bytes.size() - kRecordsAt) % kGikouRecord != 0) return false;
  const std::string_view none = bytes.substr(0, size_t{shogi::kSquareCount} * 8);
  if (none.find_first_not_of('\0') != std::string_view::npos) return false;
  return bytes.substr(none.size(), none.size()).find_first_not_of('\0') != std::string_view::npos;
}

absl::Status ReadGikou(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink) {
  if (!IsGikou(bytes)) {
    return MakeProblem({.code = "bad_size",
                        .file = std::string(file),
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = absl::StrCat(kRecordsAt,
                                                 " bytes of random numbers, those of the "
                                                 "empty square 0, and records of 32 bytes")});
  }
  GikouReader(bytes, file, sink).Read(walk);
  return absl::OkStatus();
}

}  // namespace joseki::book
