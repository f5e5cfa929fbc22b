#include "book/database/book_merge.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_rows.h"
#include "book/database/played_table.h"
#include "book/database/sql.h"

namespace joseki::book {
namespace {

// Below, the database of the added book is attached under the name "other".

// Hash of a source: its rows as text, in the order of positions and moves, and its blocks. Equal
// content gives an equal hash.
absl::StatusOr<Sha256> ContentOf(SQLite::Database& db, const std::string& schema, int64_t source) {
  Sha256Stream hash;
  for (const char* columns : {"move_counts", "move_values"}) {
    const bool counts = std::string(columns) == "move_counts";
    SQLite::Statement row(
        db, absl::StrCat("SELECT packed, move, ",
                         counts ? "professional, games, wins, draws, losses"
                                : "coalesce(value, 'none'), coalesce(depth, 'none'), count, ponder",
                         " FROM ", schema, ".", columns, " JOIN ", schema,
                         ".positions USING (position) WHERE source = ? ORDER BY packed, move",
                         counts ? ", professional" : ""));
    row.bind(1, source);
    while (row.executeStep()) {
      for (int column = 0; column < row.getColumnCount(); ++column) {
        hash.Add(row.getColumn(column).getString());
        hash.Add(std::string_view("\0", 1));
      }
    }
    hash.Add("\n");
  }
  PlayedScan blocks(db, source, schema);
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, blocks.Next());
    if (!more) return hash.Finish();
    const PlayedPosition& position = blocks.position();
    hash.Add(std::string_view(reinterpret_cast<const char*>(position.packed.bytes.data()),
                              position.packed.bytes.size()));
    for (const PlayedMove& move : position.moves) {
      hash.Add(absl::StrCat(move.move.raw(), " ", blocks.professional(), " ", move.counts.games,
                            " ", move.counts.wins, " ", move.counts.draws, " ", move.counts.losses,
                            "\n"));
    }
  }
}

// Number of files of a source of "other": all of them, and those that the book already has.
struct FileCounts {
  int64_t all = 0;
  int64_t known = 0;
};

FileCounts FilesOf(SQLite::Database& db, int64_t source) {
  SQLite::Statement row(
      db,
      "SELECT count(*), count(*) FILTER (WHERE sha256 IN (SELECT sha256 FROM main.imported_files)) "
      "FROM other.imported_files WHERE source = ?");
  row.bind(1, source);
  row.executeStep();
  return {row.getColumn(0).getInt64(), row.getColumn(1).getInt64()};
}

// True if the book has a source equal to this one of "other". For sources whose files are not
// known.
absl::StatusOr<bool> HasTwin(SQLite::Database& db, int64_t source) {
  SQLite::Statement like(
      db,
      "SELECT m.source FROM main.sources m JOIN other.sources o USING (kind, name, options, "
      "games, rejected, added_at) WHERE o.source = ?");
  like.bind(1, source);
  std::vector<int64_t> candidates;
  while (like.executeStep()) candidates.push_back(like.getColumn(0).getInt64());
  if (candidates.empty()) return false;
  ASSIGN_OR_RETURN(const Sha256 content, ContentOf(db, "other", source));
  for (const int64_t candidate : candidates) {
    ASSIGN_OR_RETURN(const Sha256 known, ContentOf(db, "main", candidate));
    if (known == content) return true;
  }
  return false;
}

// Fills temp.source_map with the sources to copy and their new numbers; returns their old numbers.
absl::StatusOr<std::set<int64_t>> MapSources(SQLite::Database& db, const std::string& from,
                                             const MergeRules& rules, MergeCounts& counts) {
  db.exec("CREATE TEMP TABLE source_map (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)");
  std::vector<int64_t> sources;
  {
    SQLite::Statement row(db, "SELECT source FROM other.sources ORDER BY source");
    while (row.executeStep()) sources.push_back(row.getColumn(0).getInt64());
  }
  // Files of one source of "other" do not count as known when the next one is examined.
  std::vector<int64_t> taken;
  for (const int64_t source : sources) {
    const FileCounts files = FilesOf(db, source);
    bool known = files.all > 0 && files.known == files.all && !rules.again;
    if (files.all == 0) {
      ASSIGN_OR_RETURN(known, HasTwin(db, source));
    }
    if (known) {
      ++counts.known_sources;
      continue;
    }
    if (files.known > 0 && !rules.again) {
      return MakeProblem(
          {.code = "counted_twice",
           .file = from,
           .found = absl::StrCat(files.known, " of ", files.all, " files of source ", source,
                                 " are in the book already, by another import"),
           .expected = "sources that share no files, or --again to count them anyway"},
          absl::StatusCode::kAlreadyExists);
    }
    taken.push_back(source);
  }
  SQLite::Statement add(db,
                        "INSERT INTO main.sources (kind, name, options, games, rejected, added_at) "
                        "SELECT kind, name, options, games, rejected, added_at FROM other.sources "
                        "WHERE source = ? RETURNING source");
  SQLite::Statement map(db, "INSERT INTO source_map VALUES (?, ?)");
  for (const int64_t source : taken) {
    add.reset();
    add.bind(1, source);
    add.executeStep();
    map.reset();
    map.bind(1, source);
    map.bind(2, add.getColumn(0).getInt64());
    map.exec();
  }
  counts.sources = static_cast<int64_t>(taken.size());
  return std::set<int64_t>(taken.begin(), taken.end());
}

// A position of one of the two books, with its rows and blocks combined.
struct SideMove {
  Move move;
  int64_t weight = 0;
  int mark = 0;
  std::optional<std::string> note;
  bool row = false;      // the move has a row
  bool arrives = false;  // it is in a block of a source that is copied
};
struct SidePosition {
  int64_t id = 0;  // row id; 0: no row
  int ply = kNoPly;
  std::vector<SideMove> moves;  // ascending by raw()

  bool there() const { return ply != kNoPly; }
};

const SideMove* Find(const SidePosition& position, Move move) {
  for (const SideMove& known : position.moves) {
    if (known.move == move) return &known;
  }
  return nullptr;
}

// Looks up positions in one of the two databases; fastest in ascending order.
class Side {
 public:
  // `taken`: the sources that are copied.
  Side(SQLite::Database& db, const std::string& schema, std::set<int64_t> taken)
      : has_rows_(
            SQLite::Statement(db, absl::StrCat("SELECT 1 FROM ", schema, ".positions LIMIT 1"))
                .executeStep()),
        row_(db, absl::StrCat("SELECT position, ply FROM ", schema, ".positions WHERE packed = ?")),
        moves_(db, absl::StrCat("SELECT move, base_weight, mark, note FROM ", schema,
                                ".moves WHERE position = ? ORDER BY move")),
        played_(db, schema),
        taken_(std::move(taken)) {}

  absl::Status Find(const PackedPosition& packed, SidePosition& position) {
    position.id = 0;
    position.ply = kNoPly;
    position.moves.clear();
    if (has_rows_) ReadRow(packed, position);
    return played_.Find(packed, [&](int64_t source, bool, const PlayedPosition& played) {
      position.ply = std::min(position.ply, played.ply);
      auto at = position.moves.begin();
      for (const PlayedMove& move : played.moves) {
        while (at != position.moves.end() && at->move < move.move) ++at;
        if (at == position.moves.end() || at->move != move.move) {
          at = position.moves.insert(at, SideMove());
          at->move = move.move;
          at->weight = move.base_weight;
          at->mark = move.left_out ? kLeftOut : 0;
        }
        at->arrives |= taken_.contains(source);
      }
    });
  }

 private:
  void ReadRow(const PackedPosition& packed, SidePosition& position) {
    row_.reset();
    BindPacked(row_, 1, packed);
    if (row_.executeStep()) {
      position.id = row_.getColumn(0).getInt64();
      position.ply = row_.getColumn(1).getInt();
      moves_.reset();
      moves_.bind(1, position.id);
      while (moves_.executeStep()) {
        SideMove& move = position.moves.emplace_back();
        move.move = MoveAt(moves_, 0);
        move.weight = moves_.getColumn(1).getInt64();
        move.mark = moves_.getColumn(2).getInt();
        if (!moves_.getColumn(3).isNull()) move.note = moves_.getColumn(3).getString();
        move.row = true;
      }
    }
    row_.reset();
  }

  const bool has_rows_;
  SQLite::Statement row_;
  SQLite::Statement moves_;
  PlayedLookup played_;
  const std::set<int64_t> taken_;
};

// The positions of "other", ascending.
class OtherPositions {
 public:
  OtherPositions(SQLite::Database& db, const std::string& file)
      : file_(file),
        rows_(db, "SELECT packed FROM other.positions ORDER BY packed"),
        played_(db, "other") {}

  absl::Status Begin() {
    RETURN_IF_ERROR(played_.Begin());
    return NextRow();
  }
  // Returns false at the end.
  absl::StatusOr<bool> Next(PackedPosition& packed) {
    const PackedPosition* const played = played_.front();
    if (!row_ && played == nullptr) return false;
    const bool from_row = row_ && (played == nullptr || !(*played < row_packed_));
    const bool from_played = played != nullptr && (!row_ || !(row_packed_ < *played));
    packed = from_row ? row_packed_ : *played;
    if (from_row) RETURN_IF_ERROR(NextRow());
    if (from_played) RETURN_IF_ERROR(played_.Take([](const PlayedScan&) {}));
    return true;
  }

 private:
  absl::Status NextRow() {
    row_ = rows_.executeStep();
    if (row_) {
      ASSIGN_OR_RETURN(row_packed_, PackedOf(rows_.getColumn(0), file_));
    }
    return absl::OkStatus();
  }

  const std::string& file_;
  SQLite::Statement rows_;
  PlayedMerge played_;
  PackedPosition row_packed_;
  bool row_ = false;
};

// Whether the added book decides the weights at a position. Moves that it lacks there then get
// weights below all of its own.
bool Decides(const SidePosition& other, bool over) {
  return over || std::any_of(other.moves.begin(), other.moves.end(), [](const SideMove& move) {
           return move.weight != 0 || move.mark == kLeftOut;
         });
}
int64_t Behind(const SidePosition& other) {
  int64_t lowest = 0;
  for (const SideMove& move : other.moves) lowest = std::min(lowest, move.weight);
  return lowest - 1;
}

bool IsUsers(int mark) { return mark != 0 && mark != kLeftOut; }

// Merges the moves of "other" that have rows in either book into the rows of the book. Moves that
// are only in blocks on both sides need no row.
class RowMerge {
 public:
  RowMerge(SQLite::Database& db, bool over)
      : over_(over),
        position_(db,
                  "INSERT INTO main.positions (packed, ply) VALUES (?, ?) ON CONFLICT (packed) DO "
                  "UPDATE SET ply = min(ply, excluded.ply) RETURNING position"),
        weight_(db, "UPDATE main.moves SET base_weight = ? WHERE position = ? AND move = ?"),
        move_(db,
              "INSERT INTO main.moves (position, move, base_weight, mark, note) "
              "VALUES (?, ?, ?, ?, ?) ON CONFLICT (position, move) DO UPDATE SET "
              "base_weight = excluded.base_weight, mark = excluded.mark, note = excluded.note") {}

  void Merge(const PackedPosition& packed, const SidePosition& here, const SidePosition& other,
             MergeCounts& counts) {
    counts.positions += !here.there();
    const bool decides = Decides(other, over_);
    decides_ |= decides;
    if (decides && here.id != 0) PutBehind(here, other);
    int64_t id = 0;
    if (other.id != 0) id = PositionId(packed, other.ply);
    for (const SideMove& move : other.moves) {
      const SideMove* const known = Find(here, move.move);
      counts.moves += known == nullptr;
      SideMove merged = move;
      if (known != nullptr) {
        if (!known->row && !move.row) continue;
        if (!decides) merged.weight = known->weight;
        if (!IsUsers(move.mark) && (!decides || IsUsers(known->mark))) merged.mark = known->mark;
        if (!merged.note.has_value()) merged.note = known->note;
      } else if (!move.row && move.arrives) {
        continue;
      }
      if (id == 0) id = PositionId(packed, other.ply);
      Put(id, merged);
    }
  }

  // True if "other" decided at any position; the blocks must then be rewritten.
  bool decides() const { return decides_; }

 private:
  int64_t PositionId(const PackedPosition& packed, int ply) {
    position_.reset();
    BindPacked(position_, 1, packed);
    position_.bind(2, ply);
    position_.executeStep();
    const int64_t id = position_.getColumn(0).getInt64();
    position_.reset();
    return id;
  }

  void PutBehind(const SidePosition& here, const SidePosition& other) {
    for (const SideMove& move : here.moves) {
      if (!move.row || Find(other, move.move) != nullptr) continue;
      weight_.reset();
      weight_.bind(1, Behind(other));
      weight_.bind(2, here.id);
      weight_.bind(3, static_cast<int>(move.move.raw()));
      weight_.exec();
    }
  }

  void Put(int64_t id, const SideMove& move) {
    move_.reset();
    move_.clearBindings();
    move_.bind(1, id);
    move_.bind(2, static_cast<int>(move.move.raw()));
    move_.bind(3, move.weight);
    move_.bind(4, move.mark);
    if (move.note.has_value()) move_.bind(5, *move.note);
    move_.exec();
  }

  const bool over_;
  SQLite::Statement position_;
  SQLite::Statement weight_;
  SQLite::Statement move_;
  bool decides_ = false;
};

// Sets the weights of moves in blocks where "other" decides.
absl::Status WeighBlocks(SQLite::Database& db, Side& others, bool over) {
  SidePosition other;
  return RewritePlayed(db, [&](int64_t, bool, PlayedPosition& position) -> absl::StatusOr<bool> {
    RETURN_IF_ERROR(others.Find(position.packed, other));
    if (!other.there() || !Decides(other, over)) return false;
    bool changed = false;
    for (PlayedMove& move : position.moves) {
      const SideMove* const known = Find(other, move.move);
      const int64_t weight = known != nullptr ? known->weight : Behind(other);
      const bool left_out = known != nullptr ? known->mark == kLeftOut : move.left_out;
      changed |= move.base_weight != weight || move.left_out != left_out;
      move.base_weight = weight;
      move.left_out = left_out;
    }
    return changed;
  });
}

// Copies the counts and values of the sources that are taken over.
void CopySources(SQLite::Database& db) {
  db.exec(
      "INSERT INTO main.played (source, professional, first, positions, moves, entries) "
      "SELECT s.new, p.professional, p.first, p.positions, p.moves, p.entries "
      "FROM source_map s JOIN other.played p ON p.source = s.old ORDER BY s.new, p.first");
  db.exec("CREATE TEMP TABLE position_map (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE)");
  db.exec(
      "INSERT INTO position_map SELECT o.position, m.position FROM other.positions o "
      "JOIN main.positions m ON m.packed = o.packed");
  db.exec(
      "INSERT INTO main.move_counts (position, move, source, professional, games, wins, draws, "
      "losses) SELECT p.new, c.move, s.new, c.professional, c.games, c.wins, c.draws, c.losses "
      "FROM other.move_counts c JOIN position_map p ON p.old = c.position "
      "JOIN source_map s ON s.old = c.source");
  db.exec(
      "INSERT INTO main.move_values (position, move, source, value, depth, count, ponder) "
      "SELECT p.new, v.move, s.new, v.value, v.depth, v.count, v.ponder "
      "FROM other.move_values v JOIN position_map p ON p.old = v.position "
      "JOIN source_map s ON s.old = v.source");
  db.exec(
      "INSERT OR IGNORE INTO main.imported_files (sha256, source) "
      "SELECT f.sha256, s.new FROM other.imported_files f JOIN source_map s ON s.old = f.source");
}

// Step 1: merge rows, position by position. Step 2: copy the blocks and rows of the sources. Step
// 3: set the weights in the blocks where the added book decides.
absl::Status CopyBook(SQLite::Database& db, const std::string& from, const MergeRules& rules,
                      MergeCounts& counts) {
  ASSIGN_OR_RETURN(std::set<int64_t> taken, MapSources(db, from, rules, counts));
  Side others(db, "other", std::move(taken));
  RowMerge rows(db, rules.over);
  {
    Side here(db, "main", {});
    OtherPositions positions(db, from);
    RETURN_IF_ERROR(positions.Begin());
    PackedPosition packed;
    SidePosition known;
    SidePosition other;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, positions.Next(packed));
      if (!more) break;
      RETURN_IF_ERROR(here.Find(packed, known));
      RETURN_IF_ERROR(others.Find(packed, other));
      rows.Merge(packed, known, other, counts);
    }
  }
  CopySources(db);
  if (!rows.decides()) return absl::OkStatus();
  return WeighBlocks(db, others, rules.over);
}

void Attach(SQLite::Database& db, const std::string& file) {
  SQLite::Statement attach(db, "ATTACH ? AS other");
  attach.bind(1, file);
  attach.exec();
}

}  // namespace

absl::StatusOr<MergeCounts> MergeBook(Store& to, const std::string& from, const MergeRules& rules) {
  // Opening checks that the file is a book of this game, and migrates an older version.
  RETURN_IF_ERROR(Store::Open(from, OpenMode::kReadOnly, to.game()).status());
  return GuardSql(to.path(), [&]() -> absl::StatusOr<MergeCounts> {
    SQLite::Database& db = to.db();
    const auto detach = absl::MakeCleanup([&db] {
      db.tryExec("DROP TABLE IF EXISTS temp.source_map");
      db.tryExec("DROP TABLE IF EXISTS temp.position_map");
      db.tryExec("DETACH other");
    });
    Attach(db, from);
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    MergeCounts counts;
    RETURN_IF_ERROR(CopyBook(db, from, rules, counts));
    transaction.commit();
    return counts;
  });
}

absl::Status SetBaseWeights(Store& store, const BaseWeights& weights) {
  return GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Transaction transaction(store.db(), SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement update(store.db(),
                             "UPDATE moves SET base_weight = ? WHERE move = ? AND position = "
                             "(SELECT position FROM positions WHERE packed = ?)");
    for (const auto& [packed, moves] : weights) {
      for (const auto& [move, weight] : moves) {
        update.reset();
        update.bind(1, weight);
        update.bind(2, static_cast<int>(move.raw()));
        update.bind(3, packed.bytes.data(), static_cast<int>(packed.bytes.size()));
        update.exec();
      }
    }
    transaction.commit();
    return absl::OkStatus();
  });
}

}  // namespace joseki::book
