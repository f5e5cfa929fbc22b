#include "coordinator/store/copy_rows.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

// States of a copy (book/database/schema.sql).
constexpr int kCheckSame = 1;
constexpr int kCheckOther = 2;
constexpr int kCheckFault = 3;

// The open copies of games that stand in `table`.
std::string OpenCopiesAgainst(const std::string& table) {
  return absl::StrCat(
      "SELECT c.lease, c.slot, c.of_lease, c.of_slot, c.state, c.worker, cl.session,"
      " c.moves_hash, c.nodes, c.result, c.termination,"
      " g.worker, gl.session, g.moves_hash, g.nodes, g.result, g.termination"
      " FROM checks c JOIN leases cl ON cl.lease = c.lease JOIN ",
      table,
      " g ON g.run = c.run AND g.lease = c.of_lease AND g.slot = c.of_slot"
      " JOIN leases gl ON gl.lease = c.of_lease"
      " WHERE c.run = ?1 AND (c.settled = 0 OR (c.state = 1 AND (c.of_lease, c.of_slot) IN"
      " (SELECT of_lease, of_slot FROM checks WHERE run = ?1 AND settled = 0 AND state = 2)))");
}

}  // namespace

absl::Status CopyRows::Insert(RunId run, const SlotRef& key, const SlotRef& of,
                              const std::string& worker) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("INSERT INTO checks (run, lease, slot, of_lease, of_slot, worker, state,"
                      " settled, payload_hash, moves_hash, result, termination, nodes, seen_ms,"
                      " moves) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, x'')"))
        .Bind(run, key.lease, key.slot, of.lease, of.slot, worker)
        .Run();
  });
}

absl::StatusOr<FinishedCopy> CopyRows::Finish(const GameRow& game, const SlotRef& of) {
  return sql_.Guard([&]() -> absl::StatusOr<FinishedCopy> {
    {
      Use row(sql_.Prepared(
          "SELECT state, payload_hash FROM checks WHERE run = ? AND lease = ? AND slot = ?"));
      row.Bind(game.run, game.lease, game.slot);
      if (!row.Step()) return FinishedCopy{Inserted::kConflict};
      if (row.Int(0) != 0) {
        return FinishedCopy{row.Unsigned(1) == game.payload_hash ? Inserted::kDuplicate
                                                                 : Inserted::kConflict};
      }
    }
    bool same = false;
    uint64_t of_seq = 0;
    {
      Use original(sql_.Prepared(
          "SELECT 0 FROM games WHERE run = ?1 AND lease = ?2 AND slot = ?3 AND moves_hash = ?4"
          " AND result = ?5 AND termination = ?6 AND nodes = ?7 UNION ALL"
          " SELECT 0 FROM archived_games WHERE run = ?1 AND lease = ?2 AND slot = ?3"
          " AND moves_hash = ?4 AND result = ?5 AND termination = ?6 AND nodes = ?7 UNION ALL"
          " SELECT seq FROM evaluations WHERE run = ?1 AND lease = ?2 AND slot = ?3"
          " AND moves_hash = ?4 AND result = ?5 AND termination = ?6 AND nodes = ?7"));
      original.Bind(game.run, of.lease, of.slot, book::Signed(game.moves_hash), game.ending.result,
                    game.ending.termination, book::Signed(game.nodes));
      same = original.Step();
      if (same) of_seq = original.Unsigned(0);
    }
    const bool fault = IsFault(game.ending.termination);
    const int state = fault ? kCheckFault : same ? kCheckSame : kCheckOther;
    const std::string moves = same ? "" : EncodeMoves(game.moves);
    Use(sql_.Prepared("UPDATE checks SET state = ?, settled = ?, payload_hash = ?, moves_hash = ?,"
                      " result = ?, termination = ?, nodes = ?, seen_ms = ?, moves = ?"
                      " WHERE run = ? AND lease = ? AND slot = ?"))
        .Bind(state, state != kCheckOther, book::Signed(game.payload_hash),
              book::Signed(game.moves_hash), game.ending.result, game.ending.termination,
              book::Signed(game.nodes), game.accepted_ms, Bytes{moves}, game.run, game.lease,
              game.slot)
        .Run();
    return FinishedCopy{Inserted::kNew, same, of_seq};
  });
}

absl::Status CopyRows::Close(RunId run, const SlotRef& of) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("UPDATE checks SET settled = 1 WHERE run = ? AND settled = 0"
                      " AND state <> 0 AND of_lease = ? AND of_slot = ?"))
        .Bind(run, of.lease, of.slot)
        .Run();
  });
}

absl::StatusOr<std::vector<CopyRow>> CopyRows::ReadOpen(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<CopyRow>> {
    std::vector<CopyRow> rows;
    absl::Status problem;
    // Copies that are open themselves first; then, if they include a dispute, those that agree with
    // the game.
    static const std::string kSql =
        absl::StrCat(OpenCopiesAgainst("games"), " UNION ALL ", OpenCopiesAgainst("archived_games"),
                     " UNION ALL ", OpenCopiesAgainst("evaluations"), " ORDER BY 1, 2");
    Use use(sql_.Prepared(kSql.c_str()));
    use.Bind(run);
    const auto testimony = [&](int column) {
      Testimony read;
      read.worker = use.Text(column);
      read.session = use.Unsigned(column + 1);
      read.outcome.moves_hash = use.Unsigned(column + 2);
      read.outcome.nodes = use.Unsigned(column + 3);
      read.outcome.ending.result =
          use.In<Result>(column + 4, 0, static_cast<int64_t>(Result::kDraw), problem);
      read.outcome.ending.termination = use.In<Termination>(
          column + 5, 0, static_cast<int64_t>(Termination::kInterrupted), problem);
      return read;
    };
    while (use.Step()) {
      CopyRow row;
      row.run = run;
      row.key = {use.Unsigned(0), use.In<uint32_t>(1, 0, kMaxUint32, problem)};
      row.of = {use.Unsigned(2), use.In<uint32_t>(3, 0, kMaxUint32, problem)};
      row.given_out = use.In<int>(4, 0, kCheckFault, problem) == 0;
      row.testimony = testimony(5);
      row.game = testimony(11);
      rows.push_back(std::move(row));
    }
    if (!problem.ok()) return InRow(problem, sql_.file(), "checks of run", run);
    return rows;
  });
}

absl::StatusOr<std::vector<SlotRef>> CopyRows::ReadFinished(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<SlotRef>> {
    std::vector<SlotRef> keys;
    absl::Status problem;
    Use use(sql_.Prepared("SELECT lease, slot FROM checks WHERE run = ? AND state <> 0"));
    use.Bind(run);
    while (use.Step()) {
      keys.push_back({use.Unsigned(0), use.In<uint32_t>(1, 0, kMaxUint32, problem)});
    }
    if (!problem.ok()) return InRow(problem, sql_.file(), "checks of run", run);
    return keys;
  });
}

absl::StatusOr<std::map<SlotRef, std::vector<SearchedAgain>>> CopyRows::ReadSearchedAgain(
    RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<std::map<SlotRef, std::vector<SearchedAgain>>> {
    std::map<SlotRef, std::vector<SearchedAgain>> again;
    absl::Status problem;
    Use use(
        sql_.Prepared("SELECT c.of_lease, c.of_slot, c.lease, c.worker FROM checks c"
                      " JOIN evaluations e ON e.run = c.run AND e.lease = c.of_lease"
                      " AND e.slot = c.of_slot WHERE c.run = ? AND c.state = 1"));
    use.Bind(run);
    while (use.Step()) {
      const SlotRef of{use.Unsigned(0), use.In<uint32_t>(1, 0, kMaxUint32, problem)};
      again[of].push_back({use.Unsigned(2), use.Text(3)});
    }
    if (!problem.ok()) return InRow(problem, sql_.file(), "checks of run", run);
    return again;
  });
}

absl::StatusOr<CopyCounts> CopyRows::Count(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<CopyCounts> {
    Use use(
        sql_.Prepared("SELECT coalesce(sum(state = 1), 0), coalesce(sum(state = 2), 0)"
                      " FROM checks WHERE run = ?"));
    use.Bind(run);
    use.Step();
    return CopyCounts{use.Unsigned(0), use.Unsigned(1)};
  });
}

}  // namespace joseki::coordinator
