#include "book/database/book_rows.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/position.h"

namespace joseki::book {
namespace {

void Rewind(SQLite::Statement& statement, int64_t position) {
  statement.reset();
  statement.bind(1, position);
}

// REQUIRES: `moves` ascends, as the primary key does.
BookMove* Find(std::vector<BookMove>& moves, Move move) {
  const auto at =
      std::lower_bound(moves.begin(), moves.end(), move,
                       [](const BookMove& entry, Move wanted) { return entry.move < wanted; });
  return at != moves.end() && at->move == move ? &*at : nullptr;
}

}  // namespace

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

MoveReader::MoveReader(SQLite::Database& db)
    : moves_(db, "SELECT move, base_weight, mark, note FROM moves WHERE position = ?"),
      counts_(db,
              "SELECT move, professional, sum(games), sum(wins), sum(draws), sum(losses) "
              "FROM move_counts WHERE position = ? GROUP BY move, professional"),
      values_(db,
              "SELECT move, value, depth, count, ponder, source FROM move_values "
              "WHERE position = ? ORDER BY source") {
  SQLite::Statement made(db, "SELECT source FROM sources WHERE kind IN ('expand', 'learn')");
  while (made.executeStep()) made_.insert(made.getColumn(0).getInt64());
}

std::vector<BookMove> MoveReader::Read(int64_t position) {
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
  depths_.assign(moves.size(), 0);
  for (Rewind(values_, position); values_.executeStep();) {
    BookMove* move = Find(moves, MoveAt(values_, 0));
    if (move == nullptr) continue;
    const int depth = values_.getColumn(2).getInt();  // 0 if the column is null
    const bool made = made_.contains(values_.getColumn(5).getInt64());
    int& least = depths_[static_cast<size_t>(move - moves.data())];
    if (!values_.getColumn(1).isNull() && (made || !move->value || depth >= least)) {
      move->value = values_.getColumn(1).getInt();
      move->depth = depth;
      least = made ? 0 : depth;
    }
    // The count is clamped because a damaged row may hold any number.
    const int64_t count = std::max<int64_t>(0, values_.getColumn(3).getInt64());
    move->book_count = static_cast<int64_t>(
        book::SumOfCounts(static_cast<uint64_t>(move->book_count), static_cast<uint64_t>(count)));
    if (const Move ponder = MoveAt(values_, 4)) move->ponder = ponder;
  }
  return moves;
}

BookScan::BookScan(Store& store)
    : store_(store),
      rows_(store.db(), "SELECT position, packed, ply FROM positions ORDER BY packed"),
      moves_(store.db()),
      played_(store.db()) {}

absl::StatusOr<bool> BookScan::Next(BookPosition& position) {
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

absl::Status BookScan::NextRow() {
  row_ = rows_.executeStep();
  if (row_) {
    ASSIGN_OR_RETURN(packed_, PackedOf(rows_.getColumn(1), store_.path()));
  }
  return absl::OkStatus();
}

BookLookup::BookLookup(Store& store)
    : row_(store.db(), "SELECT position, ply FROM positions WHERE packed = ?"),
      moves_(store.db()),
      played_(store.db()) {}

absl::StatusOr<std::optional<BookPosition>> BookLookup::Find(const PackedPosition& packed) {
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

absl::Status BookLookup::Before(int64_t source, const PackedPosition& packed,
                                std::vector<Move>& moves) {
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

}  // namespace joseki::book
