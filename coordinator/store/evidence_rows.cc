#include "coordinator/store/evidence_rows.h"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

// Whether the run's evidence is that of the trust up to this change.
bool IsOfTrust(Statements& sql, RunId run, uint64_t trust_change) {
  Use use(sql.Prepared("SELECT trust_change FROM runs WHERE run = ?"));
  use.Bind(run);
  return use.Step() && use.Unsigned(0) == trust_change;
}

}  // namespace

absl::Status EvidenceRows::Save(RunId run, std::span<const EvidenceRow> rows,
                                uint64_t trust_change) {
  return sql_.Guard([&] {
    if (!IsOfTrust(sql_, run, trust_change)) return;
    SQLite::Statement& insert = sql_.Prepared(
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

absl::Status EvidenceRows::SaveCheckpoint(RunId run, const Checkpoint& checkpoint,
                                          uint64_t trust_change) {
  static_assert(std::endian::native == std::endian::little);
  return sql_.Guard([&] {
    if (!IsOfTrust(sql_, run, trust_change)) return;
    if (!checkpoint.seen.empty()) {
      const std::vector<uint64_t> seen(checkpoint.seen.begin(), checkpoint.seen.end());
      const std::string_view hashes(reinterpret_cast<const char*>(seen.data()),
                                    seen.size() * sizeof(uint64_t));
      Use(sql_.Prepared("INSERT INTO seen_games (run, seq, hashes) VALUES (?, ?, ?)"))
          .Bind(run, checkpoint.seq, Bytes{hashes})
          .Run();
    }
    Use(sql_.Prepared("UPDATE runs SET evidence_seq = ?, counters = ? WHERE run = ?"))
        .Bind(checkpoint.seq, CountersToJson(checkpoint.counters), run)
        .Run();
  });
}

absl::Status EvidenceRows::DropCheckpoint(RunId run, uint64_t trust_change) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("DELETE FROM evidence WHERE run = ?")).Bind(run).Run();
    Use(sql_.Prepared("DELETE FROM seen_games WHERE run = ?")).Bind(run).Run();
    Use(sql_.Prepared("UPDATE runs SET evidence_seq = 0, counters = '', trust_change = ?"
                      " WHERE run = ?"))
        .Bind(trust_change, run)
        .Run();
  });
}

absl::StatusOr<std::vector<EvidenceRow>> EvidenceRows::Read(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<EvidenceRow>> {
    std::vector<EvidenceRow> rows;
    absl::Status problem;
    Use use(
        sql_.Prepared("SELECT edge, sum, wins, draws, losses, repeats, seq, stage, frozen_sum,"
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
    if (!problem.ok()) return InRow(problem, sql_.file(), "evidence of run", run);
    return rows;
  });
}

absl::StatusOr<std::optional<RunCounters>> EvidenceRows::ReadCounters(RunId run) {
  std::string json;
  RETURN_IF_ERROR(sql_.Guard([&] {
    Use use(sql_.Prepared("SELECT counters FROM runs WHERE run = ?"));
    use.Bind(run);
    if (use.Step()) json = use.Text(0);
  }));
  if (json.empty()) return std::optional<RunCounters>();
  absl::StatusOr<RunCounters> parsed = CountersFromJson(json);
  if (!parsed.ok()) return InRow(parsed.status(), sql_.file(), "runs", run);
  RunCounters counters = *std::move(parsed);
  return std::optional<RunCounters>(std::move(counters));
}

absl::Status EvidenceRows::ForEachSeen(
    RunId run, const std::function<void(std::span<const uint64_t>)>& visit) {
  return sql_.Guard([&]() -> absl::Status {
    std::vector<uint64_t> hashes;
    Use use(sql_.Prepared("SELECT hashes FROM seen_games WHERE run = ? ORDER BY seq"));
    use.Bind(run);
    while (use.Step()) {
      const std::string_view bytes = use.Blob(0);
      if (bytes.size() % sizeof(uint64_t) != 0) {
        return InRow(DataLoss(absl::StrCat(bytes.size(), " bytes of hashes"), "8 bytes a game"),
                     sql_.file(), "seen_games of run", run);
      }
      hashes.resize(bytes.size() / sizeof(uint64_t));
      std::memcpy(hashes.data(), bytes.data(), bytes.size());
      visit(hashes);
    }
    return absl::OkStatus();
  });
}

}  // namespace joseki::coordinator
