#include "coordinator/store/book_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/played_table.h"
#include "coordinator/store/sql.h"

namespace joseki::coordinator {
namespace {

constexpr int kForbidden = 2;
constexpr int kLeftOut = 3;

void BindPacked(SQLite::Statement& statement, int index, const PackedPosition& packed) {
  statement.bind(index, packed.bytes.data(), static_cast<int>(packed.bytes.size()));
}

absl::StatusOr<PackedPosition> PackedOf(const SQLite::Column& column, const std::string& file) {
  PackedPosition packed;
  if (column.getBytes() != static_cast<int>(packed.bytes.size())) {
    return MakeProblem({.code = "database_corrupt",
                        .file = file,
                        .found = absl::StrCat("a position of ", column.getBytes(), " bytes"),
                        .expected = absl::StrCat(packed.bytes.size(), " bytes")},
                       absl::StatusCode::kDataLoss);
  }
  std::memcpy(packed.bytes.data(), column.getBlob(), packed.bytes.size());
  return packed;
}

Move MoveAt(SQLite::Statement& row, int column) {
  return Move(static_cast<uint16_t>(row.getColumn(column).getInt()));
}

// Reads the moves of one position after the other with statements prepared once.
class MoveReader {
 public:
  explicit MoveReader(SQLite::Database& db)
      : moves_(db, "SELECT move, base_weight, mark, note FROM moves WHERE position = ?"),
        counts_(db,
                "SELECT move, professional, sum(games), sum(wins), sum(draws), sum(losses) "
                "FROM move_counts WHERE position = ? GROUP BY move, professional"),
        values_(db,
                "SELECT move, value, depth, count, ponder FROM move_values WHERE position = ? "
                "ORDER BY source") {}

  std::vector<BookMove> Read(int64_t position) {
    std::vector<BookMove> moves;
    for (Rewind(moves_, position); moves_.executeStep();) {
      BookMove& move = moves.emplace_back();
      move.move = MoveAt(moves_, 0);
      move.base_weight = moves_.getColumn(1).getInt64();
      move.mark = moves_.getColumn(2).getInt();
      move.note = moves_.getColumn(3).getString();
    }
    for (Rewind(counts_, position); counts_.executeStep();) {
      BookMove* move = Find(moves, MoveAt(counts_, 0));
      if (move == nullptr) continue;
      move->counts[counts_.getColumn(1).getInt() != 0 ? 1 : 0] = {
          counts_.getColumn(2).getInt64(), counts_.getColumn(3).getInt64(),
          counts_.getColumn(4).getInt64(), counts_.getColumn(5).getInt64()};
    }
    for (Rewind(values_, position); values_.executeStep();) {
      BookMove* move = Find(moves, MoveAt(values_, 0));
      if (move == nullptr) continue;
      if (!values_.getColumn(1).isNull()) {
        move->value = values_.getColumn(1).getInt();
        move->depth = values_.getColumn(2).getInt();
      }
      move->book_count += values_.getColumn(3).getInt64();
      if (const Move ponder = MoveAt(values_, 4)) move->ponder = ponder;
    }
    return moves;
  }

 private:
  static void Rewind(SQLite::Statement& statement, int64_t position) {
    statement.reset();
    statement.bind(1, position);
  }

  // `moves` is ascending: the primary key's order.
  static BookMove* Find(std::vector<BookMove>& moves, Move move) {
    const auto at =
        std::lower_bound(moves.begin(), moves.end(), move,
                         [](const BookMove& entry, Move wanted) { return entry.move < wanted; });
    return at != moves.end() && at->move == move ? &*at : nullptr;
  }

  SQLite::Statement moves_;
  SQLite::Statement counts_;
  SQLite::Statement values_;
};

// Adds what the games of one more source say; sources come in ascending order.
void TakePlayed(const PlayedPosition& played, bool professional, BookPosition& position) {
  position.ply = std::min(position.ply, played.ply);
  auto at = position.moves.begin();
  for (const PlayedMove& move : played.moves) {
    while (at != position.moves.end() && at->move < move.move) ++at;
    if (at == position.moves.end() || at->move != move.move) {
      at = position.moves.insert(at, BookMove());
      at->move = move.move;
      at->base_weight = move.base_weight;
      at->mark = move.left_out ? kLeftOut : 0;
    }
    at->counts[professional ? 1 : 0].Add(move.counts);
  }
}

constexpr int kNoPly = 0x10000;  // more than any

// Reads the book in order: its rows and its blocks together.
class BookScan {
 public:
  explicit BookScan(Store& store)
      : store_(store),
        rows_(store.db(), "SELECT position, packed, ply FROM positions ORDER BY packed"),
        moves_(store.db()),
        played_(store.db()) {}

  // False at the end.
  absl::StatusOr<bool> Next(BookPosition& position) {
    if (!begun_) {
      begun_ = true;
      RETURN_IF_ERROR(played_.Begin());
      RETURN_IF_ERROR(NextRow());
    }
    const PackedPosition* const played = played_.front();
    if (!row_ && played == nullptr) return false;
    const bool from_row = row_ && (played == nullptr || !(*played < packed_));
    const bool from_played = played != nullptr && (!row_ || !(packed_ < *played));
    position.packed = from_row ? packed_ : *played;
    position.ply = kNoPly;
    position.moves.clear();
    if (from_row) {
      position.ply = rows_.getColumn(2).getInt();
      position.moves = moves_.Read(rows_.getColumn(0).getInt64());
      RETURN_IF_ERROR(NextRow());
    }
    if (from_played) {
      RETURN_IF_ERROR(played_.Take([&position](const PlayedScan& scan) {
        TakePlayed(scan.position(), scan.professional(), position);
      }));
    }
    return true;
  }

 private:
  absl::Status NextRow() {
    row_ = rows_.executeStep();
    if (row_) {
      ASSIGN_OR_RETURN(packed_, PackedOf(rows_.getColumn(1), store_.path()));
    }
    return absl::OkStatus();
  }

  Store& store_;
  SQLite::Statement rows_;
  MoveReader moves_;
  PlayedMerge played_;
  PackedPosition packed_;  // of the row at hand
  bool row_ = false;       // there is one
  bool begun_ = false;
};

// Finds single positions, fastest in ascending order.
class BookLookup {
 public:
  explicit BookLookup(Store& store)
      : row_(store.db(), "SELECT position, ply FROM positions WHERE packed = ?"),
        moves_(store.db()),
        played_(store.db()) {}

  absl::StatusOr<std::optional<BookPosition>> Find(const PackedPosition& packed) {
    BookPosition position;
    position.packed = packed;
    position.ply = kNoPly;
    row_.reset();
    BindPacked(row_, 1, packed);
    if (row_.executeStep()) {
      position.ply = row_.getColumn(1).getInt();
      position.moves = moves_.Read(row_.getColumn(0).getInt64());
    }
    row_.reset();
    RETURN_IF_ERROR(
        played_.Find(packed, [&position](int64_t, bool professional, const PlayedPosition& played) {
          TakePlayed(played, professional, position);
        }));
    if (position.ply == kNoPly) return std::optional<BookPosition>();
    return std::optional<BookPosition>(std::move(position));
  }

  // The moves of a position that have rows, or stand in blocks of sources before `source`.
  absl::Status Before(int64_t source, const PackedPosition& packed, std::vector<Move>& moves) {
    row_.reset();
    BindPacked(row_, 1, packed);
    if (row_.executeStep()) {
      for (const BookMove& move : moves_.Read(row_.getColumn(0).getInt64())) {
        moves.push_back(move.move);
      }
    }
    row_.reset();
    return played_.Find(packed, [&](int64_t of, bool, const PlayedPosition& played) {
      if (of >= source) return;
      for (const PlayedMove& move : played.moves) moves.push_back(move.move);
    });
  }

 private:
  SQLite::Statement row_;
  MoveReader moves_;
  PlayedLookup played_;
};

// Gives a move that only blocks have a row of its own.
absl::Status MakeRow(Store& store, const PackedPosition& packed, Move move) {
  BookPosition played;
  played.ply = kNoPly;
  RETURN_IF_ERROR(
      PlayedLookup(store.db())
          .Find(packed, [&played](int64_t, bool professional, const PlayedPosition& position) {
            TakePlayed(position, professional, played);
          }));
  for (const BookMove& entry : played.moves) {
    if (entry.move != move) continue;
    SQLite::Statement position(store.db(),
                               "INSERT INTO positions (packed, ply) VALUES (?, ?) "
                               "ON CONFLICT (packed) DO NOTHING");
    BindPacked(position, 1, packed);
    position.bind(2, played.ply);
    position.exec();
    SQLite::Statement row(store.db(),
                          "INSERT OR IGNORE INTO moves (position, move, base_weight, mark) "
                          "SELECT position, ?, ?, ? FROM positions WHERE packed = ?");
    row.bind(1, static_cast<int>(move.raw()));
    row.bind(2, entry.base_weight);
    row.bind(3, entry.mark);
    BindPacked(row, 4, packed);
    row.exec();
  }
  return absl::OkStatus();
}

int64_t Number(Store& store, const char* sql) { return store.db().execAndGet(sql).getInt64(); }

// Positions and moves of rows that the blocks of one source have as well.
absl::StatusOr<std::pair<int64_t, int64_t>> InRowsToo(Store& store) {
  std::pair<int64_t, int64_t> both{0, 0};
  PlayedLookup played(store.db());
  SQLite::Statement rows(store.db(), "SELECT position, packed FROM positions ORDER BY packed");
  SQLite::Statement moves(store.db(), "SELECT move FROM moves WHERE position = ?");
  while (rows.executeStep()) {
    ASSIGN_OR_RETURN(const PackedPosition packed, PackedOf(rows.getColumn(1), store.path()));
    const int64_t id = rows.getColumn(0).getInt64();
    RETURN_IF_ERROR(played.Find(packed, [&](int64_t, bool, const PlayedPosition& position) {
      ++both.first;
      moves.reset();
      moves.bind(1, id);
      while (moves.executeStep()) {
        const Move move = MoveAt(moves, 0);
        both.second += std::any_of(position.moves.begin(), position.moves.end(),
                                   [move](const PlayedMove& other) { return other.move == move; });
      }
    }));
  }
  return both;
}

}  // namespace

// The statements of an import and the transaction that they stand in. Members in this order: the
// statements go before the transaction is rolled back.
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
          add_value(db,
                    "INSERT INTO move_values VALUES (?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET value = excluded.value, depth = excluded.depth, "
                    "count = excluded.count, ponder = excluded.ponder "
                    "WHERE coalesce(excluded.depth, -1) > coalesce(depth, -1)"),
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
    bool was_empty = false;               // the book, when the import began
    bool has_blocks = false;              // this source
    bool blocks_known = false;            // `played` has those of this source, too
    std::vector<PlayedMove> played_here;  // at last_packed, ascending: the first source's
    int64_t source = 0;
    int64_t last_old_position = 0;  // positions with a greater id are new
    int64_t last_new_position = 0;
    PackedPosition last_packed;
    int last_ply = 0;
    int64_t last_position = 0;  // the id of last_packed; 0 before the first
    Totals totals;
  };

  Open& Begin() {
    if (open != nullptr) return *open;
    SQLite::Database& db = store.db();
    // Pages that have no room go to the write-ahead log, and those that change again go once more.
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

  // What the blocks have at a position, moves of several sources once.
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

  // Counts what of a block was not in the book before.
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

  // The id of a position, which is put into the book if it is not there.
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

absl::StatusOr<BookTotals> BookStore::Totals() {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<BookTotals> {
    BookTotals totals;
    totals.games = Number(store_, "SELECT coalesce(sum(games), 0) FROM sources");
    totals.sources = Number(store_, "SELECT count(*) FROM sources");
    if (PlayedSources(store_.db()).size() > 1) {
      BookScan scan(store_);
      BookPosition position;
      for (;;) {
        ASSIGN_OR_RETURN(const bool more, scan.Next(position));
        if (!more) return totals;
        ++totals.positions;
        totals.moves += static_cast<int64_t>(position.moves.size());
      }
    }
    ASSIGN_OR_RETURN(const auto both, InRowsToo(store_));
    totals.positions = Number(store_, "SELECT count(*) FROM positions") - both.first +
                       Number(store_, "SELECT coalesce(sum(positions), 0) FROM played");
    totals.moves = Number(store_, "SELECT count(*) FROM moves") - both.second +
                   Number(store_, "SELECT coalesce(sum(moves), 0) FROM played");
    return totals;
  });
}

absl::StatusOr<std::vector<BookSource>> BookStore::Sources() {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<std::vector<BookSource>> {
    std::vector<BookSource> sources;
    SQLite::Statement row(store_.db(),
                          "SELECT kind, name, options, games, rejected, added_at FROM sources "
                          "ORDER BY source");
    while (row.executeStep()) {
      sources.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                         row.getColumn(2).getString(), row.getColumn(3).getInt64(),
                         row.getColumn(4).getInt64(), row.getColumn(5).getString()});
    }
    return sources;
  });
}

absl::StatusOr<absl::flat_hash_set<Sha256>> BookStore::ImportedFiles() {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<absl::flat_hash_set<Sha256>> {
    absl::flat_hash_set<Sha256> files;
    SQLite::Statement row(store_.db(), "SELECT sha256 FROM imported_files");
    while (row.executeStep()) {
      const std::string bytes = row.getColumn(0).getString();
      Sha256 content{};
      std::copy_n(bytes.begin(), std::min(bytes.size(), content.size()), content.begin());
      files.insert(content);
    }
    return files;
  });
}

absl::StatusOr<std::vector<std::string>> BookStore::Check() {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<std::vector<std::string>> {
    std::vector<std::string> problems;
    SQLite::Statement integrity(store_.db(), "PRAGMA integrity_check");
    while (integrity.executeStep()) {
      const std::string line = integrity.getColumn(0).getString();
      if (line != "ok") problems.push_back(line);
    }
    SQLite::Statement references(store_.db(), "PRAGMA foreign_key_check");
    while (references.executeStep()) {
      problems.push_back(absl::StrCat("a row of ", references.getColumn(0).getString(),
                                      " refers to a row of ", references.getColumn(2).getString(),
                                      " that is not there"));
    }
    struct Rule {
      const char* count;
      const char* words;
    };
    constexpr Rule kRules[] = {
        {"SELECT count(*) FROM move_counts WHERE min(games, wins, draws, losses) < 0 OR "
         "wins + draws + losses > games",
         "counts of moves that cannot be"},
        {"SELECT count(*) FROM move_counts LEFT JOIN moves USING (position, move) "
         "WHERE moves.position IS NULL",
         "counts of moves that are not in the book"},
        {"SELECT count(*) FROM move_values LEFT JOIN moves USING (position, move) "
         "WHERE moves.position IS NULL",
         "values of moves that are not in the book"},
        {"SELECT count(*) FROM positions WHERE length(packed) <> 32 OR ply < 1",
         "positions that cannot be"},
        {"SELECT count(*) FROM moves WHERE mark NOT BETWEEN 0 AND 3 OR move NOT BETWEEN 1 AND "
         "65535",
         "moves that cannot be"},
    };
    for (const Rule& rule : kRules) {
      const int64_t count = store_.db().execAndGet(rule.count).getInt64();
      if (count > 0) problems.push_back(absl::StrCat(count, " ", rule.words));
    }
    RETURN_IF_ERROR(CheckPlayed(store_.db(), problems));
    return problems;
  });
}

absl::Status BookStore::ForEach(const std::function<absl::Status(const BookPosition&)>& visit) {
  return GuardSql(store_.path(), [&]() -> absl::Status {
    SQLite::Transaction snapshot(store_.db());
    BookScan scan(store_);
    BookPosition position;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, scan.Next(position));
      if (!more) return absl::OkStatus();
      RETURN_IF_ERROR(visit(position));
    }
  });
}

absl::StatusOr<std::optional<BookPosition>> BookStore::Find(const PackedPosition& packed) {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<std::optional<BookPosition>> {
    return BookLookup(store_).Find(packed);
  });
}

absl::StatusOr<book::Graph> BookStore::LoadGraph(const Rules& rules) {
  std::vector<book::GraphInput> positions;
  RETURN_IF_ERROR(ForEach([&positions](const BookPosition& position) {
    book::GraphInput input{.packed = position.packed, .ply = position.ply, .moves = {}};
    for (const BookMove& move : position.moves) {
      if (move.mark < kForbidden) input.moves.push_back({move.move, move.base_weight});
    }
    if (!input.moves.empty()) positions.push_back(std::move(input));
    return absl::OkStatus();
  }));
  absl::StatusOr<book::Graph> graph = book::Graph::Build(rules, std::move(positions));
  if (!graph.ok()) return At(graph.status(), store_.path());
  return graph;
}

absl::StatusOr<BookStore::Weighed> BookStore::Weigh(
    const std::function<std::optional<int64_t>(const BookMove&)>& weigh) {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<Weighed> {
    SQLite::Transaction transaction(store_.db(), SQLite::TransactionBehavior::IMMEDIATE);
    Weighed weighed;
    const auto count = [&weighed](const std::optional<int64_t>& weight) {
      ++(weight.has_value() ? weighed.kept : weighed.left_out);
    };
    std::vector<std::pair<PackedPosition, int64_t>> rows;
    SQLite::Statement positions(store_.db(),
                                "SELECT packed, position FROM positions ORDER BY packed");
    while (positions.executeStep()) {
      ASSIGN_OR_RETURN(const PackedPosition packed,
                       PackedOf(positions.getColumn(0), store_.path()));
      rows.emplace_back(packed, positions.getColumn(1).getInt64());
    }
    BookLookup book(store_);
    SQLite::Statement update(
        store_.db(),
        "UPDATE moves SET base_weight = ?, mark = CASE WHEN mark IN (0, 3) THEN ? ELSE mark END "
        "WHERE position = ? AND move = ?");
    for (const auto& [packed, id] : rows) {
      ASSIGN_OR_RETURN(const std::optional<BookPosition> position, book.Find(packed));
      if (!position.has_value()) continue;  // it is there: its row is
      for (const BookMove& move : position->moves) {
        const std::optional<int64_t> weight = weigh(move);
        update.reset();
        update.bind(1, weight.value_or(0));
        update.bind(2, weight.has_value() ? 0 : kLeftOut);
        update.bind(3, id);
        update.bind(4, static_cast<int>(move.move.raw()));
        if (update.exec() > 0) count(weight);
      }
    }
    // A move of several sources gets the same weight in each. What is looked up while blocks change
    // is counts, which do not.
    const bool alone = rows.empty() && PlayedSources(store_.db()).size() == 1;
    std::vector<Move> counted;
    const absl::Status rewritten = RewritePlayed(
        store_.db(),
        [&](int64_t source, bool professional, PlayedPosition& played) -> absl::StatusOr<bool> {
          BookPosition position;
          counted.clear();
          if (alone) {
            TakePlayed(played, professional, position);
          } else {
            ASSIGN_OR_RETURN(std::optional<BookPosition> found, book.Find(played.packed));
            if (found.has_value()) position = *std::move(found);  // it is there: this block has it
            RETURN_IF_ERROR(book.Before(source, played.packed, counted));
          }
          bool changed = false;
          auto at = position.moves.begin();
          for (PlayedMove& move : played.moves) {
            while (at->move < move.move) ++at;
            const std::optional<int64_t> weight = weigh(*at);
            changed |=
                move.base_weight != weight.value_or(0) || move.left_out == weight.has_value();
            move.base_weight = weight.value_or(0);
            move.left_out = !weight.has_value();
            if (std::find(counted.begin(), counted.end(), move.move) == counted.end()) {
              count(weight);
            }
          }
          return changed;
        });
    RETURN_IF_ERROR(rewritten);
    transaction.commit();
    return weighed;
  });
}

absl::StatusOr<std::vector<MarkedMove>> BookStore::Marks() {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<std::vector<MarkedMove>> {
    std::vector<MarkedMove> marks;
    SQLite::Statement row(store_.db(),
                          "SELECT packed, move, mark FROM moves JOIN positions USING (position) "
                          "WHERE mark IN (1, 2) ORDER BY position, move");
    while (row.executeStep()) {
      MarkedMove& marked = marks.emplace_back();
      ASSIGN_OR_RETURN(marked.position, PackedOf(row.getColumn(0), store_.path()));
      marked.move = MoveAt(row, 1);
      marked.mark = row.getColumn(2).getInt();
    }
    return marks;
  });
}

absl::Status BookStore::Mark(const PackedPosition& position, Move move, int mark,
                             const std::string& note) {
  return GuardSql(store_.path(), [&]() -> absl::Status {
    SQLite::Transaction transaction(store_.db(), SQLite::TransactionBehavior::IMMEDIATE);
    RETURN_IF_ERROR(MakeRow(store_, position, move));
    SQLite::Statement update(store_.db(),
                             "UPDATE moves SET mark = ?, note = nullif(?, '') WHERE move = ? AND "
                             "position = (SELECT position FROM positions WHERE packed = ?)");
    update.bind(1, mark);
    update.bind(2, note);
    update.bind(3, static_cast<int>(move.raw()));
    BindPacked(update, 4, position);
    if (update.exec() == 0) {
      return MakeProblem({.code = "not_in_book",
                          .file = store_.path(),
                          .found = "a move that the book does not have there",
                          .expected = "a book move of a book position"},
                         absl::StatusCode::kNotFound);
    }
    transaction.commit();
    return absl::OkStatus();
  });
}

}  // namespace joseki::coordinator
