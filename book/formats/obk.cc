#include "book/formats/obk.h"

#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/hashed_walk.h"
#include "book/formats/obk_numbers.h"
#include "book/formats/wide_square.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::book {
namespace {

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr std::string_view kObkTable = "bhobk";
constexpr const char* kObkColumns[] = {"vkey",  "vmove", "vscore", "vwin",
                                       "vdraw", "vlost", "vvalid"};
// Bound that avoids overflow in programs that add scores in 32 bits.
constexpr uint64_t kMostObkScore = 10'000'000;
// Minimum size of a table row, with its entry in the page.
constexpr size_t kLeastRowBytes = 4;
constexpr uint64_t kHighBit = uint64_t{1} << 63;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinishStatement>;

Statement Prepared(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  return Statement(statement);
}

Database InMemory() {
  sqlite3* database = nullptr;
  const int code =
      sqlite3_open_v2(":memory:", &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database opened(database);
  if (code != SQLITE_OK) throw std::bad_alloc();
  return opened;
}

struct ObkRow {
  uint64_t key = 0;
  int row = 0;  // in table order, from 1
  uint16_t move = 0;
  int64_t score = 0;
  int64_t games = 0;
};

std::optional<Move> FromObk(uint16_t move) {
  const std::optional<xiangqi::Square> from = FromWide(move >> 8);
  const std::optional<xiangqi::Square> to = FromWide(move & 0xff);
  if (!from || !to || *from == *to) return std::nullopt;
  return Move::Board(*from, *to);
}

uint16_t ToObk(Move move) {
  return static_cast<uint16_t>(ToWide(move.from()) << 8 | ToWide(move.to()));
}

// Undoes a conversion in keys with the highest bit set. The programs that write such books store
// such a key as the floating-point number of the same bits. The column has integer type, so SQLite
// turns a number without fraction into an integer.
std::optional<uint64_t> AsWholeNumber(uint64_t key) {
  if ((key & kHighBit) == 0) return std::nullopt;
  const double number = std::bit_cast<double>(key);
  if (!(number > -0x1p63) || number != std::trunc(number)) return std::nullopt;
  return static_cast<uint64_t>(static_cast<int64_t>(number));
}

// Reads the table of a file row by row.
class ObkTable {
 public:
  ObkTable(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  // Problems of single rows go to `reject`.
  absl::StatusOr<std::vector<ObkRow>> Read(const std::function<void(absl::Status)>& reject) {
    if (bytes_.substr(0, kSqliteMagic.size()) != kSqliteMagic) {
      return Wrong("not_sqlite", absl::StrCat(bytes_.size(), " bytes"), "a SQLite file");
    }
    RETURN_IF_ERROR(Open());
    RETURN_IF_ERROR(CheckColumns());
    const Statement rows = Prepared(database_.get(),
                                    "SELECT vkey, vmove, vscore, vwin, vdraw, vlost, vvalid"
                                    " FROM main.bhobk NOT INDEXED");
    if (rows == nullptr) return Broken();
    std::vector<ObkRow> read;
    size_t count = 0;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
      // The file is too small for these rows: some pages occur in the table repeatedly.
      if (++count > bytes_.size() / kLeastRowBytes) {
        return Wrong("broken_database", absl::StrCat(count, " rows"), "rows that the file has");
      }
      Take(rows.get(), static_cast<int>(count), reject, read);
    }
    if (code != SQLITE_DONE) return Broken();
    return read;
  }

 private:
  absl::Status Wrong(const char* code, std::string found, std::string expected) const {
    return MakeProblem({.code = code,
                        .file = std::string(file_),
                        .line = 1,
                        .found = std::move(found),
                        .expected = std::move(expected)});
  }
  absl::Status Broken() const {
    return Wrong("broken_database", Quote(sqlite3_errmsg(database_.get())), "a whole SQLite file");
  }

  absl::Status Open() {
    database_ = InMemory();
    sqlite3* const database = database_.get();
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    std::string_view bytes = bytes_;
    // Clears the header's WAL mode in a copy, so that SQLite opens the file without a log.
    constexpr size_t kVersions = 18;  // offset of the write and read versions
    if (bytes.size() > kVersions + 1 && (bytes[kVersions] == 2 || bytes[kVersions + 1] == 2)) {
      without_log_ = std::string(bytes);
      without_log_[kVersions] = without_log_[kVersions + 1] = 1;
      bytes = without_log_;
    }
    // Safe cast: a read-only SQLite connection does not write to the buffer.
    auto* const data =
        const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    if (sqlite3_deserialize(database, "main", data, size, size, SQLITE_DESERIALIZE_READONLY) !=
        SQLITE_OK) {
      return Broken();
    }
    return absl::OkStatus();
  }

  // Refuses views and computed columns, whose evaluation could take unbounded time.
  absl::Status CheckColumns() const {
    const Statement table = Prepared(
        database_.get(),
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = 'bhobk'");
    const int found = table == nullptr ? SQLITE_ERROR : sqlite3_step(table.get());
    if (found == SQLITE_DONE) return Wrong("no_table", "none of that name", "a table bhobk");
    if (found != SQLITE_ROW) return Broken();
    const Statement columns = Prepared(
        database_.get(), "SELECT lower(name) FROM pragma_table_xinfo('bhobk') WHERE hidden = 0");
    if (columns == nullptr) return Broken();
    std::set<std::string> names;
    while (sqlite3_step(columns.get()) == SQLITE_ROW) {
      names.emplace(reinterpret_cast<const char*>(sqlite3_column_text(columns.get(), 0)));
    }
    for (const char* name : kObkColumns) {
      if (!names.contains(name)) {
        return Wrong("missing_column", absl::StrCat(names.size(), " other columns"),
                     absl::StrCat("a column ", name, " of the table bhobk"));
      }
    }
    return absl::OkStatus();
  }

  void Take(sqlite3_stmt* rows, int row, const std::function<void(absl::Status)>& reject,
            std::vector<ObkRow>& read) const {
    constexpr int kKey = 0, kMove = 1, kScore = 2, kWins = 3, kDraws = 4, kLosses = 5, kValid = 6;
    if (sqlite3_column_int64(rows, kValid) != 1) return;
    ObkRow taken;
    taken.row = row;
    const int type = sqlite3_column_type(rows, kKey);
    if (type == SQLITE_INTEGER) {
      taken.key = static_cast<uint64_t>(sqlite3_column_int64(rows, kKey));
    } else if (type == SQLITE_FLOAT) {
      taken.key = std::bit_cast<uint64_t>(sqlite3_column_double(rows, kKey));
    } else {
      return reject(BadRow(row, "no number", "a key"));
    }
    const int64_t move = sqlite3_column_int64(rows, kMove);
    taken.move = static_cast<uint16_t>(move);
    if (sqlite3_column_type(rows, kMove) != SQLITE_INTEGER || taken.move != move ||
        !FromObk(taken.move)) {
      return reject(BadRow(row, absl::StrCat("move ", move), "a move between two squares"));
    }
    taken.score = sqlite3_column_int64(rows, kScore);
    for (const int column : {kWins, kDraws, kLosses}) {
      const int64_t games = std::max<int64_t>(0, sqlite3_column_int64(rows, column));
      taken.games = static_cast<int64_t>(
          SumOfCounts(static_cast<uint64_t>(taken.games), static_cast<uint64_t>(games)));
    }
    read.push_back(taken);
  }

  absl::Status BadRow(int row, std::string found, std::string expected) const {
    return MakeProblem({.code = "bad_row",
                        .file = std::string(file_),
                        .line = row,
                        .found = std::move(found),
                        .expected = std::move(expected)});
  }

  const std::string_view bytes_;
  const std::string_view file_;
  std::string without_log_;
  Database database_;
};

class ObkReader {
 public:
  ObkReader(std::vector<ObkRow> rows, std::string_view file, const DbSink& sink)
      : rows_(std::move(rows)), file_(file), sink_(sink) {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const ObkRow& a, const ObkRow& b) { return a.key < b.key; });
  }

  void Read() {
    const HashedBookOf<XiangqiForm> book = {
        .knows = [&](const xiangqi::Position& position) { return !Find(position).empty(); },
        .entry = [&](const xiangqi::Position& position, int ply) { return Entry(position, ply); }};
    Walk(book, HashedWalkOf<XiangqiForm>(), sink_.accept);
    for (const ObkRow& row : rows_) {
      if (reached_.contains(row.key)) continue;
      Reject("unreached_position", row, absl::StrCat("key ", absl::Hex(row.key, absl::kZeroPad16)),
             "a position that legal moves lead to from the start");
    }
  }

 private:
  // Rows of one key, and whether their moves are those of the mirror image.
  struct Found {
    std::vector<ObkRow>::const_iterator first;
    bool mirrored = false;
  };

  std::vector<Found> Find(const xiangqi::Position& position) const {
    std::vector<Found> found;
    const uint64_t own = ObkKey(position);
    const uint64_t other = ObkKey(xiangqi::Mapped(xiangqi::Symmetry::kMirror, position));
    AddFound(own, false, found);
    if (other != own) AddFound(other, true, found);
    return found;
  }

  void AddFound(uint64_t key, bool mirrored, std::vector<Found>& found) const {
    AddStored(key, mirrored, found);
    const std::optional<uint64_t> whole = AsWholeNumber(key);
    if (whole && *whole != key) AddStored(*whole, mirrored, found);
  }

  void AddStored(uint64_t key, bool mirrored, std::vector<Found>& found) const {
    const auto first =
        std::lower_bound(rows_.begin(), rows_.end(), key,
                         [](const ObkRow& row, uint64_t wanted) { return row.key < wanted; });
    if (first != rows_.end() && first->key == key) found.push_back({first, mirrored});
  }

  DbPosition Entry(const xiangqi::Position& position, int ply) {
    DbPosition entry;
    entry.packed = xiangqi::Pack(position);
    entry.ply = ply;
    struct Scored {
      Move move;
      ObkRow row;
    };
    std::vector<Scored> scored;
    for (const Found& found : Find(position)) {
      std::vector<ObkRow> illegal;
      bool any = false;
      const uint64_t key = found.first->key;
      for (auto at = found.first; at != rows_.end() && at->key == key; ++at) {
        Move move = *FromObk(at->move);
        if (found.mirrored) move = xiangqi::Mapped(xiangqi::Symmetry::kMirror, move);
        if (!position.IsLegal(move)) {
          illegal.push_back(*at);
          continue;
        }
        any = true;
        // A position's own row takes precedence over that of the mirror image, an earlier row over
        // a later.
        if (std::none_of(scored.begin(), scored.end(),
                         [&](const Scored& had) { return had.move == move; })) {
          scored.push_back({move, *at});
        }
      }
      // No move is legal: the key belongs to another position.
      if (!any || !reached_.insert(key).second) continue;
      for (const ObkRow& row : illegal) {
        Reject("illegal_move", row, absl::StrCat("0x", absl::Hex(row.move, absl::kZeroPad4)),
               "a legal move in " + xiangqi::ToFen(position, ply));
      }
    }
    if (scored.empty()) return entry;
    entry.line = scored.front().row.row;
    const auto some = [&](int64_t ObkRow::*field) {
      return std::any_of(scored.begin(), scored.end(),
                         [&](const Scored& move) { return move.row.*field > 0; });
    };
    const bool by_score = some(&ObkRow::score);
    const bool by_games = !by_score && some(&ObkRow::games);
    for (const Scored& move : scored) {
      const int64_t count = by_score ? move.row.score : by_games ? move.row.games : 1;
      AddMove(entry.moves, {.move = move.move,
                            .count = std::min(kMostDbCount,
                                              static_cast<uint64_t>(std::max<int64_t>(0, count)))});
    }
    return entry;
  }

  void Reject(const char* code, const ObkRow& row, std::string found, std::string expected) {
    sink_.reject(MakeProblem({.code = code,
                              .file = std::string(file_),
                              .line = row.row,
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  std::vector<ObkRow> rows_;
  const std::string_view file_;
  const DbSink& sink_;
  absl::flat_hash_set<uint64_t> reached_;  // keys as stored
};

using ByPacked = std::map<PackedPosition, const DbPosition*>;

ByPacked ByPackedOf(const std::vector<DbPosition>& positions) {
  ByPacked by_packed;
  for (const DbPosition& entry : positions) {
    if (!entry.moves.empty()) by_packed.emplace(entry.packed, &entry);
  }
  return by_packed;
}

// What is known, then the games by the counts of the moves.
std::pair<Known, uint64_t> KnownOf(const DbPosition& position) {
  uint64_t games = 0;
  for (const DbMove& move : position.moves) games = SumOfCounts(games, move.count);
  return {position.known, games};
}

// Which of the two gives the moves of `entry`: itself or its mirror image.
const DbPosition& MovesOf(const DbPosition& entry, const xiangqi::Position& position,
                          const ByPacked& by_packed) {
  const auto mirrored =
      by_packed.find(xiangqi::Pack(xiangqi::Mapped(xiangqi::Symmetry::kMirror, position)));
  if (mirrored == by_packed.end()) return entry;
  const auto own = KnownOf(entry);
  const auto other = KnownOf(*mirrored->second);
  const bool is_other = other > own || (other == own && mirrored->first < entry.packed);
  return is_other ? *mirrored->second : entry;
}

Move Mirrored(Move move) { return xiangqi::Mapped(xiangqi::Symmetry::kMirror, move); }

struct ObkMoves {
  const DbPosition* own = nullptr;
  const DbPosition* moves_of = nullptr;  // itself or its mirror image
};

// All positions, by key.
std::map<uint64_t, ObkMoves> ByKey(const std::vector<DbPosition>& positions) {
  const ByPacked by_packed = ByPackedOf(positions);
  std::map<uint64_t, ObkMoves> by_key;
  for (const DbPosition& entry : positions) {
    const absl::StatusOr<xiangqi::Position> position = xiangqi::Unpack(entry.packed);
    // Malformed positions are skipped.
    if (!position.ok()) continue;
    by_key.emplace(ObkKey(*position), ObkMoves{&entry, &MovesOf(entry, *position, by_packed)});
  }
  return by_key;
}

class ObkWriter {
 public:
  ObkWriter() : database_(InMemory()) {
    Run("PRAGMA page_size = 4096; PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF;"
        "BEGIN;"
        "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER,"
        " vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER)");
    insert_ = Prepared(database_.get(),
                       "INSERT INTO bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo,"
                       " vindex) VALUES(?, ?, ?, 0, 0, 0, 1, ?, ?)");
    Check(insert_ != nullptr);
  }

  void Insert(uint64_t key, Move move, uint64_t score, const std::string& memo, int index) {
    const double number = std::bit_cast<double>(key);
    // SQLite cannot store NaN, so such a key is written as an integer.
    if ((key & kHighBit) != 0 && !std::isnan(number)) {
      sqlite3_bind_double(insert_.get(), 1, number);
    } else {
      sqlite3_bind_int64(insert_.get(), 1, static_cast<sqlite3_int64>(key));
    }
    sqlite3_bind_int(insert_.get(), 2, ToObk(move));
    sqlite3_bind_int64(insert_.get(), 3, static_cast<sqlite3_int64>(score));
    if (memo.empty()) {
      sqlite3_bind_null(insert_.get(), 4);
    } else {
      sqlite3_bind_text(insert_.get(), 4, memo.data(), static_cast<int>(memo.size()),
                        SQLITE_TRANSIENT);
    }
    sqlite3_bind_int(insert_.get(), 5, index);
    Check(sqlite3_step(insert_.get()) == SQLITE_DONE);
    sqlite3_reset(insert_.get());
  }

  std::string Bytes() {
    insert_.reset();
    Run("CREATE INDEX idxkey ON bhobk(vkey); COMMIT");
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
        sqlite3_serialize(database_.get(), "main", &size, 0), &sqlite3_free);
    Check(bytes != nullptr);
    return {reinterpret_cast<const char*>(bytes.get()), static_cast<size_t>(size)};
  }

 private:
  // In memory only an allocation can fail.
  static void Check(bool done) {
    if (!done) throw std::bad_alloc();
  }
  void Run(const char* sql) {
    Check(sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  }

  Database database_;
  Statement insert_;
};

uint64_t ScoreOf(uint64_t count, uint64_t most) {
  if (most <= kMostObkScore || count == 0) return count;
  return std::max<uint64_t>(
      1, static_cast<uint64_t>(static_cast<double>(count) / static_cast<double>(most) *
                               static_cast<double>(kMostObkScore)));
}

}  // namespace

uint64_t ObkKey(const xiangqi::Position& position) {
  uint64_t key = position.side_to_move() == xiangqi::kRed ? kObkRedToMove : 0;
  xiangqi::ForEach(position.occupied(), [&](xiangqi::Square square) {
    key ^= ObkNumber(position.piece(square), square);
  });
  return key;
}

bool IsObk(std::string_view bytes) {
  return bytes.substr(0, kSqliteMagic.size()) == kSqliteMagic &&
         bytes.find(kObkTable) != std::string_view::npos;
}

absl::Status ReadObk(std::string_view bytes, std::string_view file, const DbSink& sink) {
  absl::StatusOr<std::vector<ObkRow>> rows = ObkTable(bytes, file).Read(sink.reject);
  if (!rows.ok()) return rows.status();
  ObkReader(*std::move(rows), file, sink).Read();
  return absl::OkStatus();
}

std::vector<DbPosition> AsWrittenToObk(const std::vector<DbPosition>& positions) {
  const ByPacked by_packed = ByPackedOf(positions);
  std::vector<DbPosition> written = positions;
  for (DbPosition& entry : written) {
    const absl::StatusOr<xiangqi::Position> position = xiangqi::Unpack(entry.packed);
    if (!position.ok() || entry.moves.empty()) continue;
    const DbPosition& moves_of = MovesOf(entry, *position, by_packed);
    if (moves_of.packed == entry.packed) continue;
    entry.moves = moves_of.moves;
    for (DbMove& move : entry.moves) {
      move.move = Mirrored(move.move);
      move.ponder = Move();  // no reader looks for it
    }
  }
  return written;
}

std::string WriteObk(std::vector<DbPosition> positions, const DbComment& comment) {
  Canonicalise(positions);
  ObkWriter writer;
  for (const auto& [key, written] : ByKey(positions)) {
    std::vector<DbMove> moves = written.moves_of->moves;
    std::stable_sort(moves.begin(), moves.end(),
                     [](const DbMove& a, const DbMove& b) { return a.count > b.count; });
    int index = 0;
    for (const DbMove& move : moves) {
      const std::string memo =
          comment == nullptr ? "" : comment(written.moves_of->packed, move.move);
      const Move played = written.moves_of == written.own ? move.move : Mirrored(move.move);
      writer.Insert(key, played, ScoreOf(move.count, moves.front().count), memo, ++index);
    }
  }
  return writer.Bytes();
}

}  // namespace joseki::book
