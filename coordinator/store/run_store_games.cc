// Games, and what they say of the book.

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/run_store_impl.h"

namespace joseki::coordinator {
namespace {

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

absl::StatusOr<RunStore::Insert> RunStore::InsertGame(const GameRow& game) {
  const absl::StatusOr<bool> added = impl_->Guard([&]() -> absl::StatusOr<bool> {
    Use use(impl_->Prepared(
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
  if (*added) return Insert::kNew;
  ASSIGN_OR_RETURN(const std::optional<Insert> insert, CompareGame(game));
  if (!insert) return DataLoss("a key that is taken and not there", "a game under it");
  return *insert;
}

absl::StatusOr<std::optional<RunStore::Insert>> RunStore::CompareGame(const GameRow& game) {
  return impl_->Guard([&]() -> absl::StatusOr<std::optional<Insert>> {
    Use use(
        impl_->Prepared("SELECT payload_hash, worker FROM games"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3"
                        " UNION ALL SELECT payload_hash, worker FROM checks"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3 AND state <> 0"
                        " UNION ALL SELECT payload_hash, worker FROM archived_games"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3"
                        " UNION ALL SELECT payload_hash, worker FROM evaluations"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3"));
    use.Bind(game.run, game.lease, game.slot);
    if (!use.Step()) return std::optional<Insert>();
    if (use.Unsigned(0) == game.payload_hash) return std::optional<Insert>(Insert::kDuplicate);
    // A worker knows nothing of another's slot, whatever it sends.
    if (use.Text(1) != game.worker) return std::optional<Insert>();
    return std::optional<Insert>(Insert::kConflict);
  });
}

absl::StatusOr<bool> RunStore::InsertConflict(const GameRow& game, int64_t seen_ms) {
  return impl_->Guard([&]() -> absl::StatusOr<bool> {
    // One of a slot says that its worker does not play by its seed; further ones say no more.
    Use use(impl_->Prepared(
        "INSERT INTO conflicts (run, lease, slot, worker, payload_hash, seen_ms, moves)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM conflicts WHERE"
        " run = ?1 AND lease = ?2 AND slot = ?3)"));
    const std::string_view moves = MoveBytes(game.moves);
    use.Bind(game.run, game.lease, game.slot, game.worker, book::Signed(game.payload_hash), seen_ms,
             Bytes{moves});
    return use.Run() == 1;
  });
}

absl::Status RunStore::ForEachGame(RunId run, uint64_t after,
                                   const std::function<absl::Status(const GameRow&)>& visit) {
  ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(impl_->store, run));
  for (const ArchiveRow& archive : archives) {
    if (!archive.dropped || archive.last_seq <= after) continue;
    ASSIGN_OR_RETURN(const std::vector<GameRow> games, ReadArchivedGames(impl_->store, archive));
    for (const GameRow& game : games) {
      if (game.commit_seq <= after) continue;
      const absl::Status status = visit(game);
      if (absl::IsCancelled(status)) return absl::OkStatus();
      RETURN_IF_ERROR(status);
    }
  }
  return ForEachStoredGame(impl_->store, run, after, visit);
}

absl::Status ForEachStoredGame(book::Store& store, RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit) {
  return book::GuardSql(store.path(), [&]() -> absl::Status {
    SQLite::Statement select(
        store.db(),
        // The plus keeps SQLite from reading the whole of the run's keys for a few games at the
        // end.
        absl::StrCat(kGameColumns, " WHERE commit_seq > ? AND +run = ? ORDER BY commit_seq"));
    Use use(select);
    use.Bind(after, run);
    while (use.Step()) {
      ASSIGN_OR_RETURN(const GameRow row, ReadGameRow(use, store.path()));
      const absl::Status status = visit(row);
      if (absl::IsCancelled(status)) return absl::OkStatus();
      RETURN_IF_ERROR(status);
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<GameRow>> RunStore::ReadFaults(RunId run, int stage) {
  static const std::string kSql =
      absl::StrCat(kGameColumns, " WHERE run = ? AND stage = ? AND result = 0 ORDER BY commit_seq");
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<GameRow>> {
    std::vector<GameRow> games;
    Use use(impl_->Prepared(kSql.c_str()));
    use.Bind(run, stage);
    while (use.Step()) {
      ASSIGN_OR_RETURN(GameRow row, ReadGameRow(use, impl_->store.path()));
      games.push_back(std::move(row));
    }
    return games;
  });
}

absl::Status RunStore::SaveEvidence(RunId run, std::span<const EvidenceRow> rows,
                                    uint64_t trust_change) {
  return impl_->Guard([&] {
    if (!impl_->IsOfTrust(run, trust_change)) return;
    SQLite::Statement& insert = impl_->Prepared(
        "INSERT INTO evidence (run, edge, sum, wins, draws, losses, repeats, seq, stage,"
        " frozen_sum, frozen_wins, frozen_draws, frozen_losses, frozen_repeats)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, edge) DO UPDATE SET"
        " sum = excluded.sum, wins = excluded.wins, draws = excluded.draws,"
        " losses = excluded.losses, repeats = excluded.repeats, seq = excluded.seq,"
        " stage = excluded.stage, frozen_sum = excluded.frozen_sum,"
        " frozen_wins = excluded.frozen_wins, frozen_draws = excluded.frozen_draws,"
        " frozen_losses = excluded.frozen_losses, frozen_repeats = excluded.frozen_repeats");
    for (const EvidenceRow& row : rows) {
      const book::Evidence& now = row.evidence;
      const book::Evidence& frozen = row.frozen_evidence;
      Use(insert)
          .Bind(run, row.edge, row.sum, now.wins, now.draws, now.losses, now.repeats, row.seq,
                row.stage, row.frozen_sum, frozen.wins, frozen.draws, frozen.losses, frozen.repeats)
          .Run();
    }
  });
}

absl::Status RunStore::SaveCheckpoint(RunId run, const Checkpoint& checkpoint,
                                      uint64_t trust_change) {
  static_assert(std::endian::native == std::endian::little);
  return impl_->Guard([&] {
    if (!impl_->IsOfTrust(run, trust_change)) return;
    if (!checkpoint.seen.empty()) {
      const std::string_view hashes(reinterpret_cast<const char*>(checkpoint.seen.data()),
                                    checkpoint.seen.size() * sizeof(uint64_t));
      Use(impl_->Prepared("INSERT INTO seen_games (run, seq, hashes) VALUES (?, ?, ?)"))
          .Bind(run, checkpoint.seq, Bytes{hashes})
          .Run();
    }
    Use(impl_->Prepared("UPDATE runs SET evidence_seq = ?, counters = ? WHERE run = ?"))
        .Bind(checkpoint.seq, CountersToJson(checkpoint.counters), run)
        .Run();
  });
}

absl::Status RunStore::DropCheckpoint(RunId run, uint64_t trust_change) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("DELETE FROM evidence WHERE run = ?")).Bind(run).Run();
    Use(impl_->Prepared("DELETE FROM seen_games WHERE run = ?")).Bind(run).Run();
    Use(impl_->Prepared("UPDATE runs SET evidence_seq = 0, counters = '', trust_change = ?"
                        " WHERE run = ?"))
        .Bind(trust_change, run)
        .Run();
  });
}

absl::StatusOr<std::vector<EvidenceRow>> RunStore::ReadEvidence(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<EvidenceRow>> {
    std::vector<EvidenceRow> rows;
    absl::Status problem;
    Use use(
        impl_->Prepared("SELECT edge, sum, wins, draws, losses, repeats, seq, stage, frozen_sum,"
                        " frozen_wins, frozen_draws, frozen_losses, frozen_repeats FROM evidence"
                        " WHERE run = ? ORDER BY edge"));
    use.Bind(run);
    const auto evidence_at = [&](int column) {
      book::Evidence evidence;
      evidence.wins = use.In<uint32_t>(column, 0, kMaxUint32, problem);
      evidence.draws = use.In<uint32_t>(column + 1, 0, kMaxUint32, problem);
      evidence.losses = use.In<uint32_t>(column + 2, 0, kMaxUint32, problem);
      evidence.repeats = use.In<uint32_t>(column + 3, 0, kMaxUint32, problem);
      return evidence;
    };
    while (use.Step()) {
      EvidenceRow row;
      row.edge = use.In<book::EdgeId>(0, 0, kMaxUint32, problem);
      row.sum = use.Int(1);
      row.evidence = evidence_at(2);
      row.seq = use.In<uint64_t>(6, 0, kMaxInt, problem);
      row.stage = use.In<int>(7, -1, 1'000'000, problem);
      if (row.stage >= 0) {
        row.frozen_sum = use.Int(8);
        row.frozen_evidence = evidence_at(9);
      }
      rows.push_back(row);
    }
    if (!problem.ok()) return InRow(problem, impl_->store.path(), "evidence of run", run);
    return rows;
  });
}

absl::StatusOr<std::optional<RunCounters>> RunStore::ReadCounters(RunId run) {
  std::string json;
  RETURN_IF_ERROR(impl_->Guard([&] {
    Use use(impl_->Prepared("SELECT counters FROM runs WHERE run = ?"));
    use.Bind(run);
    if (use.Step()) json = use.Text(0);
  }));
  if (json.empty()) return std::optional<RunCounters>();
  absl::StatusOr<RunCounters> parsed = CountersFromJson(json);
  if (!parsed.ok()) return InRow(parsed.status(), impl_->store.path(), "runs", run);
  RunCounters counters = *std::move(parsed);
  return std::optional<RunCounters>(std::move(counters));
}

absl::Status RunStore::ForEachSeen(RunId run,
                                   const std::function<void(std::span<const uint64_t>)>& visit) {
  return impl_->Guard([&]() -> absl::Status {
    std::vector<uint64_t> hashes;
    Use use(impl_->Prepared("SELECT hashes FROM seen_games WHERE run = ? ORDER BY seq"));
    use.Bind(run);
    while (use.Step()) {
      const std::string_view bytes = use.Blob(0);
      if (bytes.size() % sizeof(uint64_t) != 0) {
        return InRow(DataLoss(absl::StrCat(bytes.size(), " bytes of hashes"), "8 bytes a game"),
                     impl_->store.path(), "seen_games of run", run);
      }
      hashes.resize(bytes.size() / sizeof(uint64_t));
      std::memcpy(hashes.data(), bytes.data(), bytes.size());
      visit(hashes);
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<uint64_t> RunStore::CountConflicts(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<uint64_t> {
    Use use(impl_->Prepared("SELECT count(*) FROM conflicts WHERE run = ?"));
    use.Bind(run);
    use.Step();
    return use.Unsigned(0);
  });
}

}  // namespace joseki::coordinator
