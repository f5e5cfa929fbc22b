#include "book/database/played_chunks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <queue>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "base/status_macros.h"
#include "book/database/ordered_pipe.h"

namespace joseki::book {
namespace {

// Chunks merged at once; each has a buffer and an open file.
constexpr size_t kMostChunks = 64;
// Initial capacity, in entries.
constexpr size_t kFewSeen = 1 << 14;
// Approximate number of positions packed together.
constexpr size_t kGroupBatch = 1 << 14;
// Bytes that may be packed ahead.
constexpr size_t kPackedAhead = size_t{16} << 20;

// A packed form as four numbers that compare like its bytes, and the inverse. x86-64 is
// little-endian.
void KeyOf(const PackedPosition& packed, uint64_t (&key)[4]) {
  static_assert(sizeof key == sizeof packed.bytes);
  std::memcpy(key, packed.bytes.data(), sizeof key);
  for (uint64_t& word : key) word = __builtin_bswap64(word);
}
PackedPosition PackedOf(const uint64_t (&key)[4]) {
  PackedPosition packed;
  for (size_t i = 0; i < 4; ++i) {
    const uint64_t word = __builtin_bswap64(key[i]);
    std::memcpy(packed.bytes.data() + i * sizeof word, &word, sizeof word);
  }
  return packed;
}

// Outcome of a game for the side that made the move.
enum Outcome : uint8_t { kWin, kDraw, kLoss, kUnknown };

Outcome OutcomeFor(Color mover, Result result) {
  if (result == WinFor(mover)) return kWin;
  if (result == WinFor(~mover)) return kLoss;
  return result == Result::kDraw ? kDraw : kUnknown;
}

void Count(uint8_t outcome, MoveCounts& counts) {
  ++counts.games;
  counts.wins += outcome == kWin;
  counts.draws += outcome == kDraw;
  counts.losses += outcome == kLoss;
}

// Adds the moves of the same position from another chunk. Both ascend.
void AddUp(PlayedPosition& sum, const PlayedPosition& more) {
  sum.ply = std::min(sum.ply, more.ply);
  std::vector<PlayedMove> moves;
  moves.reserve(sum.moves.size() + more.moves.size());
  auto a = sum.moves.begin();
  auto b = more.moves.begin();
  while (a != sum.moves.end() || b != more.moves.end()) {
    if (b == more.moves.end() || (a != sum.moves.end() && a->move < b->move)) {
      moves.push_back(*a++);
    } else if (a == sum.moves.end() || b->move < a->move) {
      moves.push_back(*b++);
    } else {
      moves.push_back(*a++);
      moves.back().counts.Add((b++)->counts);
    }
  }
  sum.moves = std::move(moves);
}

// Header of a block in a file, in native byte order: only the process that wrote it reads it.
struct BlockHead {
  PackedPosition first;
  uint64_t bytes = 0;
};

// Positions to be packed together, stored without an allocation for each.
class Batch {
 public:
  struct Head {
    PackedPosition packed;
    int ply;
    size_t moves;
  };

  size_t size() const { return heads_.size(); }
  void Add(const PlayedPosition& position) {
    heads_.push_back({position.packed, position.ply, position.moves.size()});
    moves_.insert(moves_.end(), position.moves.begin(), position.moves.end());
  }
  const std::vector<Head>& heads() const { return heads_; }
  const std::vector<PlayedMove>& moves() const { return moves_; }

 private:
  std::vector<Head> heads_;
  std::vector<PlayedMove> moves_;
};

// An entry with some bits of its key; different bits compare as the keys do.
struct Brief {
  uint64_t bits;
  uint32_t at;
};

// Radix sort by the bits, lowest digit first. REQUIRES: `other` has the same size.
void SortBriefs(std::vector<Brief>& briefs, std::vector<Brief>& other) {
  constexpr int kDigit = 11;
  constexpr size_t kDigits = size_t{1} << kDigit;
  for (int shift = 0; shift < 64; shift += kDigit) {
    const auto digit = [shift](const Brief& brief) { return brief.bits >> shift & (kDigits - 1); };
    std::array<uint32_t, kDigits> next{};
    for (const Brief& brief : briefs) ++next[digit(brief)];
    uint32_t before = 0;
    for (uint32_t& count : next) before += std::exchange(count, before);
    for (const Brief& brief : briefs) other[next[digit(brief)]++] = brief;
    std::swap(briefs, other);
  }
}

// Number of leading bits that all keys have in common.
template <typename Entries>
size_t CommonBits(const Entries& entries) {
  uint64_t differ[4] = {};
  for (const auto& entry : entries) {
    for (size_t i = 0; i < 4; ++i) differ[i] |= entry.key[i] ^ entries[0].key[i];
  }
  size_t common = 0;
  for (const uint64_t word : differ) {
    const auto zeros = static_cast<size_t>(std::countl_zero(word));
    common += zeros;
    if (zeros < 64) break;
  }
  return common;
}

// The indexes of entries in ascending order.
template <typename Entries>
std::vector<Brief> OrderOf(const Entries& entries) {
  // The 64 bits after the common prefix tell most entries apart; the others are compared whole.
  const size_t common = CommonBits(entries);
  const size_t word = common / 64;
  const size_t shift = common % 64;
  std::vector<Brief> order;
  order.reserve(entries.size());
  for (const auto& entry : entries) {
    uint64_t bits = word < 4 ? entry.key[word] << shift : 0;
    if (word < 3 && shift > 0) bits |= entry.key[word + 1] >> (64 - shift);
    order.push_back({bits, static_cast<uint32_t>(order.size())});
  }
  std::vector<Brief> other(order.size());
  SortBriefs(order, other);
  for (auto begin = order.begin(); begin != order.end();) {
    auto end = begin + 1;
    while (end != order.end() && end->bits == begin->bits) ++end;
    if (end - begin > 1) {
      std::sort(begin, end, [&entries](const Brief& a, const Brief& b) {
        return entries[a.at] < entries[b.at];
      });
    }
    begin = end;
  }
  return order;
}

// Reorders entries so that those before each splitter come first; `ends` receives the borders.
// Splitters ascend.
template <typename Entry>
void PartBy(std::span<Entry> entries, std::span<const Entry> splitters, Entry** ends, int threads) {
  if (splitters.empty()) return;
  const size_t half = splitters.size() / 2;
  Entry* const begin = entries.data();
  Entry* const end = begin + entries.size();
  Entry* const middle =
      std::partition(begin, end, [&](const Entry& entry) { return entry < splitters[half]; });
  ends[half] = middle;
  const auto lower = [=](int with) {
    PartBy<Entry>({begin, middle}, splitters.first(half), ends, with);
  };
  const auto upper = [=](int with) {
    PartBy<Entry>({middle, end}, splitters.subspan(half + 1), ends + half + 1, with);
  };
  if (threads <= 1) {
    lower(1);
    upper(1);
    return;
  }
  std::thread other(lower, threads / 2);
  upper(threads - threads / 2);
  other.join();
}

size_t SizeOf(const std::vector<PlayedBlock>& blocks) {
  size_t bytes = 0;
  for (const PlayedBlock& block : blocks) bytes += sizeof block + block.bytes.size();
  return bytes;
}

absl::Status WriteBlock(const PlayedBlock& block, SpillFile& file) {
  const BlockHead head{block.first, block.bytes.size()};
  RETURN_IF_ERROR(file.Write(&head, sizeof head));
  return file.Write(block.bytes.data(), block.bytes.size());
}

}  // namespace

// Yields positions in ascending order, each once.
class PlayedChunks::Cursor {
 public:
  virtual ~Cursor() = default;
  // Moves to the next position; false at the end.
  virtual absl::StatusOr<bool> Next() = 0;
  PlayedPosition position;
};

// Reads entries in memory.
class PlayedChunks::SeenCursor final : public Cursor {
 public:
  explicit SeenCursor(std::span<const Seen> seen) : seen_(seen), order_(OrderOf(seen)) {}

  absl::StatusOr<bool> Next() override {
    if (at_ == order_.size()) return false;
    const Seen& first = seen_[order_[at_].at];
    position.packed = PackedOf(first.key);
    position.ply = first.ply;
    position.moves.clear();
    for (; at_ != order_.size(); ++at_) {
      // The next entries are scattered in memory: prefetch.
      constexpr size_t kAhead = 12;
      if (at_ + kAhead < order_.size()) __builtin_prefetch(&seen_[order_[at_ + kAhead].at]);
      const Seen& seen = seen_[order_[at_].at];
      if (!seen.SamePosition(first)) break;
      position.ply = std::min<int>(position.ply, seen.ply);
      const Move move(seen.move);
      if (position.moves.empty() || position.moves.back().move != move) {
        position.moves.emplace_back().move = move;
      }
      Count(seen.outcome, position.moves.back().counts);
    }
    return true;
  }

 private:
  const std::span<const Seen> seen_;
  const std::vector<Brief> order_;
  size_t at_ = 0;
};

// Reads a batch.
class PlayedChunks::BatchCursor final : public Cursor {
 public:
  explicit BatchCursor(const Batch& batch) : batch_(batch), moves_(batch.moves().begin()) {}

  absl::StatusOr<bool> Next() override {
    if (at_ == batch_.size()) return false;
    const Batch::Head& head = batch_.heads()[at_++];
    position.packed = head.packed;
    position.ply = head.ply;
    const auto end = moves_ + static_cast<ptrdiff_t>(head.moves);
    position.moves.assign(moves_, end);
    moves_ = end;
    return true;
  }

 private:
  const Batch& batch_;
  size_t at_ = 0;
  std::vector<PlayedMove>::const_iterator moves_;
};

// Reads a chunk on disk.
class PlayedChunks::FileCursor final : public Cursor {
 public:
  explicit FileCursor(SpillFile& file) : file_(file) {}

  absl::StatusOr<bool> Next() override {
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader_.Next(position));
      if (more) return true;
      BlockHead head;
      ASSIGN_OR_RETURN(const bool block, file_.Read(&head, sizeof head));
      if (!block) return false;
      bytes_.resize(head.bytes);
      RETURN_IF_ERROR(file_.Read(bytes_.data(), bytes_.size()).status());
      reader_ = PlayedBlockReader(head.first, bytes_);
    }
  }

 private:
  SpillFile& file_;
  std::string bytes_;
  PlayedBlockReader reader_;
};

// Merges several cursors and adds up equal positions.
class PlayedChunks::MergedCursor final : public Cursor {
 public:
  explicit MergedCursor(Cursors from) : from_(std::move(from)) {}

  absl::StatusOr<bool> Next() override {
    if (!begun_) {
      begun_ = true;
      for (size_t i = 0; i < from_.size(); ++i) RETURN_IF_ERROR(Advance(i));
    }
    if (fronts_.empty()) return false;
    const size_t first = fronts_.top();
    fronts_.pop();
    std::swap(position, from_[first]->position);
    RETURN_IF_ERROR(Advance(first));
    while (!fronts_.empty() && from_[fronts_.top()]->position.packed == position.packed) {
      const size_t same = fronts_.top();
      fronts_.pop();
      AddUp(position, from_[same]->position);
      RETURN_IF_ERROR(Advance(same));
    }
    return true;
  }

 private:
  struct Behind {
    const Cursors* from;
    bool operator()(size_t a, size_t b) const {
      return (*from)[b]->position.packed < (*from)[a]->position.packed;
    }
  };

  absl::Status Advance(size_t at) {
    ASSIGN_OR_RETURN(const bool more, from_[at]->Next());
    if (more) fronts_.push(at);
    return absl::OkStatus();
  }

  Cursors from_;
  bool begun_ = false;
  std::priority_queue<size_t, std::vector<size_t>, Behind> fronts_{Behind{&from_}};
};

PlayedChunks::PlayedChunks(std::string folder, size_t memory, int threads, size_t piece)
    : folder_(std::move(folder)),
      most_(std::max<size_t>(1, memory / sizeof(Seen))),
      threads_(std::max(1, threads)),
      piece_(std::max<size_t>(1, piece)) {}

absl::Status PlayedChunks::Add(std::span<const PackedPosition> positions,
                               std::span<const Move> moves, Result result) {
  const size_t count = std::min(positions.size(), moves.size());
  if (!seen_.empty() && seen_.size() + count > most_) RETURN_IF_ERROR(SpillSeen());
  if (seen_.size() + count > seen_.capacity()) {
    // A growing vector takes up to three times its content for a moment; reserved and untouched
    // memory takes nothing. An import of few games does not even need the reservation.
    seen_.reserve(seen_.empty() ? std::min(most_, kFewSeen) + count : most_ + count);
  }
  sums_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    Seen seen;
    KeyOf(positions[i], seen.key);
    sums_[i] = seen.key[0] ^ std::rotl(seen.key[1], 16) ^ std::rotl(seen.key[2], 32) ^
               std::rotl(seen.key[3], 48);
    // A game that comes back to a position and plays the same move there is one game through it.
    // It comes back after four plies or more, with the same side to move.
    bool again = false;
    for (size_t back = 4; back <= i && !again; back += 2) {
      again = sums_[i - back] == sums_[i] && moves[i - back] == moves[i] &&
              positions[i - back] == positions[i];
    }
    if (again) continue;
    seen.move = moves[i].raw();
    seen.ply = static_cast<uint16_t>(i + 1);
    seen.outcome = OutcomeFor(i % 2 == 0 ? Color::kFirst : Color::kSecond, result);
    seen_.push_back(seen);
    ++size_;
  }
  return absl::OkStatus();
}

std::vector<std::span<const PlayedChunks::Seen>> PlayedChunks::Part() {
  // Chooses some positions that begin a block, at about equal distances.
  const size_t pieces = seen_.size() / piece_;
  std::vector<Seen> splitters;
  if (pieces > 1) {
    constexpr size_t kTries = 1 << 9;  // for each piece; about one position in 256 begins a block
    std::vector<Seen> found;
    Rng rng(1);
    for (size_t i = 0; i < pieces * kTries; ++i) {
      Seen seen = seen_[rng.Below(seen_.size())];
      if (!BeginsBlock(PackedOf(seen.key))) continue;
      seen.move = 0;  // before all moves of the position
      found.push_back(seen);
    }
    std::sort(found.begin(), found.end());
    for (size_t i = 1; i < pieces && !found.empty(); ++i) {
      const Seen& splitter = found[found.size() * i / pieces];
      if (splitters.empty() || splitters.back() < splitter) splitters.push_back(splitter);
    }
  }
  std::vector<Seen*> ends(splitters.size());
  PartBy<Seen>(seen_, splitters, ends.data(), threads_);
  ends.push_back(seen_.data() + seen_.size());
  std::vector<std::span<const Seen>> parts;
  const Seen* begin = seen_.data();
  for (const Seen* end : ends) {
    if (end != begin) parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

PlayedChunks::Blocks PlayedChunks::Pack(Cursor& from, const Keep& keep) {
  Blocks blocks;
  PlayedBlockWriter writer;
  while (*from.Next()) {
    if (!writer.empty() && BeginsBlock(from.position.packed)) blocks.push_back(writer.Finish());
    if (keep != nullptr) keep(from.position);
    if (!from.position.moves.empty()) writer.Add(from.position);
  }
  if (!writer.empty()) blocks.push_back(writer.Finish());
  return blocks;
}

absl::Status PlayedChunks::VisitSeen(const Keep& keep, const Visitor& visit) {
  const std::vector<std::span<const Seen>> parts = Part();
  using Pipe = OrderedPipe<Blocks>;
  size_t at = 0;
  const auto next = [&]() -> std::optional<Pipe::Task> {
    if (at == parts.size()) return std::nullopt;
    return [part = parts[at++], &keep](Pipe::Output& out) {
      SeenCursor cursor(part);
      Blocks blocks = Pack(cursor, keep);
      const size_t size = SizeOf(blocks);
      out.Give(std::move(blocks), size);
    };
  };
  Pipe pipe(threads_, kPackedAhead, next);
  while (std::optional<Blocks> blocks = pipe.Take()) {
    for (const PlayedBlock& block : *blocks) RETURN_IF_ERROR(visit(block));
  }
  return absl::OkStatus();
}

absl::Status PlayedChunks::SpillSeen() {
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  RETURN_IF_ERROR(
      VisitSeen(nullptr, [&file](const PlayedBlock& block) { return WriteBlock(block, file); }));
  RETURN_IF_ERROR(file.Rewind());
  chunks_.push_back(std::move(file));
  seen_.clear();
  return chunks_.size() < kMostChunks ? absl::OkStatus() : MergeChunks();
}

absl::Status PlayedChunks::MergeChunks() {
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  RETURN_IF_ERROR(
      VisitChunks(nullptr, [&file](const PlayedBlock& block) { return WriteBlock(block, file); }));
  RETURN_IF_ERROR(file.Rewind());
  chunks_.clear();
  chunks_.push_back(std::move(file));
  return absl::OkStatus();
}

absl::Status PlayedChunks::VisitChunks(const Keep& keep, const Visitor& visit) {
  Cursors cursors;
  for (SpillFile& chunk : chunks_) cursors.push_back(std::make_unique<FileCursor>(chunk));
  MergedCursor merged(std::move(cursors));
  absl::Status failed;
  bool waiting = false;  // merged.position is not in a batch yet

  // One thread at a time groups positions into batches that end where a block does. Other threads
  // pack the batches; this one consumes the blocks.
  using Pipe = OrderedPipe<Blocks>;
  const auto next = [&]() -> std::optional<Pipe::Task> {
    auto batch = std::make_shared<Batch>();
    for (;; waiting = false) {
      if (!waiting) {
        const absl::StatusOr<bool> more = merged.Next();
        failed.Update(more.status());
        if (!more.ok() || !*more) break;
        waiting = true;
      }
      if (batch->size() >= kGroupBatch && BeginsBlock(merged.position.packed)) break;
      batch->Add(merged.position);
    }
    if (batch->size() == 0) return std::nullopt;
    return [batch, &keep](Pipe::Output& out) {
      BatchCursor cursor(*batch);
      Blocks blocks = Pack(cursor, keep);
      const size_t size = SizeOf(blocks);
      out.Give(std::move(blocks), size);
    };
  };
  {
    Pipe pipe(threads_, kPackedAhead, next);
    while (std::optional<Blocks> blocks = pipe.Take()) {
      for (const PlayedBlock& block : *blocks) RETURN_IF_ERROR(visit(block));
    }
  }
  return failed;
}

absl::Status PlayedChunks::ForEachBlock(const Keep& keep, const Visitor& visit) {
  if (chunks_.empty()) return VisitSeen(keep, visit);
  if (!seen_.empty()) RETURN_IF_ERROR(SpillSeen());
  std::vector<Seen>().swap(seen_);
  return VisitChunks(keep, visit);
}

}  // namespace joseki::book
