#include "book/database/book_prune.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <cstring>

#include "base/status_macros.h"
#include "book/database/played_table.h"
#include "book/database/sql.h"

namespace joseki::book {
namespace {

// Number of distinct positions of `moves` that are in the book.
absl::StatusOr<int64_t> HowManyThere(Store& store, const std::set<MoveOfPosition>& moves) {
  PlayedLookup played(store.db());
  SQLite::Statement row(store.db(), "SELECT 1 FROM positions WHERE packed = ?");
  int64_t there = 0;
  const PackedPosition* last = nullptr;
  for (const auto& [packed, move] : moves) {
    if (last != nullptr && *last == packed) continue;
    last = &packed;
    row.reset();
    row.bind(1, packed.bytes.data(), static_cast<int>(packed.bytes.size()));
    bool found = row.executeStep();
    RETURN_IF_ERROR(
        played.Find(packed, [&found](int64_t, bool, const PlayedPosition&) { found = true; }));
    there += found;
  }
  return there;
}

}  // namespace

absl::StatusOr<std::set<MoveOfPosition>> EditedMoves(Store& store) {
  return GuardSql(store.path(), [&]() -> absl::StatusOr<std::set<MoveOfPosition>> {
    std::set<MoveOfPosition> moves;
    SQLite::Statement row(
        store.db(),
        "SELECT packed, move FROM move_values JOIN positions USING (position) "
        "JOIN sources USING (source) WHERE kind = 'edit' AND length(packed) = 32");
    while (row.executeStep()) {
      MoveOfPosition move;
      std::memcpy(move.first.bytes.data(), row.getColumn(0).getBlob(), move.first.bytes.size());
      move.second = Move(static_cast<uint16_t>(row.getColumn(1).getInt()));
      moves.insert(move);
    }
    return moves;
  });
}

absl::StatusOr<int64_t> DeleteMoves(Store& store, const std::vector<MoveOfPosition>& moves) {
  return GuardSql(store.path(), [&]() -> absl::StatusOr<int64_t> {
    SQLite::Database& db = store.db();
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    const std::set<MoveOfPosition> unwanted(moves.begin(), moves.end());
    ASSIGN_OR_RETURN(const int64_t before, HowManyThere(store, unwanted));
    SQLite::Statement find(db, "SELECT position FROM positions WHERE packed = ?");
    SQLite::Statement counts(db, "DELETE FROM move_counts WHERE position = ? AND move = ?");
    SQLite::Statement values(db, "DELETE FROM move_values WHERE position = ? AND move = ?");
    SQLite::Statement remove(db, "DELETE FROM moves WHERE position = ? AND move = ?");
    for (const auto& [packed, move] : unwanted) {
      find.reset();
      find.bind(1, packed.bytes.data(), static_cast<int>(packed.bytes.size()));
      if (!find.executeStep()) continue;
      const int64_t position = find.getColumn(0).getInt64();
      for (SQLite::Statement* statement : {&counts, &values, &remove}) {
        statement->reset();
        statement->bind(1, position);
        statement->bind(2, static_cast<int>(move.raw()));
        statement->exec();
      }
    }
    find.reset();
    db.exec("DELETE FROM positions WHERE position NOT IN (SELECT position FROM moves)");
    RETURN_IF_ERROR(
        RewritePlayed(db, [&](int64_t, bool, PlayedPosition& position) -> absl::StatusOr<bool> {
          return std::erase_if(position.moves, [&](const PlayedMove& move) {
                   return unwanted.contains({position.packed, move.move});
                 }) > 0;
        }));
    ASSIGN_OR_RETURN(const int64_t after, HowManyThere(store, unwanted));
    transaction.commit();
    return before - after;
  });
}

}  // namespace joseki::book
