#include "coordinator/store/game_rows.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

// Rows of other runs that are read before a run's next game is looked up.
constexpr uint64_t kRowsOfOthers = 8192;

constexpr char kGameColumns[] =
    "SELECT run, lease, slot, commit_seq, stage, worker, payload_hash, moves_hash, book_plies,"
    " result, termination, stale, nodes, think_ms, accepted_ms, moves, coalesce(fault, ''),"
    " scores, resign_check FROM games";

absl::StatusOr<GameRow> ParseGameRow(Use& use) {
  GameRow row;
  absl::Status problem;
  row.run = use.Unsigned(0);
  row.lease = use.Unsigned(1);
  row.slot = use.In<uint32_t>(2, 0, kMaxUint32, problem);
  row.commit_seq = use.In<uint64_t>(3, 1, kMaxInt, problem);
  row.stage = use.In<int>(4, 0, 1'000'000, problem);
  row.worker = use.Text(5);
  row.payload_hash = use.Unsigned(6);
  row.moves_hash = use.Unsigned(7);
  row.book_plies = use.In<uint32_t>(8, 0, kMaxUint32, problem);
  row.ending.result = use.In<Result>(9, 0, static_cast<int64_t>(Result::kDraw), problem);
  row.ending.termination =
      use.In<Termination>(10, 0, static_cast<int64_t>(Termination::kInterrupted), problem);
  row.stale = use.In<int>(11, 0, 1, problem) != 0;
  row.nodes = use.Unsigned(12);
  row.think_ms = use.In<uint32_t>(13, 0, kMaxUint32, problem);
  row.accepted_ms = use.Int(14);
  RETURN_IF_ERROR(problem);
  ASSIGN_OR_RETURN(row.moves, DecodeMoves(use.Blob(15)));
  row.fault = use.Text(16);
  ASSIGN_OR_RETURN(row.scores, DecodeScores(use.Blob(17)));
  row.resign_check = use.In<ResignCheck>(18, 0, static_cast<int64_t>(ResignCheck::kWrong), problem);
  RETURN_IF_ERROR(problem);
  return row;
}

absl::StatusOr<GameRow> ReadGameRow(Use& use, const std::string& file) {
  absl::StatusOr<GameRow> row = ParseGameRow(use);
  if (!row.ok()) return InRow(row.status(), file, "games, commit_seq", use.Unsigned(3));
  return row;
}

}  // namespace

absl::StatusOr<Inserted> GameRows::Insert(const GameRow& game) {
  const absl::StatusOr<bool> added = sql_.Guard([&]() -> absl::StatusOr<bool> {
    Use use(sql_.Prepared(
        "INSERT INTO games (run, lease, slot, commit_seq, stage, worker, payload_hash, moves_hash,"
        " book_plies, result, termination, stale, nodes, think_ms, accepted_ms, moves, fault,"
        " scores, resign_check)"
        " SELECT ?1, ?2, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, x''), "
        "?"
        " WHERE NOT EXISTS (SELECT 1 FROM archived_games WHERE run = ?1 AND lease = ?2 AND"
        " slot = ?3)"
        " ON CONFLICT (run, lease, slot) DO NOTHING"));
    const std::string_view moves = MoveBytes(game.moves);
    const std::string scores = EncodeScores(game.scores);
    use.Bind(game.run, game.lease, game.slot, game.commit_seq, game.stage, game.worker,
             book::Signed(game.payload_hash), book::Signed(game.moves_hash), game.book_plies,
             game.ending.result, game.ending.termination, game.stale, book::Signed(game.nodes),
             game.think_ms, game.accepted_ms, Bytes{moves}, game.fault, Bytes{scores},
             game.resign_check);
    return use.Run() == 1;
  });
  RETURN_IF_ERROR(added.status());
  if (*added) return Inserted::kNew;
  ASSIGN_OR_RETURN(const std::optional<Inserted> insert, Compare(game));
  if (!insert) return DataLoss("a key that is taken and not there", "a game under it");
  return *insert;
}

absl::StatusOr<std::optional<Inserted>> GameRows::Compare(const GameRow& game) {
  return sql_.Guard([&]() -> absl::StatusOr<std::optional<Inserted>> {
    Use use(
        sql_.Prepared("SELECT payload_hash, worker FROM games"
                      " WHERE run = ?1 AND lease = ?2 AND slot = ?3"
                      " UNION ALL SELECT payload_hash, worker FROM checks"
                      " WHERE run = ?1 AND lease = ?2 AND slot = ?3 AND state <> 0"
                      " UNION ALL SELECT payload_hash, worker FROM archived_games"
                      " WHERE run = ?1 AND lease = ?2 AND slot = ?3"
                      " UNION ALL SELECT payload_hash, worker FROM evaluations"
                      " WHERE run = ?1 AND lease = ?2 AND slot = ?3"));
    use.Bind(game.run, game.lease, game.slot);
    if (!use.Step()) return std::optional<Inserted>();
    if (use.Unsigned(0) == game.payload_hash) return std::optional<Inserted>(Inserted::kDuplicate);
    // A worker must learn nothing of another's slot.
    if (use.Text(1) != game.worker) return std::optional<Inserted>();
    return std::optional<Inserted>(Inserted::kConflict);
  });
}

absl::StatusOr<bool> GameRows::InsertConflict(const GameRow& game, int64_t seen_ms) {
  return sql_.Guard([&]() -> absl::StatusOr<bool> {
    // A single conflict of a slot proves that its worker departs from its seed; further ones add
    // nothing.
    Use use(sql_.Prepared(
        "INSERT INTO conflicts (run, lease, slot, worker, payload_hash, seen_ms, moves)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM conflicts WHERE"
        " run = ?1 AND lease = ?2 AND slot = ?3)"));
    const std::string_view moves = MoveBytes(game.moves);
    use.Bind(game.run, game.lease, game.slot, game.worker, book::Signed(game.payload_hash), seen_ms,
             Bytes{moves});
    return use.Run() == 1;
  });
}

absl::StatusOr<uint64_t> GameRows::CountConflicts(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<uint64_t> {
    Use use(sql_.Prepared("SELECT count(*) FROM conflicts WHERE run = ?"));
    use.Bind(run);
    use.Step();
    return use.Unsigned(0);
  });
}

absl::Status GameRows::ForEach(RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit) {
  ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(sql_.store(), run));
  for (const ArchiveRow& archive : archives) {
    if (!archive.dropped || archive.last_seq <= after) continue;
    ASSIGN_OR_RETURN(const std::vector<GameRow> games, ReadArchivedGames(sql_.store(), archive));
    for (const GameRow& game : games) {
      if (game.commit_seq <= after) continue;
      const absl::Status status = visit(game);
      if (absl::IsCancelled(status)) return absl::OkStatus();
      RETURN_IF_ERROR(status);
    }
  }
  return ForEachStoredGame(sql_.store(), run, after, visit);
}

absl::StatusOr<bool> GameRows::HasAfter(RunId run, uint64_t after) {
  return sql_.Guard([&]() -> absl::StatusOr<bool> {
    Use use(sql_.Prepared(
        "SELECT EXISTS (SELECT 1 FROM games WHERE run = ?1 AND +commit_seq > ?2) OR"
        " EXISTS (SELECT 1 FROM archives WHERE run = ?1 AND dropped AND last_seq > ?2)"));
    use.Bind(run, after);
    use.Step();
    return use.Int(0) != 0;
  });
}

absl::StatusOr<std::vector<GameRow>> GameRows::ReadFaults(RunId run, int stage) {
  static const std::string kSql =
      absl::StrCat(kGameColumns, " WHERE run = ? AND stage = ? AND result = 0 ORDER BY commit_seq");
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<GameRow>> {
    std::vector<GameRow> games;
    Use use(sql_.Prepared(kSql.c_str()));
    use.Bind(run, stage);
    while (use.Step()) {
      ASSIGN_OR_RETURN(GameRow row, ReadGameRow(use, sql_.file()));
      games.push_back(std::move(row));
    }
    return games;
  });
}

absl::Status ForEachStoredGame(book::Store& store, RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit) {
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    // The plus keeps SQLite from reading the whole of the run's keys for a few games at the end.
    SQLite::Statement select(store.db(),
                             absl::StrCat(kGameColumns,
                                          " WHERE commit_seq > ? AND commit_seq <= ? AND +run = ?"
                                          " ORDER BY commit_seq"));
    // Reads the run's keys, and no row of a game.
    SQLite::Statement keys(store.db(),
                           "SELECT min(commit_seq), max(commit_seq) FROM games"
                           " WHERE run = ? AND +commit_seq > ?");
    // Open to the end, so that all pieces are of one state of the database.
    SQLite::Statement newest(store.db(), "SELECT max(commit_seq) FROM games");
    Use held(newest);
    held.Step();
    uint64_t seen = after;
    uint64_t last = held.Unsigned(0);
    bool jump = after == 0;
    while (seen < last) {
      if (jump) {
        Use use(keys);
        use.Bind(run, seen).Step();
        if (use.Unsigned(0) == 0) return absl::OkStatus();
        seen = use.Unsigned(0) - 1;
        last = use.Unsigned(1);
      }
      const uint64_t end = std::min(last, seen + kRowsOfOthers);
      Use use(select);
      use.Bind(seen, end, run);
      jump = true;
      while (use.Step()) {
        jump = false;
        ASSIGN_OR_RETURN(const GameRow row, ReadGameRow(use, store.path()));
        const absl::Status status = visit(row);
        if (absl::IsCancelled(status)) return absl::OkStatus();
        RETURN_IF_ERROR(status);
      }
      seen = end;
    }
    return absl::OkStatus();
  });
}

}  // namespace joseki::coordinator
