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
          add_move(db, "INSERT OR IGNORE INTO moves (position, move) VALUES (?, ?)"),
          add_counts(db,
                     "INSERT INTO move_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                     "ON CONFLICT DO UPDATE SET games = games + excluded.games, "
                     "wins = wins + excluded.wins, draws = draws + excluded.draws, "
                     "losses = losses + excluded.losses"),
          add_value(db,
                    "INSERT INTO move_values VALUES (?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET value = excluded.value, depth = excluded.depth, "
                    "count = excluded.count, ponder = excluded.ponder "
                    "WHERE coalesce(excluded.depth, -1) > coalesce(depth, -1)") {}

    SQLite::Transaction transaction;
    SQLite::Statement add_position;
    SQLite::Statement add_move;
    SQLite::Statement add_counts;
    SQLite::Statement add_value;
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
    open = std::make_unique<Open>(db);
    open->last_old_position =
        db.execAndGet("SELECT coalesce(max(position), 0) FROM positions").getInt64();
    open->last_new_position = open->last_old_position;
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

  // The id of a position, which is put into the book if it is not there.
  int64_t PositionId(const PackedPosition& packed, int ply) {
    Open& o = Begin();
    if (o.last_position != 0 && packed == o.last_packed && ply >= o.last_ply)
      return o.last_position;
    o.add_position.reset();
    BindPacked(o.add_position, 1, packed);
    o.add_position.bind(2, ply);
    o.add_position.executeStep();
    const int64_t id = o.add_position.getColumn(0).getInt64();
    o.add_position.reset();
    if (id > o.last_new_position) {
      o.last_new_position = id;
      ++o.totals.new_positions;
    }
    o.last_packed = packed;
    o.last_ply = ply;
    o.last_position = id;
    return id;
  }

  void AddMove(int64_t position, Move move) {
    Open& o = *open;
    o.add_move.reset();
    o.add_move.bind(1, position);
    o.add_move.bind(2, static_cast<int>(move.raw()));
    o.totals.new_moves += o.add_move.exec();
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

absl::Status BookImport::AddPlayed(const PackedPosition& position, int ply, Move move,
                                   bool professional, const MoveCounts& counts) {
  return GuardSql(impl_->store.path(), [&] {
    const int64_t id = impl_->PositionId(position, ply);
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
  });
}

absl::Status BookImport::AddBook(const book::DbPosition& position) {
  return GuardSql(impl_->store.path(), [&] {
    const int64_t id = impl_->PositionId(position.packed, position.ply);
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
    SQLite::Statement row(store_.db(),
                          "SELECT (SELECT count(*) FROM positions), (SELECT count(*) FROM moves), "
                          "(SELECT coalesce(sum(games), 0) FROM sources), "
                          "(SELECT count(*) FROM sources)");
    row.executeStep();
    return BookTotals{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(),
                      row.getColumn(2).getInt64(), row.getColumn(3).getInt64()};
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
    return problems;
  });
}

absl::Status BookStore::ForEach(const std::function<absl::Status(const BookPosition&)>& visit) {
  return GuardSql(store_.path(), [&]() -> absl::Status {
    SQLite::Transaction snapshot(store_.db());
    SQLite::Statement positions(store_.db(),
                                "SELECT position, packed, ply FROM positions ORDER BY packed");
    MoveReader moves(store_.db());
    while (positions.executeStep()) {
      BookPosition position;
      ASSIGN_OR_RETURN(position.packed, PackedOf(positions.getColumn(1), store_.path()));
      position.ply = positions.getColumn(2).getInt();
      position.moves = moves.Read(positions.getColumn(0).getInt64());
      RETURN_IF_ERROR(visit(position));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::optional<BookPosition>> BookStore::Find(const PackedPosition& packed) {
  return GuardSql(store_.path(), [&]() -> absl::StatusOr<std::optional<BookPosition>> {
    SQLite::Statement row(store_.db(), "SELECT position, ply FROM positions WHERE packed = ?");
    BindPacked(row, 1, packed);
    if (!row.executeStep()) return std::optional<BookPosition>();
    BookPosition position;
    position.packed = packed;
    position.ply = row.getColumn(1).getInt();
    position.moves = MoveReader(store_.db()).Read(row.getColumn(0).getInt64());
    return std::optional<BookPosition>(std::move(position));
  });
}

absl::StatusOr<book::Graph> BookStore::LoadGraph(const Rules& rules) {
  std::vector<book::GraphInput> positions;
  RETURN_IF_ERROR(GuardSql(store_.path(), [&]() -> absl::Status {
    SQLite::Statement row(store_.db(),
                          "SELECT position, packed, ply, move, base_weight FROM positions JOIN "
                          "moves USING (position) "
                          "WHERE mark < ? ORDER BY position, move");
    row.bind(1, kForbidden);
    for (int64_t last = 0; row.executeStep();) {
      if (const int64_t id = row.getColumn(0).getInt64(); id != last) {
        last = id;
        book::GraphInput& position = positions.emplace_back();
        ASSIGN_OR_RETURN(position.packed, PackedOf(row.getColumn(1), store_.path()));
        position.ply = row.getColumn(2).getInt();
      }
      positions.back().moves.push_back({MoveAt(row, 3), row.getColumn(4).getInt64()});
    }
    return absl::OkStatus();
  }));
  absl::StatusOr<book::Graph> graph = book::Graph::Build(rules, std::move(positions));
  if (!graph.ok()) return At(graph.status(), store_.path());
  return graph;
}

absl::Status BookStore::Weigh(const std::function<std::optional<int64_t>(const BookMove&)>& weigh) {
  return GuardSql(store_.path(), [&] {
    SQLite::Transaction transaction(store_.db(), SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<int64_t> ids;
    SQLite::Statement positions(store_.db(), "SELECT position FROM positions ORDER BY position");
    while (positions.executeStep()) ids.push_back(positions.getColumn(0).getInt64());
    MoveReader reader(store_.db());
    SQLite::Statement update(
        store_.db(),
        "UPDATE moves SET base_weight = ?, mark = CASE WHEN mark IN (0, 3) THEN ? ELSE mark END "
        "WHERE position = ? AND move = ?");
    for (const int64_t id : ids) {
      for (const BookMove& move : reader.Read(id)) {
        const std::optional<int64_t> weight = weigh(move);
        update.reset();
        update.bind(1, weight.value_or(0));
        update.bind(2, weight.has_value() ? 0 : kLeftOut);
        update.bind(3, id);
        update.bind(4, static_cast<int>(move.move.raw()));
        update.exec();
      }
    }
    transaction.commit();
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
    return absl::OkStatus();
  });
}

}  // namespace joseki::coordinator
