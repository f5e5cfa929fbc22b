#include "coordinator/store/book_merge.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/played_table.h"
#include "coordinator/store/sql.h"

namespace joseki::coordinator {
namespace {

// Everything below sees the book that is added as the database "other".

// The rows of a source as text, in the order of positions and moves: equal for equal content.
Sha256 ContentOf(SQLite::Database& db, const std::string& schema, int64_t source) {
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
  return hash.Finish();
}

// How many files of a source of "other" there are, and how many of them are in the book.
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

// Whether the book has a source like this one of "other", whose files are not known.
bool HasTwin(SQLite::Database& db, int64_t source) {
  SQLite::Statement like(
      db,
      "SELECT m.source FROM main.sources m JOIN other.sources o USING (kind, name, options, "
      "games, rejected, added_at) WHERE o.source = ?");
  like.bind(1, source);
  std::vector<int64_t> candidates;
  while (like.executeStep()) candidates.push_back(like.getColumn(0).getInt64());
  if (candidates.empty()) return false;
  const Sha256 content = ContentOf(db, "other", source);
  for (const int64_t candidate : candidates) {
    if (ContentOf(db, "main", candidate) == content) return true;
  }
  return false;
}

int64_t Count(SQLite::Database& db, const char* table) {
  return db.execAndGet(absl::StrCat("SELECT count(*) FROM ", table)).getInt64();
}

// Fills temp.source_map with the sources to take over, under the numbers that they get.
absl::Status MapSources(SQLite::Database& db, const std::string& from, const MergeRules& rules,
                        MergeCounts& counts) {
  db.exec("CREATE TEMP TABLE source_map (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)");
  std::vector<int64_t> sources;
  {
    SQLite::Statement row(db, "SELECT source FROM other.sources ORDER BY source");
    while (row.executeStep()) sources.push_back(row.getColumn(0).getInt64());
  }
  // Files of one source of "other" do not count as known to the next.
  std::vector<int64_t> taken;
  for (const int64_t source : sources) {
    const FileCounts files = FilesOf(db, source);
    const bool known =
        files.all > 0 ? files.known == files.all && !rules.again : HasTwin(db, source);
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
  return absl::OkStatus();
}

// In this order; a "?" is MergeRules::over.
constexpr const char* kSteps[] = {
    "INSERT INTO main.positions (packed, ply) SELECT packed, ply FROM other.positions "
    "WHERE true ORDER BY packed ON CONFLICT (packed) DO UPDATE SET ply = min(ply, excluded.ply)",

    // `decides`: the weights there are those of "other"; `lowest`: where its own end.
    "CREATE TEMP TABLE position_map (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE, "
    "decides INTEGER NOT NULL, lowest INTEGER NOT NULL)",
    "INSERT INTO position_map "
    "SELECT o.position, m.position, max(?, w.base_weight <> 0 OR w.mark = 3), "
    "min(0, min(w.base_weight)) FROM other.positions o "
    "JOIN main.positions m ON m.packed = o.packed JOIN other.moves w ON w.position = o.position "
    "GROUP BY o.position",

    "UPDATE main.moves SET base_weight = (SELECT lowest - 1 FROM position_map "
    "WHERE new = position) WHERE position IN (SELECT new FROM position_map WHERE decides)",

    "INSERT INTO main.moves (position, move, base_weight, mark, note) "
    "SELECT new, move, base_weight, mark + 4 * decides, note FROM other.moves "
    "JOIN position_map ON old = position WHERE true "
    "ON CONFLICT (position, move) DO UPDATE SET "
    "base_weight = CASE WHEN excluded.mark >= 4 THEN excluded.base_weight ELSE base_weight END, "
    "mark = CASE WHEN excluded.mark & 3 IN (1, 2) OR excluded.mark >= 4 AND mark NOT IN (1, 2) "
    "THEN excluded.mark & 3 ELSE mark END, "
    "note = coalesce(excluded.note, note)",
    "UPDATE main.moves SET mark = mark & 3 WHERE mark > 3",

    "INSERT INTO main.move_counts (position, move, source, professional, games, wins, draws, "
    "losses) SELECT p.new, c.move, s.new, c.professional, c.games, c.wins, c.draws, c.losses "
    "FROM other.move_counts c JOIN position_map p ON p.old = c.position "
    "JOIN source_map s ON s.old = c.source",
    "INSERT INTO main.move_values (position, move, source, value, depth, count, ponder) "
    "SELECT p.new, v.move, s.new, v.value, v.depth, v.count, v.ponder "
    "FROM other.move_values v JOIN position_map p ON p.old = v.position "
    "JOIN source_map s ON s.old = v.source",
    "INSERT OR IGNORE INTO main.imported_files (sha256, source) "
    "SELECT f.sha256, s.new FROM other.imported_files f JOIN source_map s ON s.old = f.source",
};

void CopyBook(SQLite::Database& db, bool over) {
  for (const char* step : kSteps) {
    SQLite::Statement statement(db, step);
    if (std::string_view(step).find('?') != std::string_view::npos) statement.bind(1, over ? 1 : 0);
    statement.exec();
  }
}

void Attach(SQLite::Database& db, const std::string& file, const char* name) {
  SQLite::Statement attach(db, absl::StrCat("ATTACH ? AS ", name));
  attach.bind(1, file);
  attach.exec();
}

// Fills "other", a database of its own that is gone with the connection, with the book "blocks",
// all of it as rows.
absl::Status CopyAsRows(SQLite::Database& db) {
  db.exec(R"sql(
    CREATE TABLE other.positions (
      position INTEGER PRIMARY KEY, packed BLOB NOT NULL UNIQUE, ply INTEGER NOT NULL);
    CREATE TABLE other.moves (
      position INTEGER NOT NULL, move INTEGER NOT NULL, base_weight INTEGER NOT NULL DEFAULT 0,
      mark INTEGER NOT NULL DEFAULT 0, note TEXT, PRIMARY KEY (position, move)) WITHOUT ROWID;
    CREATE TABLE other.sources (
      source INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, options TEXT NOT NULL,
      games INTEGER NOT NULL, rejected INTEGER NOT NULL, added_at TEXT NOT NULL);
    CREATE TABLE other.move_counts (
      position INTEGER NOT NULL, move INTEGER NOT NULL, source INTEGER NOT NULL,
      professional INTEGER NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
      draws INTEGER NOT NULL, losses INTEGER NOT NULL,
      PRIMARY KEY (position, move, source, professional)) WITHOUT ROWID;
    CREATE TABLE other.move_values (
      position INTEGER NOT NULL, move INTEGER NOT NULL, source INTEGER NOT NULL, value INTEGER,
      depth INTEGER, count INTEGER NOT NULL, ponder INTEGER NOT NULL,
      PRIMARY KEY (position, move, source)) WITHOUT ROWID;
    CREATE TABLE other.imported_files (
      sha256 BLOB NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (sha256, source)) WITHOUT ROWID;
  )sql");
  for (const char* table :
       {"positions", "moves", "sources", "move_counts", "move_values", "imported_files"}) {
    db.exec(absl::StrCat("INSERT INTO other.", table, " SELECT * FROM blocks.", table));
  }
  return UnpackPlayed(db, "blocks", "other");
}

// Rows for what the book itself has in blocks.
absl::Status UnpackOwn(SQLite::Database& db) {
  RETURN_IF_ERROR(UnpackPlayed(db, "main", "main"));
  db.exec("DELETE FROM main.played");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MergeCounts> MergeBook(Store& to, const std::string& from, const MergeRules& rules) {
  // Whether it is a book, of which version; an older one is migrated.
  RETURN_IF_ERROR(Store::Open(from, OpenMode::kReadOnly).status());
  return GuardSql(to.path(), [&]() -> absl::StatusOr<MergeCounts> {
    SQLite::Database& db = to.db();
    const auto detach = absl::MakeCleanup([&db] {
      db.tryExec("DROP TABLE IF EXISTS temp.source_map");
      db.tryExec("DROP TABLE IF EXISTS temp.position_map");
      db.tryExec("DETACH other");
      db.tryExec("DETACH blocks");
    });
    Attach(db, from, "other");
    const bool has_blocks = !PlayedSources(db, "other").empty();
    if (has_blocks) {
      db.exec("DETACH other");
      Attach(db, from, "blocks");
      Attach(db, "", "other");
    }
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    MergeCounts counts;
    if (has_blocks) RETURN_IF_ERROR(CopyAsRows(db));
    RETURN_IF_ERROR(UnpackOwn(db));
    const int64_t positions = Count(db, "main.positions");
    const int64_t moves = Count(db, "main.moves");
    RETURN_IF_ERROR(MapSources(db, from, rules, counts));
    CopyBook(db, rules.over);
    counts.positions = Count(db, "main.positions") - positions;
    counts.moves = Count(db, "main.moves") - moves;
    transaction.commit();
    return counts;
  });
}

absl::Status SetBaseWeights(Store& store, const BaseWeights& weights) {
  return GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Transaction transaction(store.db(), SQLite::TransactionBehavior::IMMEDIATE);
    RETURN_IF_ERROR(UnpackOwn(store.db()));
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

}  // namespace joseki::coordinator
