#include "book/formats/ybb.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

constexpr std::string_view kYbbMagic("YANE-BINBOOK-V1\0", 16);
constexpr uint64_t kYbbHasDepth = 1;
constexpr size_t kYbbHeader = 32;
constexpr size_t kYbbEntry = 44;
constexpr size_t kPacked = 32;
constexpr int kMostYbbValue = 32000;

// Offsets of the numbers of an index entry.
constexpr size_t kYbbMovesAt = 32;
constexpr size_t kYbbPlyAt = 40;
constexpr size_t kYbbCountAt = 42;

absl::Status BrokenYbb(const char* code, std::string_view file, std::string found,
                       std::string expected) {
  return MakeProblem({.code = code,
                      .file = std::string(file),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

class YbbReader {
 public:
  YbbReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : bytes_(bytes), file_(file), sink_(sink) {}

  absl::Status Read() {
    if (const absl::Status header = Header(); !header.ok()) return header;
    if (const absl::Status index = CheckIndex(); !index.ok()) return index;
    for (uint64_t i = 0; i < records_; ++i) Record(i);
    return absl::OkStatus();
  }

 private:
  size_t EntryAt(uint64_t i) const { return kYbbHeader + kYbbEntry * i; }
  std::string_view PackedAt(uint64_t i) const { return bytes_.substr(EntryAt(i), kPacked); }

  absl::Status Header() {
    if (!IsYbb(bytes_)) {
      return BrokenYbb("unknown_version", file_, Quote(bytes_.substr(0, kYbbMagic.size())),
                       Quote(kYbbMagic));
    }
    if (bytes_.size() < kYbbHeader) {
      return BrokenYbb("bad_size", file_, absl::StrCat(bytes_.size(), " bytes"),
                       "a header of 32 bytes");
    }
    records_ = LittleEndian<uint64_t>(bytes_, 16);
    const auto flags = LittleEndian<uint64_t>(bytes_, 24);
    if ((flags & ~kYbbHasDepth) != 0) {
      return BrokenYbb("unknown_version", file_, absl::StrCat("flags ", flags, " at byte 24"),
                       "none but 1, moves with a depth");
    }
    move_size_ = (flags & kYbbHasDepth) != 0 ? 6 : 4;
    if (records_ > (bytes_.size() - kYbbHeader) / kYbbEntry) {
      return BrokenYbb("bad_size", file_, absl::StrCat(bytes_.size(), " bytes"),
                       absl::StrCat("an index of ", records_, " positions, as byte 16 says"));
    }
    moves_begin_ = kYbbHeader + kYbbEntry * records_;
    return absl::OkStatus();
  }

  // Every position has moves of its own: were they shared, a small file could ask for any amount
  // of work.
  absl::Status CheckIndex() const {
    const uint64_t room = bytes_.size() - moves_begin_;
    uint64_t taken = 0;
    for (uint64_t i = 0; i < records_; ++i) {
      if (i > 0 && PackedAt(i - 1) >= PackedAt(i)) {
        return BrokenYbb("bad_index", file_,
                         absl::StrCat("a position out of order at byte ", EntryAt(i)),
                         "positions that ascend strictly, byte by byte");
      }
      const auto offset = LittleEndian<uint64_t>(bytes_, EntryAt(i) + kYbbMovesAt);
      const uint64_t length =
          uint64_t{LittleEndian<uint16_t>(bytes_, EntryAt(i) + kYbbCountAt)} * move_size_;
      taken += length;
      if (offset > room || length > room - offset || taken > room) {
        return BrokenYbb("bad_index", file_,
                         absl::StrCat("moves at ", offset, " by the entry at byte ", EntryAt(i)),
                         absl::StrCat("moves within the ", room, " bytes that hold them"));
      }
    }
    return absl::OkStatus();
  }

  void Record(uint64_t i) {
    // Number of the record, clamped: files with more records are read as well.
    const int number = static_cast<int>(std::min<uint64_t>(i + 1, std::numeric_limits<int>::max()));
    DbPosition entry;
    entry.line = number;
    std::memcpy(entry.packed.bytes.data(), bytes_.data() + EntryAt(i), kPacked);
    entry.ply = std::max<int>(1, LittleEndian<uint16_t>(bytes_, EntryAt(i) + kYbbPlyAt));
    const absl::StatusOr<shogi::Position> position = shogi::Unpack(entry.packed);
    if (!position.ok() || position->king(shogi::kBlack) == shogi::kNoSquare ||
        position->king(shogi::kWhite) == shogi::kNoSquare) {
      return sink_.reject(At(BrokenYbb("bad_position", "", absl::StrCat("at byte ", EntryAt(i)),
                                       "a position of a game, packed"),
                             file_, number));
    }
    const size_t moves = moves_begin_ + LittleEndian<uint64_t>(bytes_, EntryAt(i) + kYbbMovesAt);
    const uint16_t count = LittleEndian<uint16_t>(bytes_, EntryAt(i) + kYbbCountAt);
    for (size_t at = moves; at < moves + count * move_size_; at += move_size_) {
      DbMove move;
      move.move = Move(LittleEndian<uint16_t>(bytes_, at));
      if (!position->IsLegal(move.move)) {
        sink_.reject(At(BrokenYbb("illegal_move", "",
                                  absl::StrCat("0x", absl::Hex(move.move.raw(), absl::kZeroPad4),
                                               " at byte ", at),
                                  "a legal move in " + shogi::ToSfen(*position, entry.ply)),
                        file_, number));
        continue;
      }
      move.value = LittleEndian<int16_t>(bytes_, at + 2);
      move.has_value = true;
      if (move_size_ == 6) {
        move.depth = LittleEndian<uint16_t>(bytes_, at + 4);
        move.has_depth = true;
      }
      AddMove(entry.moves, move);
    }
    if (!entry.moves.empty()) sink_.accept(std::move(entry));
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const DbSink& sink_;
  uint64_t records_ = 0;
  size_t move_size_ = 4;
  size_t moves_begin_ = kYbbHeader;
};

}  // namespace

bool IsYbb(std::string_view bytes) { return bytes.substr(0, kYbbMagic.size()) == kYbbMagic; }

absl::Status ReadYbb(std::string_view bytes, std::string_view file, const DbSink& sink) {
  return YbbReader(bytes, file, sink).Read();
}

void YbbWriter::Prepare(DbPosition& position) {
  position.ply = std::clamp<int>(position.ply, 1, std::numeric_limits<uint16_t>::max());
  for (DbMove& move : position.moves) {
    move.value = std::clamp(move.value, -kMostYbbValue, kMostYbbValue);
    move.depth = std::clamp<int>(move.depth, 0, std::numeric_limits<uint16_t>::max());
    move.count = 0;
  }
  SortMoves(position.moves);
  position.moves.resize(
      std::min<size_t>(position.moves.size(), std::numeric_limits<uint16_t>::max()));
}

void YbbWriter::Add(const DbPosition& position, std::string& index, std::string& moves) {
  ++positions_;
  index.append(reinterpret_cast<const char*>(position.packed.bytes.data()), kPacked);
  AppendLittleEndian(index, offset_);
  AppendLittleEndian(index, static_cast<uint16_t>(position.ply));
  AppendLittleEndian(index, static_cast<uint16_t>(position.moves.size()));
  offset_ += position.moves.size() * (has_depth_ ? 6 : 4);
  for (const DbMove& move : position.moves) {
    AppendLittleEndian(moves, move.move.raw());
    AppendLittleEndian(moves, static_cast<int16_t>(move.value));
    if (has_depth_) AppendLittleEndian(moves, static_cast<uint16_t>(move.depth));
  }
}

std::string YbbWriter::Head() const {
  std::string head(kYbbMagic);
  AppendLittleEndian<uint64_t>(head, positions_);
  AppendLittleEndian<uint64_t>(head, has_depth_ ? kYbbHasDepth : 0);
  return head;
}

std::string WriteYbb(std::vector<DbPosition> positions) {
  // Moves are ordered after clamping to the file's ranges.
  Canonicalise(positions);
  bool has_depth = false;
  for (const DbPosition& position : positions) {
    for (const DbMove& move : position.moves) has_depth = has_depth || move.has_depth;
  }
  YbbWriter writer(has_depth);
  std::string index;
  std::string moves;
  index.reserve(kYbbEntry * positions.size());
  for (DbPosition& position : positions) {
    YbbWriter::Prepare(position);
    writer.Add(position, index, moves);
  }
  return writer.Head() + index + moves;
}

}  // namespace joseki::book
