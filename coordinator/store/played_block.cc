#include "coordinator/store/played_block.h"

#include <cstring>
#include <utility>

#include "base/problem.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kPackedSize = sizeof(PackedPosition::bytes);
constexpr int kSevenBits = 7;
constexpr uint64_t kMostCounted = uint64_t{1} << 40;

void AppendNumber(uint64_t number, std::string& out) {
  while (number >= 1u << kSevenBits) {
    out += static_cast<char>(number | 1u << kSevenBits);
    number >>= kSevenBits;
  }
  out += static_cast<char>(number);
}

// The sign in the lowest bit.
uint64_t Zigzag(int64_t number) {
  return static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
}
int64_t Unzigzag(uint64_t number) {
  return static_cast<int64_t>(number >> 1 ^ (~(number & 1) + 1));
}

// How the only game of a move went, for the side that played it.
enum class Outcome : uint8_t { kWin, kDraw, kLoss, kUnknown };

Outcome OutcomeOf(const MoveCounts& counts) {
  if (counts.wins > 0) return Outcome::kWin;
  if (counts.draws > 0) return Outcome::kDraw;
  return counts.losses > 0 ? Outcome::kLoss : Outcome::kUnknown;
}

// The lowest bits of a move's first number.
constexpr uint64_t kManyGames = 1;  // wins, draws and losses follow; else the outcome is above
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
  size_t same = 0;
  while (same < kPackedSize && packed.bytes[same] == last_.bytes[same]) ++same;
  std::string& out = block_.bytes;
  out += static_cast<char>(same);
  out.append(reinterpret_cast<const char*>(packed.bytes.data()) + same, kPackedSize - same);
  AppendNumber(static_cast<uint64_t>(ply), out);
  AppendNumber(count, out);
  for (size_t i = 0; i < count; ++i) {
    const PlayedMove& move = moves[i];
    out += static_cast<char>(move.move.raw() & 0xff);
    out += static_cast<char>(move.move.raw() >> 8);
    const MoveCounts& counts = move.counts;
    const bool weight = move.base_weight != 0 || move.left_out;
    const uint64_t flags = weight ? kHasWeight : 0;
    if (counts.games == 1) {
      AppendNumber(static_cast<uint64_t>(OutcomeOf(counts)) << kFlagBits | flags, out);
    } else {
      AppendNumber(static_cast<uint64_t>(counts.games) << kFlagBits | kManyGames | flags, out);
      AppendNumber(static_cast<uint64_t>(counts.wins), out);
      AppendNumber(static_cast<uint64_t>(counts.draws), out);
      AppendNumber(static_cast<uint64_t>(counts.losses), out);
    }
    if (weight) {
      // Weights are far below 2^62 (book/graph.h).
      AppendNumber(Zigzag(move.base_weight) << 1 | (move.left_out ? 1 : 0), out);
    }
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
    if (above > static_cast<uint64_t>(Outcome::kUnknown)) return false;
    const auto outcome = static_cast<Outcome>(above);
    move.counts = {1, outcome == Outcome::kWin, outcome == Outcome::kDraw,
                   outcome == Outcome::kLoss};
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
  uint32_t least = 1;  // of the next move
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

}  // namespace joseki::coordinator
