#include "coordinator/store/archive_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/sql.h"
#include "book/database/zstd.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kMostText = uint64_t{4} << 30;

absl::Status OtherGames(const book::Store& store, const ArchiveRow& row) {
  return MakeProblem(
      {.code = "other_games",
       .file = store.path(),
       .found = absl::StrCat("other games from ", row.first_seq, " to ", row.last_seq),
       .expected = absl::StrCat("the ", row.totals.games, " of ", row.file)},
      absl::StatusCode::kFailedPrecondition);
}

// Compares the columns of the table; other members are in no file either.
bool SameColumns(const GameRow& a, const GameRow& b) {
  const auto columns = [](const GameRow& game) {
    return std::tie(game.run, game.lease, game.slot, game.commit_seq, game.stage, game.worker,
                    game.payload_hash, game.moves_hash, game.book_plies, game.ending.result,
                    game.ending.termination, game.stale, game.nodes, game.think_ms,
                    game.accepted_ms, game.moves, game.fault, game.scores, game.resign_check);
  };
  return columns(a) == columns(b);
}

void SetDropped(SQLite::Database& db, const ArchiveRow& row, bool dropped) {
  SQLite::Statement update(db, "UPDATE archives SET dropped = ? WHERE archive = ?");
  Use(update).Bind(dropped, row.archive).Run();
}

}  // namespace

std::string ArchiveFolder(const std::string& book) { return book + ".archives"; }

absl::Status InsertArchive(book::Store& store, const ArchiveRow& row) {
  return book::GuardSql(store.path(), [&] {
    SQLite::Statement insert(store.db(),
                             "INSERT INTO archives (run, first_seq, last_seq, games, first_wins,"
                             " second_wins, draws, faults, plies, file, sha256, bytes)"
                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const ArchiveTotals& totals = row.totals;
    Use(insert)
        .Bind(row.run, row.first_seq, row.last_seq, totals.games, totals.first_wins,
              totals.second_wins, totals.draws, totals.faults, totals.plies, row.file,
              BytesOf(row.sha256), row.bytes)
        .Run();
  });
}

absl::StatusOr<std::vector<ArchiveRow>> ReadArchives(book::Store& store, RunId run) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<std::vector<ArchiveRow>> {
    SQLite::Statement select(store.db(),
                             "SELECT archive, first_seq, last_seq, games, first_wins, second_wins,"
                             " draws, faults, plies, file, sha256, bytes, dropped FROM archives"
                             " WHERE run = ? ORDER BY first_seq");
    Use use(select);
    use.Bind(run);
    std::vector<ArchiveRow> rows;
    while (use.Step()) {
      ArchiveRow row;
      row.archive = use.Int(0);
      row.run = run;
      row.first_seq = use.Unsigned(1);
      row.last_seq = use.Unsigned(2);
      row.totals = {use.Unsigned(3), use.Unsigned(4), use.Unsigned(5),
                    use.Unsigned(6), use.Unsigned(7), use.Unsigned(8)};
      row.file = use.Text(9);
      const std::string_view sha256 = use.Blob(10);
      if (sha256.size() != row.sha256.size()) {
        return DataLoss(absl::StrCat(sha256.size(), " bytes of SHA-256"), "32");
      }
      std::copy(sha256.begin(), sha256.end(), row.sha256.begin());
      row.bytes = use.Unsigned(11);
      row.dropped = use.Int(12) != 0;
      rows.push_back(std::move(row));
    }
    return rows;
  });
}

absl::StatusOr<uint64_t> CountDropped(book::Store& store) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<uint64_t> {
    SQLite::Statement select(store.db(),
                             "SELECT COALESCE(SUM(games), 0) FROM archives WHERE dropped");
    Use use(select);
    use.Step();
    return use.Unsigned(0);
  });
}

absl::StatusOr<std::vector<GameRow>> ReadArchivedGames(const book::Store& store,
                                                       const ArchiveRow& row) {
  const std::string path = absl::StrCat(ArchiveFolder(store.path()), "/", row.file);
  const auto other = [&path](std::string found, std::string expected) {
    return MakeProblem({.code = "bad_archive",
                        .file = path,
                        .found = std::move(found),
                        .expected = std::move(expected)},
                       absl::StatusCode::kDataLoss);
  };
  // A name from a database must not lead to another folder.
  if (std::filesystem::path(row.file).filename() != row.file) {
    return other(Quote(row.file), "the name of a file without a folder");
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return MakeProblem({.code = "archive_missing",
                        .file = path,
                        .found = "no such file",
                        .expected = absl::StrCat("the archive of games ", row.first_seq, " to ",
                                                 row.last_seq, " of run ", row.run)},
                       absl::StatusCode::kNotFound);
  }
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  if (const Sha256 hash = Sha256Of(bytes); hash != row.sha256) {
    return other(absl::StrCat("SHA-256 ", Hex(hash)), Hex(row.sha256));
  }
  ASSIGN_OR_RETURN(const std::string text, book::Decompress(bytes, kMostText, path));
  ASSIGN_OR_RETURN(ArchiveText archive, ParseArchive(text, path));
  if (archive.totals != row.totals || archive.run != row.run || archive.games.empty() ||
      archive.games.front().commit_seq != row.first_seq ||
      archive.games.back().commit_seq != row.last_seq) {
    return other("other games", "those that its seal in the book names");
  }
  return std::move(archive.games);
}

absl::Status DropGames(book::Store& store, const ArchiveRow& row,
                       const std::vector<GameRow>& games) {
  SQLite::Database& db = store.db();
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    size_t next = 0;
    bool same = true;
    RETURN_IF_ERROR(ForEachStoredGame(store, row.run, row.first_seq - 1, [&](const GameRow& game) {
      if (game.commit_seq > row.last_seq) return absl::CancelledError();
      same = same && next < games.size() && SameColumns(game, games[next]);
      ++next;
      return same ? absl::OkStatus() : absl::CancelledError();
    }));
    if (!same || next != games.size()) return OtherGames(store, row);
    SQLite::Statement keep(
        db,
        "INSERT INTO archived_games (run, lease, slot, commit_seq, worker, payload_hash,"
        " moves_hash, result, termination, nodes)"
        " SELECT run, lease, slot, commit_seq, worker, payload_hash, moves_hash, result,"
        " termination, nodes FROM games WHERE run = ? AND commit_seq BETWEEN ? AND ?");
    SQLite::Statement drop(db, "DELETE FROM games WHERE run = ? AND commit_seq BETWEEN ? AND ?");
    for (SQLite::Statement* const statement : {&keep, &drop}) {
      const int changed = Use(*statement).Bind(row.run, row.first_seq, row.last_seq).Run();
      if (static_cast<uint64_t>(changed) != row.totals.games) return OtherGames(store, row);
    }
    SetDropped(db, row, true);
    transaction.commit();
    return absl::OkStatus();
  });
}

absl::Status PutGamesBack(book::Store& store, const ArchiveRow& row,
                          const std::vector<GameRow>& games) {
  SQLite::Database& db = store.db();
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement gone(
        db, "DELETE FROM archived_games WHERE run = ? AND commit_seq BETWEEN ? AND ?");
    const int changed = Use(gone).Bind(row.run, row.first_seq, row.last_seq).Run();
    if (static_cast<uint64_t>(changed) != games.size()) return OtherGames(store, row);
    Statements statements(store);
    GameRows rows(statements);
    for (const GameRow& game : games) {
      ASSIGN_OR_RETURN(const Inserted insert, rows.Insert(game));
      if (insert != Inserted::kNew) return OtherGames(store, row);
    }
    SetDropped(db, row, false);
    transaction.commit();
    return absl::OkStatus();
  });
}

absl::Status Shrink(book::Store& store) {
  return book::GuardSql(store.path(), [&] {
    store.db().exec("VACUUM");
    store.db().exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
}

}  // namespace joseki::coordinator
