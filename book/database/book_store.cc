#include "book/database/book_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_rows.h"
#include "book/database/played_table.h"
#include "book/database/sql.h"

namespace joseki::book {
namespace {

// Creates a row for a move that is only in blocks.
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

// Counts the positions and moves that are in rows as well as in blocks; for a book whose blocks are
// of one source.
absl::StatusOr<std::pair<int64_t, int64_t>> InRowsToo(Store& store) {
  std::pair<int64_t, int64_t> both{0, 0};
  PlayedLookup played(store.db());
  if (played.empty()) return both;
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

int64_t TimesPlayed(const BookMove& move) {
  int64_t times = 0;
  for (const int64_t some : {move.counts[0].games, move.counts[1].games, move.book_count}) {
    times =
        std::min(times + std::clamp<int64_t>(some, 0, book::kMaxBaseWeight), book::kMaxBaseWeight);
  }
  return times;
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

absl::StatusOr<bool> BookStore::IsWeighed() {
  bool weighed = false;
  const absl::Status status = ForEach([&](const BookPosition& position) {
    weighed = std::any_of(position.moves.begin(), position.moves.end(), [](const BookMove& move) {
      return move.base_weight != 0 || move.mark == kLeftOut;
    });
    return weighed ? absl::CancelledError("seen one") : absl::OkStatus();
  });
  if (!weighed) RETURN_IF_ERROR(status);
  return weighed;
}

absl::StatusOr<int64_t> BookStore::Unweighed() {
  int64_t count = 0;
  RETURN_IF_ERROR(ForEach([&](const BookPosition& position) {
    count += std::count_if(position.moves.begin(), position.moves.end(), [](const BookMove& move) {
      return move.mark == kLeftOut || (move.base_weight == 0 && move.mark <= kBad);
    });
    return absl::OkStatus();
  }));
  return count;
}

absl::StatusOr<book::Graph> BookStore::LoadGraph(const Rules& rules) {
  std::vector<book::GraphInput> positions;
  bool weighed = false;
  std::vector<int64_t> played;  // times played, by move; unused once a weight is known
  ForbiddenMoves forbidden;
  RETURN_IF_ERROR(ForEach([&](const BookPosition& position) {
    book::GraphInput input{.packed = position.packed, .ply = position.ply, .moves = {}};
    for (const BookMove& move : position.moves) {
      if (move.mark == kForbidden) forbidden.emplace(position.packed, move.move);
      if (move.mark >= kForbidden) continue;
      input.moves.push_back({move.move, move.base_weight});
      weighed = weighed || move.base_weight != 0;
      if (!weighed) played.push_back(TimesPlayed(move));
    }
    if (!input.moves.empty()) positions.push_back(std::move(input));
    return absl::OkStatus();
  }));
  if (!weighed) {
    auto next = played.begin();
    for (book::GraphInput& input : positions) {
      for (auto& move : input.moves) move.base_weight = *next++;
    }
  }
  absl::StatusOr<book::Graph> graph =
      book::Graph::Build(rules, std::move(positions), nullptr, std::move(forbidden));
  if (!graph.ok()) return At(graph.status(), store_.path());
  return graph;
}

absl::StatusOr<ImportedValues> BookStore::ReadImportedValues(const book::Graph& graph) {
  ImportedValues values;
  ASSIGN_OR_RETURN(const bool any, GuardSql(store_.path(), [&]() -> absl::StatusOr<bool> {
                     return Number(store_,
                                   "SELECT EXISTS (SELECT 1 FROM move_values"
                                   " WHERE value IS NOT NULL AND value != 0)") != 0;
                   }));
  if (!any) return values;
  values.resize(graph.edge_count());
  RETURN_IF_ERROR(ForEach([&](const BookPosition& position) {
    const book::NodeId node = graph.FindPacked(position.packed);
    if (node == book::kNoNode) return absl::OkStatus();
    for (const BookMove& move : position.moves) {
      if (!move.value || *move.value == ImportedValue::kNone) continue;
      const book::EdgeId edge = graph.FindMove(node, move.move);
      if (edge == book::kNoEdge) continue;
      values[edge] = {static_cast<int16_t>(
                          std::clamp(*move.value, -ImportedValue::kMost, ImportedValue::kMost)),
                      static_cast<uint16_t>(std::clamp(move.depth, 0, int{UINT16_MAX}))};
    }
    return absl::OkStatus();
  }));
  DropEmpty(graph, values);
  return values;
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
      if (!position.has_value()) continue;  // never happens: the position has a row
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
    // A move of several sources gets the same weight in each: `weigh` sees counts only, which do
    // not change while blocks are rewritten.
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
            if (found.has_value()) position = *std::move(found);  // always true: this block has it
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

}  // namespace joseki::book
