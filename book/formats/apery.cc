#include "book/formats/apery.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

constexpr size_t kAperyRecord = 16;
constexpr uint64_t kMostCount = std::numeric_limits<uint16_t>::max();
// Piece types in the order of the file's drops and hands.
constexpr std::array<shogi::PieceType, 7> kHandOrder = {
    shogi::kPawn, shogi::kLance,  shogi::kKnight, shogi::kSilver,
    shogi::kGold, shogi::kBishop, shogi::kRook};
constexpr std::array<shogi::PieceType, 7> kDropOrder = {
    shogi::kPawn,   shogi::kLance, shogi::kKnight, shogi::kSilver,
    shogi::kBishop, shogi::kRook,  shogi::kGold};

// Random numbers that keys are made of: the standard 64-bit Mersenne twister from its default seed.
struct Numbers {
  uint64_t piece[shogi::kPieceCount][shogi::kSquareCount];
  uint64_t hand[7][19];
  uint64_t turn;

  Numbers() {
    std::mt19937_64 twister;
    for (auto& squares : piece) {
      for (uint64_t& number : squares) number = twister();
    }
    for (auto& counts : hand) {
      for (uint64_t& number : counts) number = twister();
    }
    turn = twister();
  }
};

const Numbers& TheNumbers() {
  static const Numbers numbers;
  return numbers;
}

// A move of the file in our form; nullopt if its numbers are out of range.
std::optional<Move> FromApery(uint16_t move) {
  const int to = move & 0x7f;
  const int from = move >> 7 & 0x7f;
  const bool promote = (move & 1 << 14) != 0;
  if (to >= shogi::kSquareCount || move >> 15 != 0) return std::nullopt;
  if (from < shogi::kSquareCount) return Move::Board(from, to, promote);
  const size_t kind = static_cast<size_t>(from) - shogi::kSquareCount;
  if (kind >= kDropOrder.size() || promote) return std::nullopt;
  return Move::Drop(kDropOrder[kind], to);
}

uint16_t ToApery(Move move) {
  int from = 0;
  if (move.is_drop()) {
    const auto* kind = std::find(kDropOrder.begin(), kDropOrder.end(), move.dropped());
    from = shogi::kSquareCount + static_cast<int>(kind - kDropOrder.begin());
  } else {
    from = move.from();
  }
  return static_cast<uint16_t>(move.to() | from << 7 | (move.promotes() ? 1 << 14 : 0));
}

AperyRecord RecordAt(std::string_view bytes, size_t index) {
  const size_t at = index * kAperyRecord;
  return {LittleEndian<uint64_t>(bytes, at), LittleEndian<uint16_t>(bytes, at + 8),
          LittleEndian<uint16_t>(bytes, at + 10), LittleEndian<int32_t>(bytes, at + 12)};
}

void Append(std::string& out, const AperyRecord& record) {
  AppendLittleEndian(out, record.key);
  AppendLittleEndian(out, record.move);
  AppendLittleEndian(out, record.count);
  AppendLittleEndian(out, record.score);
}

class AperyReader {
 public:
  AperyReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : bytes_(bytes),
        file_(file),
        sink_(sink),
        records_(bytes.size() / kAperyRecord),
        order_(records_) {
    // Sorts by unsigned keys, because some writers sort them as signed numbers.
    for (size_t i = 0; i < records_; ++i) order_[i] = {RecordAt(bytes_, i).key, i};
    std::sort(order_.begin(), order_.end());
  }

  void Read(const HashedWalk& walk) {
    const HashedBook book = {
        .knows = [&](const shogi::Position& position) { return First(position) != order_.end(); },
        .entry = [&](const shogi::Position& position, int ply) { return Entry(position, ply); }};
    Walk(book, walk, sink_.accept);
  }

  void Unreached(std::vector<AperyRecord>& out) const {
    for (size_t i = 0; i < records_; ++i) {
      const AperyRecord record = RecordAt(bytes_, i);
      if (!reached_.contains(record.key)) out.push_back(record);
    }
  }

 private:
  using Indexed = std::pair<uint64_t, size_t>;  // key, number of the record from 0

  // The first record under the position's key; the end if there is none.
  std::vector<Indexed>::const_iterator First(const shogi::Position& position) const {
    const uint64_t key = AperyKey(position);
    const auto first = std::lower_bound(order_.begin(), order_.end(), Indexed(key, 0));
    return first != order_.end() && first->first == key ? first : order_.end();
  }

  DbPosition Entry(const shogi::Position& position, int ply) {
    const auto first = First(position);
    DbPosition entry;
    entry.line = static_cast<int>(first->second + 1);
    entry.packed = shogi::Pack(position);
    entry.ply = ply;
    std::vector<size_t> illegal;
    for (auto at = first; at != order_.end() && at->first == first->first; ++at) {
      const size_t index = at->second;
      const AperyRecord record = RecordAt(bytes_, index);
      const std::optional<Move> move = FromApery(record.move);
      if (!move.has_value() || !position.IsLegal(*move)) {
        illegal.push_back(index);
        continue;
      }
      DbMove added;
      added.move = *move;
      added.value = record.score;
      added.has_value = true;
      added.count = record.count;
      AddMove(entry.moves, added);
    }
    // No move is legal: the hash belongs to another position.
    if (entry.moves.empty()) return entry;
    reached_.insert(first->first);
    for (const size_t index : illegal) {
      sink_.reject(MakeProblem(
          {.code = "illegal_move",
           .file = std::string(file_),
           .line = static_cast<int>(index + 1),
           .found = absl::StrCat("0x", absl::Hex(RecordAt(bytes_, index).move, absl::kZeroPad4),
                                 " at byte ", index * kAperyRecord + 8),
           .expected = "a legal move in " + shogi::ToSfen(position, ply)}));
    }
    return entry;
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const DbSink& sink_;
  const size_t records_;
  std::vector<Indexed> order_;
  absl::flat_hash_set<uint64_t> reached_;
};

}  // namespace

uint64_t AperyKey(const shogi::Position& position) {
  const Numbers& numbers = TheNumbers();
  uint64_t key = 0;
  for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
    if (position.piece(s) != shogi::kNoPiece) key ^= numbers.piece[position.piece(s)][s];
  }
  const shogi::Hand hand = position.hand(position.side_to_move());
  for (size_t kind = 0; kind < kHandOrder.size(); ++kind) {
    key ^= numbers.hand[kind][hand.Count(kHandOrder[kind])];
  }
  if (position.side_to_move() == shogi::kWhite) key ^= numbers.turn;
  return key;
}

bool IsApery(std::string_view bytes) {
  if (bytes.empty() || bytes.size() % kAperyRecord != 0) return false;
  for (size_t i = 1; i < bytes.size() / kAperyRecord; ++i) {
    if (RecordAt(bytes, i - 1).key > RecordAt(bytes, i).key) return false;
  }
  return true;
}

absl::Status ReadApery(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink, std::vector<AperyRecord>* unreached) {
  if (bytes.size() % kAperyRecord != 0) {
    return MakeProblem({.code = "bad_size",
                        .file = std::string(file),
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = "records of 16 bytes"});
  }
  AperyReader reader(bytes, file, sink);
  reader.Read(walk);
  if (unreached != nullptr) reader.Unreached(*unreached);
  return absl::OkStatus();
}

std::string WriteApery(std::vector<DbPosition> positions, const std::vector<AperyRecord>& kept) {
  Canonicalise(positions);
  std::vector<AperyRecord> records;
  for (const DbPosition& entry : positions) {
    const absl::StatusOr<shogi::Position> position = shogi::Unpack(entry.packed);
    if (!position.ok()) continue;  // malformed position
    uint64_t most = 0;
    for (const DbMove& move : entry.moves) most = std::max(most, move.count);
    const uint64_t key = AperyKey(*position);
    for (const DbMove& move : entry.moves) {
      uint64_t count = move.count;
      if (most > kMostCount && count > 0) {
        count = std::max<uint64_t>(
            1, static_cast<uint64_t>(static_cast<double>(count) / static_cast<double>(most) *
                                     static_cast<double>(kMostCount)));
      }
      records.push_back({key, ToApery(move.move), static_cast<uint16_t>(count), move.value});
    }
  }
  records.insert(records.end(), kept.begin(), kept.end());
  std::stable_sort(records.begin(), records.end(),
                   [](const AperyRecord& a, const AperyRecord& b) { return a.key < b.key; });
  std::string out;
  out.reserve(records.size() * kAperyRecord);
  for (const AperyRecord& record : records) Append(out, record);
  return out;
}

}  // namespace joseki::book
