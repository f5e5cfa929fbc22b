#include "coordinator/offline/played_runs.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <queue>
#include <thread>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/offline/ordered_pipe.h"

namespace joseki::coordinator {
namespace {

// Runs that are read together: each has a buffer and an open file.
constexpr size_t kMostRuns = 64;
// Below this much a thread more does not pay.
constexpr size_t kWorthAThread = 1 << 14;
// Room for this many at first.
constexpr size_t kFewSeen = 1 << 14;
// Positions that are packed together, about.
constexpr size_t kBatch = 1 << 14;
// What may be packed ahead of what is taken.
constexpr size_t kPackedAhead = size_t{16} << 20;

// A packed form as numbers that compare as its bytes do, and back. x86-64 is little-endian.
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

// How a game went for the side that made a move of it.
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

// Adds the moves of the same position in another run. Both ascend.
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

// As it stands before a block in a file: the file is read by the process that wrote it.
struct BlockHead {
  PackedPosition first;
  uint64_t bytes = 0;
};

// Positions to be packed together, without an allocation for each.
class Batch {
 public:
  size_t size() const { return heads_.size(); }

  void Add(const PlayedPosition& position) {
    heads_.push_back({position.packed, position.ply, position.moves.size()});
    moves_.insert(moves_.end(), position.moves.begin(), position.moves.end());
  }

  std::vector<PlayedBlock> Pack(const PlayedRuns::Keep& keep) const {
    std::vector<PlayedBlock> blocks;
    PlayedBlockWriter writer;
    PlayedPosition kept;
    auto moves = moves_.begin();
    for (const Head& head : heads_) {
      if (!writer.empty() && BeginsBlock(head.packed)) blocks.push_back(writer.Finish());
      const auto end = moves + static_cast<ptrdiff_t>(head.moves);
      if (keep == nullptr) {
        writer.Add(head.packed, head.ply, &*moves, head.moves);
      } else {
        kept.packed = head.packed;
        kept.ply = head.ply;
        kept.moves.assign(moves, end);
        keep(kept);
        if (!kept.moves.empty()) writer.Add(kept);
      }
      moves = end;
    }
    if (!writer.empty()) blocks.push_back(writer.Finish());
    return blocks;
  }

 private:
  struct Head {
    PackedPosition packed;
    int ply;
    size_t moves;
  };
  std::vector<Head> heads_;
  std::vector<PlayedMove> moves_;
};

template <typename Iterator>
void SortBy(Iterator begin, Iterator end, int threads) {
  const auto size = static_cast<size_t>(end - begin);
  if (threads <= 1 || size < kWorthAThread) return std::sort(begin, end);
  // Halves by the median of a sample, each sorted by half of the threads.
  constexpr size_t kSample = 255;
  std::vector<typename Iterator::value_type> sample;
  for (size_t i = 0; i < kSample; ++i) {
    sample.push_back(begin[static_cast<ptrdiff_t>(size / kSample * i)]);
  }
  std::sort(sample.begin(), sample.end());
  const auto pivot = sample[kSample / 2];
  const auto middle =
      std::partition(begin, end, [&pivot](const auto& entry) { return entry < pivot; });
  std::thread lower([=] { SortBy(begin, middle, threads / 2); });
  SortBy(middle, end, threads - threads / 2);
  lower.join();
}

}  // namespace

// Positions in ascending order, each once.
class PlayedRuns::Cursor {
 public:
  virtual ~Cursor() = default;
  // The next one comes into `position`; false at the end.
  virtual absl::StatusOr<bool> Next() = 0;
  PlayedPosition position;
};

// Of sorted entries in memory.
class PlayedRuns::SeenCursor final : public Cursor {
 public:
  explicit SeenCursor(const std::vector<Seen>& seen) : at_(seen.data()), end_(at_ + seen.size()) {}

  absl::StatusOr<bool> Next() override {
    if (at_ == end_) return false;
    const Seen& first = *at_;
    position.packed = PackedOf(first.key);
    position.ply = first.ply;
    position.moves.clear();
    for (; at_ != end_ && std::equal(first.key, first.key + 4, at_->key); ++at_) {
      position.ply = std::min<int>(position.ply, at_->ply);
      const Move move(at_->move);
      if (position.moves.empty() || position.moves.back().move != move) {
        position.moves.emplace_back().move = move;
      }
      Count(at_->outcome, position.moves.back().counts);
    }
    return true;
  }

 private:
  const Seen* at_;
  const Seen* const end_;
};

// Of a run on the disk.
class PlayedRuns::FileCursor final : public Cursor {
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

// Of several, added up.
class PlayedRuns::MergedCursor final : public Cursor {
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

PlayedRuns::PlayedRuns(std::string folder, size_t memory, int threads)
    : folder_(std::move(folder)),
      most_(std::max<size_t>(1, memory / sizeof(Seen))),
      threads_(std::max(1, threads)) {}

absl::Status PlayedRuns::Add(std::span<const PackedPosition> positions, std::span<const Move> moves,
                             Result result) {
  const size_t count = std::min(positions.size(), moves.size());
  if (!seen_.empty() && seen_.size() + count > most_) RETURN_IF_ERROR(SpillSeen());
  if (seen_.size() + count > seen_.capacity()) {
    // What grows takes up to three times its content for a moment; what is reserved and not touched
    // takes nothing. Few games need not even that.
    seen_.reserve(seen_.empty() ? std::min(most_, kFewSeen) + count : most_ + count);
  }
  for (size_t i = 0; i < count; ++i) {
    Seen& seen = seen_.emplace_back();
    KeyOf(positions[i], seen.key);
    seen.move = moves[i].raw();
    seen.ply = static_cast<uint16_t>(i + 1);
    seen.outcome = OutcomeFor(i % 2 == 0 ? Color::kFirst : Color::kSecond, result);
  }
  size_ += count;
  return absl::OkStatus();
}

void PlayedRuns::Sort() { SortBy(seen_.begin(), seen_.end(), threads_); }

absl::Status PlayedRuns::WriteRun(Cursor& from, SpillFile& file) {
  PlayedBlockWriter writer;
  const auto flush = [&]() -> absl::Status {
    if (writer.empty()) return absl::OkStatus();
    const PlayedBlock block = writer.Finish();
    const BlockHead head{block.first, block.bytes.size()};
    RETURN_IF_ERROR(file.Write(&head, sizeof head));
    return file.Write(block.bytes.data(), block.bytes.size());
  };
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, from.Next());
    if (!more) break;
    if (BeginsBlock(from.position.packed)) RETURN_IF_ERROR(flush());
    writer.Add(from.position);
  }
  RETURN_IF_ERROR(flush());
  return file.Rewind();
}

absl::Status PlayedRuns::SpillSeen() {
  Sort();
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  SeenCursor seen(seen_);
  RETURN_IF_ERROR(WriteRun(seen, file));
  runs_.push_back(std::move(file));
  seen_.clear();
  return runs_.size() < kMostRuns ? absl::OkStatus() : MergeRuns();
}

absl::Status PlayedRuns::MergeRuns() {
  Cursors cursors;
  for (SpillFile& run : runs_) cursors.push_back(std::make_unique<FileCursor>(run));
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  MergedCursor merged(std::move(cursors));
  RETURN_IF_ERROR(WriteRun(merged, file));
  runs_.clear();
  runs_.push_back(std::move(file));
  return absl::OkStatus();
}

absl::Status PlayedRuns::ForEachBlock(
    const Keep& keep, const std::function<absl::Status(const PlayedBlock&)>& visit) {
  Sort();
  Cursors cursors;
  for (SpillFile& run : runs_) cursors.push_back(std::make_unique<FileCursor>(run));
  cursors.push_back(std::make_unique<SeenCursor>(seen_));
  MergedCursor merged(std::move(cursors));
  absl::Status failed;
  bool waiting = false;  // merged.position is in no batch yet

  // One thread at a time puts positions together, in batches that end where a block does; others
  // pack them; this one takes the blocks.
  using Blocks = std::vector<PlayedBlock>;
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
      if (batch->size() >= kBatch && BeginsBlock(merged.position.packed)) break;
      batch->Add(merged.position);
    }
    if (batch->size() == 0) return std::nullopt;
    return [batch, &keep](Pipe::Output& out) {
      Blocks blocks = batch->Pack(keep);
      size_t bytes = 0;
      for (const PlayedBlock& block : blocks) bytes += sizeof block + block.bytes.size();
      out.Give(std::move(blocks), bytes);
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

}  // namespace joseki::coordinator
