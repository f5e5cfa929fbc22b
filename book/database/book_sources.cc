#include "book/database/book_sources.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <map>
#include <utility>

#include "base/status_macros.h"
#include "book/database/played_table.h"
#include "book/database/sql.h"

namespace joseki::book {

absl::StatusOr<std::vector<MoveSource>> SourcesOfPosition(Store& store,
                                                          const PackedPosition& position) {
  return GuardSql(store.path(), [&]() -> absl::StatusOr<std::vector<MoveSource>> {
    std::map<std::pair<Move, int64_t>, MoveSource> found;
    const auto each = [&](const char* sql, const auto& fill) {
      SQLite::Statement row(store.db(), sql);
      row.bind(1, position.bytes.data(), static_cast<int>(position.bytes.size()));
      while (row.executeStep()) {
        const Move move(static_cast<uint16_t>(row.getColumn(0).getInt()));
        const int64_t source = row.getColumn(1).getInt64();
        MoveSource& entry = found[{move, source}];
        entry.move = move;
        entry.source = source;
        entry.kind = row.getColumn(2).getString();
        entry.name = row.getColumn(3).getString();
        fill(row, entry);
      }
    };
    each(
        "SELECT move, source, kind, name, move_counts.games, wins, draws, losses FROM move_counts "
        "JOIN sources USING (source) WHERE position = "
        "(SELECT position FROM positions WHERE packed = ?)",
        [](SQLite::Statement& row, MoveSource& entry) {
          entry.counts.Add({row.getColumn(4).getInt64(), row.getColumn(5).getInt64(),
                            row.getColumn(6).getInt64(), row.getColumn(7).getInt64()});
        });
    each(
        "SELECT move, source, kind, name, value, depth, count FROM move_values "
        "JOIN sources USING (source) WHERE position = "
        "(SELECT position FROM positions WHERE packed = ?)",
        [](SQLite::Statement& row, MoveSource& entry) {
          if (!row.getColumn(4).isNull()) entry.value = row.getColumn(4).getInt();
          if (!row.getColumn(5).isNull()) entry.depth = row.getColumn(5).getInt();
          entry.count = row.getColumn(6).getInt64();
        });
    SQLite::Statement named(store.db(), "SELECT kind, name FROM sources WHERE source = ?");
    RETURN_IF_ERROR(PlayedLookup(store.db())
                        .Find(position, [&](int64_t source, bool, const PlayedPosition& played) {
                          named.reset();
                          named.bind(1, source);
                          if (!named.executeStep()) return;
                          for (const PlayedMove& move : played.moves) {
                            MoveSource& entry = found[{move.move, source}];
                            entry.move = move.move;
                            entry.source = source;
                            entry.kind = named.getColumn(0).getString();
                            entry.name = named.getColumn(1).getString();
                            entry.counts.Add(move.counts);
                          }
                        }));
    std::vector<MoveSource> sources;
    for (auto& [key, entry] : found) sources.push_back(std::move(entry));
    return sources;
  });
}

}  // namespace joseki::book
