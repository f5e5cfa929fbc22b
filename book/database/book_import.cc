#include "book/database/book_import.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "book/database/book_rows.h"
#include "book/database/played_table.h"
#include "book/database/sql.h"

namespace joseki::book {

// The prepared statements of an import and their transaction. Members are in this order so that the
// statements are destroyed before the transaction is rolled back.
struct BookImport::Impl {
  Impl(Store& store_in, std::string kind_in, std::string name_in, std::string options_in)
      : store(store_in),
        kind(std::move(kind_in)),
        name(std::move(name_in)),
        options(std::move(options_in)) {}

  struct Open {
    explicit Open(SQLite::Database& db)
        : transaction(db, SQLite::TransactionBehavior::IMMEDIATE),
          add_position(db,
                       "INSERT INTO positions (packed, ply) VALUES (?, ?) ON CONFLICT (packed) "
                       "DO UPDATE SET ply = min(ply, excluded.ply) RETURNING position"),
          add_move(db,
                   "INSERT OR IGNORE INTO moves (position, move, base_weight, mark) "
                   "VALUES (?, ?, ?, ?)"),
          add_counts(db,
                     "INSERT INTO move_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                     "ON CONFLICT DO UPDATE SET games = games + excluded.games, "
                     "wins = wins + excluded.wins, draws = draws + excluded.draws, "
                     "losses = losses + excluded.losses"),
          add_value(
              db,
              "INSERT INTO move_values VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
              "count = min(count + excluded.count, 9007199254740991), "
              "value = iif(excluded.value IS NOT NULL AND coalesce(excluded.depth, -1) >= "
              "coalesce(depth, -1), excluded.value, value), "
              "depth = iif(excluded.value IS NOT NULL AND coalesce(excluded.depth, -1) >= "
              "coalesce(depth, -1), excluded.depth, depth), "
              "ponder = iif(excluded.ponder != 0 AND coalesce(excluded.depth, -1) >= "
              "coalesce(depth, -1), excluded.ponder, ponder)"),
          add_block(db, kAddPlayedBlock),
          has_position(db, "SELECT position FROM positions WHERE packed = ?"),
          has_move(db, "SELECT 1 FROM moves WHERE position = ? AND move = ?"),
          played(db) {}

    SQLite::Transaction transaction;
    SQLite::Statement add_position;
    SQLite::Statement add_move;
    SQLite::Statement add_counts;
    SQLite::Statement add_value;
    SQLite::Statement add_block;
    SQLite::Statement has_position;
    SQLite::Statement has_move;
    PlayedLookup played;
    bool was_empty = false;     // whether the book was empty when the import began
    bool has_blocks = false;    // whether this source has blocks
    bool blocks_known = false;  // whether `played` includes this source's blocks
    // Moves of the first source with a block at last_packed, ascending.
    std::vector<PlayedMove> played_here;
    int64_t source = 0;
    int64_t last_old_position = 0;  // positions with a greater id are new
    int64_t last_new_position = 0;
    PackedPosition last_packed;
    int last_ply = 0;
    int64_t last_position = 0;  // row id of last_packed; 0 before the first
    Totals totals;
  };

  Open& Begin() {
    if (open != nullptr) return *open;
    SQLite::Database& db = store.db();
    // A larger page cache: pages that do not fit go to the write-ahead log, once more with each
    // change.
    db.exec("PRAGMA cache_size = -32000");
    open = std::make_unique<Open>(db);
    open->last_old_position =
        db.execAndGet("SELECT coalesce(max(position), 0) FROM positions").getInt64();
    open->last_new_position = open->last_old_position;
    open->was_empty = open->last_old_position == 0 && open->played.empty();
    SQLite::Statement source(
        db,
        "INSERT INTO sources (kind, name, options, added_at) "
        "VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) RETURNING source");
    source.bind(1, kind);
    source.bind(2, name);
    source.bind(3, options);
    source.executeStep();
    open->source = source.getColumn(0).getInt64();
    return *open;
  }

  // Finds the moves that blocks have at a position; a move of several sources appears once.
  absl::Status FindPlayed(const PackedPosition& packed, std::vector<PlayedMove>& moves) {
    BookPosition all;
    RETURN_IF_ERROR(
        open->played.Find(packed, [&all](int64_t, bool, const PlayedPosition& position) {
          TakePlayed(position, false, all);
        }));
    moves.clear();
    for (const BookMove& move : all.moves) {
      moves.push_back(
          {.move = move.move, .base_weight = move.base_weight, .left_out = move.mark == kLeftOut});
    }
    return absl::OkStatus();
  }

  // Counts the positions and moves of a block that the book did not have before.
  absl::Status CountNew(const PlayedBlock& block) {
    Open& o = *open;
    if (o.was_empty) {
      o.totals.new_positions += block.positions;
      o.totals.new_moves += block.moves;
      return absl::OkStatus();
    }
    PlayedBlockReader reader(block.first, block.bytes);
    PlayedPosition position;
    std::vector<PlayedMove> known;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader.Next(position));
      if (!more) return absl::OkStatus();
      RETURN_IF_ERROR(FindPlayed(position.packed, known));
      o.has_position.reset();
      BindPacked(o.has_position, 1, position.packed);
      const bool row = o.has_position.executeStep();
      o.totals.new_positions += !row && known.empty();
      for (const PlayedMove& move : position.moves) {
        const bool played = Find(known, move.move) != nullptr;
        o.totals.new_moves +=
            !played && !(row && HasMove(o.has_position.getColumn(0).getInt64(), move.move));
      }
    }
  }

  bool HasMove(int64_t position, Move move) {
    open->has_move.reset();
    open->has_move.bind(1, position);
    open->has_move.bind(2, static_cast<int>(move.raw()));
    return open->has_move.executeStep();
  }

  static const PlayedMove* Find(const std::vector<PlayedMove>& moves, Move move) {
    for (const PlayedMove& other : moves) {
      if (other.move == move) return &other;
    }
    return nullptr;
  }

  // The row id of a position; inserts the position if it is new.
  absl::StatusOr<int64_t> PositionId(const PackedPosition& packed, int ply) {
    Open& o = Begin();
    if (o.last_position != 0 && packed == o.last_packed && ply >= o.last_ply)
      return o.last_position;
    if (!std::exchange(o.blocks_known, true) && o.has_blocks) o.played.AddSource(o.source);
    RETURN_IF_ERROR(FindPlayed(packed, o.played_here));
    o.add_position.reset();
    BindPacked(o.add_position, 1, packed);
    o.add_position.bind(2, ply);
    o.add_position.executeStep();
    const int64_t id = o.add_position.getColumn(0).getInt64();
    o.add_position.reset();
    if (id > o.last_new_position) {
      o.last_new_position = id;
      o.totals.new_positions += o.played_here.empty();
    }
    o.last_packed = packed;
    o.last_ply = ply;
    o.last_position = id;
    return id;
  }

  void AddMove(int64_t position, Move move) {
    Open& o = *open;
    const PlayedMove* const played = Find(o.played_here, move);
    o.add_move.reset();
    o.add_move.bind(1, position);
    o.add_move.bind(2, static_cast<int>(move.raw()));
    o.add_move.bind(3, played != nullptr ? played->base_weight : 0);
    o.add_move.bind(4, played != nullptr && played->left_out ? kLeftOut : 0);
    o.totals.new_moves += o.add_move.exec() > 0 && played == nullptr;
  }

  Store& store;
  const std::string kind;
  const std::string name;
  const std::string options;
  std::unique_ptr<Open> open;
};

BookImport::BookImport(Store& store, std::string kind, std::string name, std::string options_json)
    : impl_(std::make_unique<Impl>(store, std::move(kind), std::move(name),
                                   std::move(options_json))) {}

BookImport::~BookImport() = default;

absl::Status BookImport::AddBlock(const PlayedBlock& block, bool professional) {
  return GuardSql(impl_->store.path(), [&]() -> absl::Status {
    Impl::Open& open = impl_->Begin();
    RETURN_IF_ERROR(impl_->CountNew(block));
    AddPlayedBlock(open.add_block, open.source, professional, block);
    open.has_blocks = true;
    return absl::OkStatus();
  });
}

absl::Status BookImport::AddPlayed(const PackedPosition& position, int ply, Move move,
                                   bool professional, const MoveCounts& counts) {
  return GuardSql(impl_->store.path(), [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const int64_t id, impl_->PositionId(position, ply));
    impl_->AddMove(id, move);
    SQLite::Statement& add = impl_->open->add_counts;
    add.reset();
    add.bind(1, id);
    add.bind(2, static_cast<int>(move.raw()));
    add.bind(3, impl_->open->source);
    add.bind(4, professional ? 1 : 0);
    add.bind(5, counts.games);
    add.bind(6, counts.wins);
    add.bind(7, counts.draws);
    add.bind(8, counts.losses);
    add.exec();
    return absl::OkStatus();
  });
}

absl::Status BookImport::AddBook(const book::DbPosition& position) {
  return GuardSql(impl_->store.path(), [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const int64_t id, impl_->PositionId(position.packed, position.ply));
    for (const book::DbMove& move : position.moves) {
      impl_->AddMove(id, move.move);
      SQLite::Statement& add = impl_->open->add_value;
      add.reset();
      add.clearBindings();
      add.bind(1, id);
      add.bind(2, static_cast<int>(move.move.raw()));
      add.bind(3, impl_->open->source);
      if (move.has_value) add.bind(4, move.value);
      if (move.has_depth) add.bind(5, move.depth);
      add.bind(6, static_cast<int64_t>(move.count));
      add.bind(7, static_cast<int>(move.ponder.raw()));
      add.exec();
    }
    return absl::OkStatus();
  });
}

absl::Status BookImport::AddFile(const Sha256& content) {
  return GuardSql(impl_->store.path(), [&] {
    const int64_t source = impl_->Begin().source;
    SQLite::Statement add(impl_->store.db(),
                          "INSERT INTO imported_files VALUES (?, ?) ON CONFLICT DO NOTHING");
    add.bind(1, content.data(), static_cast<int>(content.size()));
    add.bind(2, source);
    add.exec();
  });
}

absl::StatusOr<BookImport::Totals> BookImport::Commit(int64_t games, int64_t rejected) {
  return GuardSql(impl_->store.path(), [&]() -> absl::StatusOr<Totals> {
    Impl::Open& open = impl_->Begin();
    SQLite::Statement update(impl_->store.db(),
                             "UPDATE sources SET games = ?, rejected = ? WHERE source = ?");
    update.bind(1, games);
    update.bind(2, rejected);
    update.bind(3, open.source);
    update.exec();
    open.transaction.commit();
    const Totals totals = open.totals;
    impl_->open.reset();
    return totals;
  });
}

}  // namespace joseki::book
