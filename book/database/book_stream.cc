#include "book/database/book_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "book/database/spill.h"
#include "book/formats/json_book.h"
#include "book/formats/probe_file.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"

namespace joseki::book {
namespace {

constexpr size_t kPiece = size_t{1} << 18;  // bytes per write

// Value of a sorted record: this head, then a MoveEntry for each move. Native byte order, because
// only the process that wrote the file reads it.
struct Head {
  PackedPosition packed;
  int32_t ply = 1;
};
struct MoveEntry {
  uint64_t count = 0;
  int32_t value = 0;
  int32_t depth = 0;
  uint16_t move = 0;
  uint16_t ponder = 0;
  uint8_t has_value = 0;
  uint8_t has_depth = 0;
  uint8_t unused[2] = {};
};

template <typename T>
void Append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
T Take(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

void Encode(const book::DbPosition& position, std::string& out) {
  out.clear();
  Append(out, Head{position.packed, position.ply});
  for (const book::DbMove& move : position.moves) {
    MoveEntry entry;
    entry.count = move.count;
    entry.value = move.value;
    entry.depth = move.depth;
    entry.move = move.move.raw();
    entry.ponder = move.ponder.raw();
    entry.has_value = move.has_value ? 1 : 0;
    entry.has_depth = move.has_depth ? 1 : 0;
    Append(out, entry);
  }
}

void Decode(std::string_view bytes, book::DbPosition& position) {
  const auto head = Take<Head>(bytes);
  position.packed = head.packed;
  position.ply = head.ply;
  position.moves.clear();
  while (!bytes.empty()) {
    const auto entry = Take<MoveEntry>(bytes);
    position.moves.push_back({.move = Move(entry.move),
                              .ponder = Move(entry.ponder),
                              .value = entry.value,
                              .depth = entry.depth,
                              .count = entry.count,
                              .has_value = entry.has_value != 0,
                              .has_depth = entry.has_depth != 0});
  }
}

// Two byte sequences, spilled to disk, for a format whose index precedes its moves. The moves
// cannot be written out before the index ends.
class TwoRows {
 public:
  static absl::StatusOr<TwoRows> Create(const std::string& folder) {
    ASSIGN_OR_RETURN(SpillFile index, SpillFile::Create(folder));
    ASSIGN_OR_RETURN(SpillFile moves, SpillFile::Create(folder));
    return TwoRows(std::move(index), std::move(moves));
  }

  std::string& index() { return row_[0].buffer; }
  std::string& moves() { return row_[1].buffer; }

  absl::Status FlushIfLarge() {
    for (Row& row : row_) {
      if (row.buffer.size() >= kPiece) RETURN_IF_ERROR(Flush(row));
    }
    return absl::OkStatus();
  }

  absl::Status CopyTo(AtomicFile& file) {
    std::string piece;
    for (Row& row : row_) {
      RETURN_IF_ERROR(Flush(row));
      RETURN_IF_ERROR(row.file.Rewind());
      for (uint64_t left = row.size; left > 0; left -= piece.size()) {
        piece.resize(std::min<uint64_t>(left, kPiece));
        RETURN_IF_ERROR(row.file.Read(piece.data(), piece.size()).status());
        RETURN_IF_ERROR(file.Write(piece));
      }
    }
    return absl::OkStatus();
  }

 private:
  struct Row {
    SpillFile file;
    std::string buffer = {};
    uint64_t size = 0;
  };
  TwoRows(SpillFile index, SpillFile moves) : row_{{std::move(index)}, {std::move(moves)}} {}

  static absl::Status Flush(Row& row) {
    RETURN_IF_ERROR(row.file.Write(row.buffer.data(), row.buffer.size()));
    row.size += row.buffer.size();
    row.buffer.clear();
    return absl::OkStatus();
  }

  Row row_[2];
};

// One interface for the writers of the formats.
class DbWriter {
 public:
  static void Prepare(book::DbPosition& position) { book::SortMoves(position.moves); }
  void Add(const book::DbPosition& position, std::string& index, std::string& /*moves*/) {
    book::AppendYaneuraouDb(index, key, position);
  }
  std::string Head() const { return book::YaneuraouDbHead(); }

  std::string key;  // of the position that is added next
};

class JsonWriter {
 public:
  static void Prepare(book::DbPosition& position) { book::SortMoves(position.moves); }
  void Add(const book::DbPosition& position, std::string& index, std::string& /*moves*/) {
    writer_.Add(position, index);
  }
  std::string Head() const { return writer_.Head(); }
  static std::string Tail() { return book::JsonBookWriter::Tail(); }

 private:
  book::JsonBookWriter writer_;
};

using Writer = std::variant<DbWriter, book::YbbWriter, book::ProbeFileWriter, JsonWriter>;

std::string TailOf(const Writer& writer) {
  return std::holds_alternative<JsonWriter>(writer) ? JsonWriter::Tail() : "";
}

Writer WriterOf(book::BookFormat format, bool has_depth, uint64_t at_most) {
  if (format == book::BookFormat::kYbb) return book::YbbWriter(has_depth);
  if (format == book::BookFormat::kProbe) return book::ProbeFileWriter(at_most);
  if (format == book::BookFormat::kJson) return JsonWriter();
  return DbWriter();
}

}  // namespace

bool BookStream::Writes(book::BookFormat format) {
  return format == book::BookFormat::kYaneuraouDb || format == book::BookFormat::kYbb ||
         format == book::BookFormat::kProbe || format == book::BookFormat::kJson;
}

BookStream::BookStream(book::BookFormat format, std::string folder, size_t memory)
    : format_(format), folder_(std::move(folder)), sorted_(folder_, memory) {}

std::string BookStream::KeyOf(const PackedPosition& packed) const {
  if (format_ == book::BookFormat::kYaneuraouDb) return book::YaneuraouDbKey(packed);
  if (format_ == book::BookFormat::kProbe) return book::ProbeFileKey(packed);
  return {reinterpret_cast<const char*>(packed.bytes.data()), packed.bytes.size()};
}

absl::Status BookStream::Add(const book::DbPosition& position) {
  if (position.moves.empty()) return absl::OkStatus();
  const std::string key = KeyOf(position.packed);
  if (key.empty()) return absl::OkStatus();  // not a position of a game
  ++added_;
  for (const book::DbMove& move : position.moves) has_depth_ = has_depth_ || move.has_depth;
  Encode(position, value_);
  return sorted_.Add(key, value_);
}

absl::StatusOr<BookStream::Written> BookStream::Finish(
    const std::string& path, const std::function<void(const book::DbPosition&)>& visit) {
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  ASSIGN_OR_RETURN(TwoRows rows, TwoRows::Create(folder_));
  Writer writer = WriterOf(format_, has_depth_, added_);
  Written written;
  book::DbPosition sum;
  book::DbPosition next;
  std::string key;  // of `sum`
  bool any = false;
  const auto write = [&]() -> absl::Status {
    ++written.positions;
    visit(sum);
    if (auto* const db = std::get_if<DbWriter>(&writer)) db->key = key;
    std::visit(
        [&](auto& of) {
          of.Prepare(sum);
          of.Add(sum, rows.index(), rows.moves());
        },
        writer);
    return rows.FlushIfLarge();
  };
  const absl::Status read =
      sorted_.ForEach([&](std::string_view next_key, std::string_view value) -> absl::Status {
        Decode(value, next);
        if (any && next.packed == sum.packed) {
          book::AddPosition(sum, next);
          return absl::OkStatus();
        }
        if (any) RETURN_IF_ERROR(write());
        any = true;
        key = next_key;
        std::swap(sum, next);
        return absl::OkStatus();
      });
  RETURN_IF_ERROR(read);
  if (any) RETURN_IF_ERROR(write());
  RETURN_IF_ERROR(file.Write(std::visit([](const auto& of) { return of.Head(); }, writer)));
  RETURN_IF_ERROR(rows.CopyTo(file));
  RETURN_IF_ERROR(file.Write(TailOf(writer)));
  RETURN_IF_ERROR(file.Commit());
  written.bytes = file.size();
  ASSIGN_OR_RETURN(written.sha256, HashOfFile(path));
  return written;
}

}  // namespace joseki::book
