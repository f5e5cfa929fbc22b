#include "coordinator/store/played_table.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
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
  // One look for each source, not one for each block.
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

PlayedMerge::PlayedMerge(SQLite::Database& db) {
  for (const int64_t source : PlayedSources(db)) {
    scans_.push_back(std::make_unique<PlayedScan>(db, source));
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

PlayedLookup::PlayedLookup(SQLite::Database& db) : db_(db) {
  for (const int64_t source : PlayedSources(db)) AddSource(source);
}

void PlayedLookup::AddSource(int64_t source) { sources_.emplace_back().source = source; }

absl::StatusOr<bool> PlayedLookup::Load(Source& source, const PackedPosition& packed) {
  if (source.loaded && !(packed < source.first) && !(source.last < packed)) return true;
  source.loaded = false;
  if (!block_.has_value()) {
    block_.emplace(
        db_,
        "SELECT first, professional, entries FROM played WHERE source = ? AND first <= ? "
        "ORDER BY first DESC LIMIT 1");
  }
  block_->reset();
  block_->bind(1, source.source);
  BindPacked(*block_, 2, packed);
  if (!block_->executeStep()) return false;
  if (!PackedAt(*block_, 0, source.first)) return BadFirst();
  source.professional = block_->getColumn(1).getInt() != 0;
  source.bytes = BytesAt(*block_, 2);
  block_->reset();
  source.loaded = true;
  source.last = source.first;
  return true;
}

absl::Status PlayedLookup::Find(const PackedPosition& packed, const Each& each) {
  for (Source& source : sources_) {
    ASSIGN_OR_RETURN(const bool loaded, Load(source, packed));
    if (!loaded) continue;
    PlayedBlockReader reader(source.first, source.bytes);
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader.Next(position_));
      if (!more) break;
      if (source.last < position_.packed) source.last = position_.packed;
      if (position_.packed < packed) continue;
      if (position_.packed == packed) each(source.source, source.professional, position_);
      break;
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

absl::Status UnpackPlayed(SQLite::Database& db, const std::string& from, const std::string& to) {
  SQLite::Statement add_position(
      db, absl::StrCat("INSERT INTO ", to,
                       ".positions (packed, ply) VALUES (?, ?) ON CONFLICT (packed) "
                       "DO UPDATE SET ply = min(ply, excluded.ply) RETURNING position"));
  // The first source's weight stands.
  SQLite::Statement add_move(db, absl::StrCat("INSERT OR IGNORE INTO ", to,
                                              ".moves (position, move, base_weight, mark) "
                                              "VALUES (?, ?, ?, ?)"));
  SQLite::Statement add_counts(
      db, absl::StrCat("INSERT INTO ", to, ".move_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  constexpr int kLeftOut = 3;
  for (const int64_t source : PlayedSources(db, from)) {
    PlayedScan scan(db, source, from);
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, scan.Next());
      if (!more) break;
      add_position.reset();
      BindPacked(add_position, 1, scan.position().packed);
      add_position.bind(2, scan.position().ply);
      add_position.executeStep();
      const int64_t id = add_position.getColumn(0).getInt64();
      add_position.reset();
      for (const PlayedMove& move : scan.position().moves) {
        add_move.reset();
        add_move.bind(1, id);
        add_move.bind(2, static_cast<int>(move.move.raw()));
        add_move.bind(3, move.base_weight);
        add_move.bind(4, move.left_out ? kLeftOut : 0);
        add_move.exec();
        add_counts.reset();
        int column = 0;
        for (const int64_t value :
             {id, int64_t{move.move.raw()}, source, int64_t{scan.professional()}, move.counts.games,
              move.counts.wins, move.counts.draws, move.counts.losses}) {
          add_counts.bind(++column, value);
        }
        add_counts.exec();
      }
    }
  }
  return absl::OkStatus();
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

}  // namespace joseki::coordinator
