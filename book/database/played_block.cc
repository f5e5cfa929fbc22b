#include "book/database/played_block.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/problem.h"

namespace joseki::book {
namespace {

constexpr size_t kPackedSize = sizeof(PackedPosition::bytes);
constexpr int kSevenBits = 7;
constexpr uint64_t kMostCounted = uint64_t{1} << 40;

// A small buffer that collects bytes, which are then appended at once.
class Bytes {
 public:
  void Add(uint64_t byte) { bytes_[size_++] = static_cast<char>(byte); }
  void Add(const uint8_t* bytes, size_t size) {
    std::memcpy(bytes_.data() + size_, bytes, size);
    size_ += size;
  }
  void AddNumber(uint64_t number) {
    for (; number >= 1u << kSevenBits; number >>= kSevenBits) Add(number | 1u << kSevenBits);
    Add(number);
  }
  void AppendTo(std::string& out) const { out.append(bytes_.data(), size_); }

 private:
  static constexpr size_t kLongestNumber = 10;
  // A position has two numbers; a move has two bytes and up to five numbers.
  std::array<char, 1 + kPackedSize + 5 * kLongestNumber> bytes_;
  size_t size_ = 0;
};

// Length of the common prefix, bytes.
size_t SameBytes(const PackedPosition& a, const PackedPosition& b) {
  uint64_t words[2];
  for (size_t at = 0; at < kPackedSize; at += sizeof words[0]) {
    std::memcpy(&words[0], a.bytes.data() + at, sizeof words[0]);
    std::memcpy(&words[1], b.bytes.data() + at, sizeof words[1]);
    // x86-64 is little-endian, so the first byte is the lowest.
    const uint64_t differ = words[0] ^ words[1];
    if (differ != 0) return at + static_cast<size_t>(std::countr_zero(differ)) / 8;
  }
  return kPackedSize;
}

// Moves the sign into the lowest bit.
uint64_t Zigzag(int64_t number) {
  return static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
}
int64_t Unzigzag(uint64_t number) {
  return static_cast<int64_t>(number >> 1 ^ (~(number & 1) + 1));
}

// Result of a move's only game, for the side that played it.
enum class MoveOutcome : uint8_t { kWin, kDraw, kLoss, kUnknown };

MoveOutcome OutcomeOf(const MoveCounts& counts) {
  if (counts.wins > 0) return MoveOutcome::kWin;
  if (counts.draws > 0) return MoveOutcome::kDraw;
  return counts.losses > 0 ? MoveOutcome::kLoss : MoveOutcome::kUnknown;
}

// Lowest bits of a move's first number.
// Wins, draws and losses follow; otherwise the outcome is in the bits above.
constexpr uint64_t kManyGames = 1;
constexpr uint64_t kHasWeight = 2;  // the weight follows
constexpr int kFlagBits = 2;

absl::Status Corrupt(const char* found) {
  return MakeProblem(
      {.code = "database_corrupt", .found = found, .expected = "a block of played positions"},
      absl::StatusCode::kDataLoss);
}

}  // namespace

bool BeginsBlock(const PackedPosition& position) {
  uint64_t hash = 0;
  for (size_t at = 0; at < kPackedSize; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    for (size_t i = 0; i < sizeof word; ++i) {
      word |= uint64_t{position.bytes[at + i]} << (8 * i);
    }
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  constexpr int kMeanLog2 = 8;
  return (hash * 0x9e3779b97f4a7c15u) >> (64 - kMeanLog2) == 0;
}

void PlayedBlockWriter::Add(const PackedPosition& packed, int ply, const PlayedMove* moves,
                            size_t count) {
  if (block_.positions == 0 && !fixed_) {
    block_.first = packed;
    last_ = packed;
  }
  const size_t same = SameBytes(packed, last_);
  Bytes head;
  head.Add(same);
  head.Add(packed.bytes.data() + same, kPackedSize - same);
  head.AddNumber(static_cast<uint64_t>(ply));
  head.AddNumber(count);
  head.AppendTo(block_.bytes);
  for (size_t i = 0; i < count; ++i) {
    const PlayedMove& move = moves[i];
    Bytes out;
    out.Add(move.move.raw() & 0xff);
    out.Add(move.move.raw() >> 8);
    const MoveCounts& counts = move.counts;
    const bool weight = move.base_weight != 0 || move.left_out;
    const uint64_t flags = weight ? kHasWeight : 0;
    if (counts.games == 1) {
      out.AddNumber(static_cast<uint64_t>(OutcomeOf(counts)) << kFlagBits | flags);
    } else {
      out.AddNumber(static_cast<uint64_t>(counts.games) << kFlagBits | kManyGames | flags);
      out.AddNumber(static_cast<uint64_t>(counts.wins));
      out.AddNumber(static_cast<uint64_t>(counts.draws));
      out.AddNumber(static_cast<uint64_t>(counts.losses));
    }
    if (weight) {
      // The shift does not overflow: weights are far below 2^62 (book/graph.h).
      out.AddNumber(Zigzag(move.base_weight) << 1 | (move.left_out ? 1 : 0));
    }
    out.AppendTo(block_.bytes);
  }
  last_ = packed;
  ++block_.positions;
  block_.moves += static_cast<int64_t>(count);
}

PlayedBlock PlayedBlockWriter::Finish() {
  fixed_ = false;
  return std::exchange(block_, {});
}

bool PlayedBlockReader::Number(uint64_t& number) {
  number = 0;
  for (int shift = 0; shift < 64; shift += kSevenBits) {
    if (bytes_.empty()) return false;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    number |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 1u << kSevenBits) return true;
  }
  return false;
}

bool PlayedBlockReader::Counts(PlayedMove& move) {
  uint64_t flags = 0;
  if (!Number(flags)) return false;
  const uint64_t above = flags >> kFlagBits;
  move.counts = {};
  if ((flags & kManyGames) == 0) {
    if (above > static_cast<uint64_t>(MoveOutcome::kUnknown)) return false;
    const auto outcome = static_cast<MoveOutcome>(above);
    move.counts = {1, outcome == MoveOutcome::kWin, outcome == MoveOutcome::kDraw,
                   outcome == MoveOutcome::kLoss};
  } else {
    uint64_t wins = 0;
    uint64_t draws = 0;
    uint64_t losses = 0;
    if (!Number(wins) || !Number(draws) || !Number(losses)) return false;
    if (above > kMostCounted || wins > above || draws > above || losses > above ||
        wins + draws + losses > above) {
      return false;
    }
    move.counts = {static_cast<int64_t>(above), static_cast<int64_t>(wins),
                   static_cast<int64_t>(draws), static_cast<int64_t>(losses)};
  }
  move.base_weight = 0;
  move.left_out = false;
  if ((flags & kHasWeight) != 0) {
    uint64_t weight = 0;
    if (!Number(weight)) return false;
    move.left_out = (weight & 1) != 0;
    move.base_weight = Unzigzag(weight >> 1);
  }
  return true;
}

absl::StatusOr<bool> PlayedBlockReader::Next(PlayedPosition& position) {
  if (bytes_.empty()) return false;
  const auto same = static_cast<unsigned char>(bytes_.front());
  bytes_.remove_prefix(1);
  if (same > kPackedSize || bytes_.size() < kPackedSize - same) return Corrupt("a torn position");
  position.packed = last_;
  std::memcpy(position.packed.bytes.data() + same, bytes_.data(), kPackedSize - same);
  bytes_.remove_prefix(kPackedSize - same);
  if (any_ ? !(last_ < position.packed) : position.packed < last_) {
    return Corrupt("positions out of order");
  }
  last_ = position.packed;
  any_ = true;
  uint64_t ply = 0;
  uint64_t count = 0;
  if (!Number(ply) || !Number(count)) return Corrupt("a torn position");
  if (ply < 1 || ply > 0xffff || count < 1 || count > bytes_.size()) {
    return Corrupt("a position that cannot be");
  }
  position.ply = static_cast<int>(ply);
  position.moves.resize(count);
  uint32_t least = 1;  // smallest possible next move
  for (PlayedMove& move : position.moves) {
    if (bytes_.size() < 2) return Corrupt("a torn move");
    const uint32_t raw = static_cast<unsigned char>(bytes_[0]) |
                         static_cast<uint32_t>(static_cast<unsigned char>(bytes_[1])) << 8;
    bytes_.remove_prefix(2);
    move.move = Move(static_cast<uint16_t>(raw));
    if (raw < least || !Counts(move)) return Corrupt("a move that cannot be");
    least = raw + 1;
  }
  return true;
}

}  // namespace joseki::book
