#include "coordinator/store/match_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "book/database/sql.h"

namespace joseki::coordinator {
namespace {

using Uses = std::array<book::SideUse, 2>;

void BindKey(SQLite::Statement& statement, const GameRow& game) {
  statement.bind(1, static_cast<int64_t>(game.run));
  statement.bind(2, static_cast<int64_t>(game.lease));
  statement.bind(3, static_cast<int64_t>(game.slot));
}

}  // namespace

absl::Status InsertMatchUse(book::Store& store, const GameRow& game) {
  if (game.used == Uses()) return absl::OkStatus();
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Statement insert(store.db(),
                             "INSERT INTO match_uses (run, lease, slot, a_moves, a_book_moves,"
                             " a_nodes, a_micros, b_moves, b_book_moves, b_nodes, b_micros)"
                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    BindKey(insert, game);
    int at = 4;
    for (const book::SideUse& side : game.used) {
      for (const uint64_t number : {side.moves, side.book_moves, side.nodes, side.micros}) {
        insert.bind(at++, static_cast<int64_t>(number));
      }
    }
    insert.exec();
    return absl::OkStatus();
  });
}

absl::StatusOr<Uses> ReadMatchUse(book::Store& store, const GameRow& game) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<Uses> {
    SQLite::Statement select(store.db(),
                             "SELECT a_moves, a_book_moves, a_nodes, a_micros, b_moves,"
                             " b_book_moves, b_nodes, b_micros FROM match_uses"
                             " WHERE run = ? AND lease = ? AND slot = ?");
    BindKey(select, game);
    Uses uses;
    if (!select.executeStep()) return uses;
    int at = 0;
    for (book::SideUse& side : uses) {
      for (uint64_t* const number : {&side.moves, &side.book_moves, &side.nodes, &side.micros}) {
        *number = static_cast<uint64_t>(select.getColumn(at++).getInt64());
      }
    }
    return uses;
  });
}

}  // namespace joseki::coordinator
