#include "book/database/played_table.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

void BindPacked(SQLite::Statement& statement, int index, const PackedPosition& packed) {
  statement.bind(index, packed.bytes.data(), static_cast<int>(packed.bytes.size()));
}

bool PackedAt(SQLite::Statement& row, int column, PackedPosition& packed) {
  const SQLite::Column blob = row.getColumn(column);
  if (blob.getBytes() != static_cast<int>(packed.bytes.size())) return false;
  std::memcpy(packed.bytes.data(), blob.getBlob(), packed.bytes.size());
  return true;
}

std::string BytesAt(SQLite::Statement& row, int column) {
  const SQLite::Column blob = row.getColumn(column);
  return std::string(static_cast<const char*>(blob.getBlob()),
                     static_cast<size_t>(blob.getBytes()));
}

absl::Status BadFirst() {
  return MakeProblem({.code = "database_corrupt",
                      .found = "a block without a first position",
                      .expected = "32 bytes"},
                     absl::StatusCode::kDataLoss);
}

}  // namespace

std::vector<int64_t> PlayedSources(SQLite::Database& db, const std::string& schema) {
  // One query for each source rather than one for each block.
  std::vector<int64_t> sources;
  SQLite::Statement next(
      db, absl::StrCat("SELECT min(source) FROM ", schema, ".played WHERE source > ?"));
  for (int64_t after = -1;;) {
    next.reset();
    next.bind(1, after);
    if (!next.executeStep() || next.getColumn(0).isNull()) return sources;
    after = next.getColumn(0).getInt64();
    sources.push_back(after);
  }
}

PlayedScan::PlayedScan(SQLite::Database& db, int64_t source, const std::string& schema)
    : source_(source),
      blocks_(db, absl::StrCat("SELECT first, professional, entries FROM ", schema,
                               ".played WHERE source = ? ORDER BY first")) {
  blocks_.bind(1, source);
}

absl::StatusOr<bool> PlayedScan::Next() {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, reader_.Next(position_));
    if (more) return true;
    if (!blocks_.executeStep()) return false;
    PackedPosition first;
    if (!PackedAt(blocks_, 0, first)) return BadFirst();
    professional_ = blocks_.getColumn(1).getInt() != 0;
    bytes_ = BytesAt(blocks_, 2);
    reader_ = PlayedBlockReader(first, bytes_);
  }
}

PlayedMerge::PlayedMerge(SQLite::Database& db, const std::string& schema) {
  for (const int64_t source : PlayedSources(db, schema)) {
    scans_.push_back(std::make_unique<PlayedScan>(db, source, schema));
  }
  more_.resize(scans_.size());
}

const PackedPosition* PlayedMerge::front() const { return any_ ? &front_ : nullptr; }

void PlayedMerge::FindFront() {
  any_ = false;
  for (size_t i = 0; i < scans_.size(); ++i) {
    if (!more_[i]) continue;
    const PackedPosition& packed = scans_[i]->position().packed;
    if (!any_ || packed < front_) front_ = packed;
    any_ = true;
  }
}

absl::Status PlayedMerge::Begin() {
  for (size_t i = 0; i < scans_.size(); ++i) {
    ASSIGN_OR_RETURN(const bool more, scans_[i]->Next());
    more_[i] = more;
  }
  FindFront();
  return absl::OkStatus();
}

absl::Status PlayedMerge::Take(const std::function<void(const PlayedScan&)>& each) {
  for (size_t i = 0; i < scans_.size(); ++i) {
    if (!more_[i] || scans_[i]->position().packed != front_) continue;
    each(*scans_[i]);
    ASSIGN_OR_RETURN(const bool more, scans_[i]->Next());
    more_[i] = more;
  }
  FindFront();
  return absl::OkStatus();
}

PlayedLookup::PlayedLookup(SQLite::Database& db, std::string schema)
    : db_(db), schema_(std::move(schema)) {
  for (const int64_t source : PlayedSources(db, schema_)) AddSource(source);
}

void PlayedLookup::AddSource(int64_t source) {
  sources_.push_back(std::make_unique<Source>());
  sources_.back()->source = source;
}

absl::StatusOr<bool> PlayedLookup::Load(Source& source, const PackedPosition& packed) {
  const bool holds = source.loaded && !(packed < source.first) &&
                     (!source.next.has_value() || packed < *source.next);
  if (!holds) {
    source.loaded = false;
    if (!block_.has_value()) {
      block_.emplace(db_, absl::StrCat("SELECT first, professional, entries FROM ", schema_,
                                       ".played WHERE source = ? AND first <= ? "
                                       "ORDER BY first DESC LIMIT 1"));
      next_.emplace(db_, absl::StrCat("SELECT first FROM ", schema_,
                                      ".played WHERE source = ? AND first > ? "
                                      "ORDER BY first LIMIT 1"));
    }
    block_->reset();
    block_->bind(1, source.source);
    BindPacked(*block_, 2, packed);
    if (!block_->executeStep()) return false;
    if (!PackedAt(*block_, 0, source.first)) return BadFirst();
    source.professional = block_->getColumn(1).getInt() != 0;
    source.bytes = BytesAt(*block_, 2);
    block_->reset();
    next_->reset();
    next_->bind(1, source.source);
    BindPacked(*next_, 2, packed);
    source.next.reset();
    if (next_->executeStep()) {
      if (!PackedAt(*next_, 0, source.next.emplace())) return BadFirst();
    }
    next_->reset();
    source.loaded = true;
  }
  if (!holds || (source.any && packed < source.at.packed)) {
    source.reader = PlayedBlockReader(source.first, source.bytes);
    source.any = false;
    source.ended = false;
  }
  return true;
}

absl::Status PlayedLookup::Find(const PackedPosition& packed, const Each& each) {
  for (const std::unique_ptr<Source>& at : sources_) {
    Source& source = *at;
    ASSIGN_OR_RETURN(const bool loaded, Load(source, packed));
    if (!loaded) continue;
    while (!source.ended && (!source.any || source.at.packed < packed)) {
      const absl::StatusOr<bool> more = source.reader.Next(source.at);
      if (!more.ok()) source.loaded = false;
      RETURN_IF_ERROR(more.status());
      if (*more) {
        source.any = true;
      } else {
        source.ended = true;
      }
    }
    if (source.any && source.at.packed == packed) {
      each(source.source, source.professional, source.at);
    }
  }
  return absl::OkStatus();
}

void AddPlayedBlock(SQLite::Statement& add, int64_t source, bool professional,
                    const PlayedBlock& block) {
  add.reset();
  add.bind(1, source);
  add.bind(2, professional ? 1 : 0);
  BindPacked(add, 3, block.first);
  add.bind(4, block.positions);
  add.bind(5, block.moves);
  add.bindNoCopy(6, block.bytes.data(), static_cast<int>(block.bytes.size()));
  add.exec();
}

absl::Status RewritePlayed(
    SQLite::Database& db,
    const std::function<absl::StatusOr<bool>(int64_t source, bool professional, PlayedPosition&)>&
        change) {
  SQLite::Statement next(
      db,
      "SELECT block, source, first, entries, professional FROM played WHERE block > ? "
      "ORDER BY block LIMIT 1");
  SQLite::Statement update(
      db, "UPDATE played SET positions = ?, moves = ?, entries = ? WHERE block = ?");
  SQLite::Statement remove(db, "DELETE FROM played WHERE block = ?");
  PlayedPosition position;
  for (int64_t block = -1;;) {
    next.reset();
    next.bind(1, block);
    if (!next.executeStep()) return absl::OkStatus();
    block = next.getColumn(0).getInt64();
    const int64_t source = next.getColumn(1).getInt64();
    PackedPosition first;
    if (!PackedAt(next, 2, first)) return BadFirst();
    const std::string bytes = BytesAt(next, 3);
    const bool professional = next.getColumn(4).getInt() != 0;
    next.reset();
    PlayedBlockReader reader(first, bytes);
    PlayedBlockWriter writer(first);
    bool changed = false;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader.Next(position));
      if (!more) break;
      ASSIGN_OR_RETURN(const bool other, change(source, professional, position));
      changed |= other;
      if (!position.moves.empty()) writer.Add(position);
    }
    if (!changed) continue;
    SQLite::Statement& write = writer.empty() ? remove : update;
    write.reset();
    const PlayedBlock made = writer.Finish();
    if (made.positions > 0) {
      write.bind(1, made.positions);
      write.bind(2, made.moves);
      write.bindNoCopy(3, made.bytes.data(), static_cast<int>(made.bytes.size()));
    }
    write.bind(made.positions > 0 ? 4 : 1, block);
    write.exec();
  }
}

absl::Status CheckPlayed(SQLite::Database& db, std::vector<std::string>& problems) {
  SQLite::Statement row(db,
                        "SELECT block, source, first, positions, moves, entries FROM played "
                        "ORDER BY source, first");
  PackedPosition last{};
  int64_t last_source = -1;
  PlayedPosition position;
  while (row.executeStep()) {
    const std::string name = absl::StrCat("block ", row.getColumn(0).getInt64());
    PackedPosition first;
    if (!PackedAt(row, 2, first)) return BadFirst();
    const std::string bytes = BytesAt(row, 5);
    PlayedBlockReader reader(first, bytes);
    const int64_t source = row.getColumn(1).getInt64();
    if (source == last_source && !(last < first)) {
      problems.push_back(
          absl::StrCat(name, " of played positions begins before the one before it ends"));
    }
    last_source = source;
    int64_t positions = 0;
    int64_t moves = 0;
    for (;;) {
      const absl::StatusOr<bool> more = reader.Next(position);
      if (!more.ok()) {
        problems.push_back(
            absl::StrCat(name, " of played positions has ", ProblemOf(more.status()).found));
      }
      if (!more.ok() || !*more) break;
      ++positions;
      moves += static_cast<int64_t>(position.moves.size());
      last = position.packed;
    }
    if (positions != row.getColumn(3).getInt64() || moves != row.getColumn(4).getInt64()) {
      problems.push_back(absl::StrCat(name, " of played positions has other counts than it says"));
    }
  }
  return absl::OkStatus();
}

}  // namespace joseki::book
