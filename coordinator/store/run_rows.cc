#include "coordinator/store/run_rows.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

constexpr char kRunColumns[] =
    "SELECT run, coalesce(request_id, ''), spec, snapshot, state, reason, created_ms, played_ms,"
    " stage, stage_seq, evidence_seq, trust_change FROM runs";

absl::StatusOr<RunRow> ParseRunRow(Use& use) {
  RunRow row;
  absl::Status problem;
  row.run = use.Unsigned(0);
  row.request_id = use.Text(1);
  ASSIGN_OR_RETURN(row.spec, SpecFromJson(use.Text(2)));
  const std::string_view sha256 = use.Blob(3);
  if (sha256.size() != row.snapshot.size()) {
    return DataLoss(absl::StrCat("a snapshot hash of ", sha256.size(), " bytes"), "32 bytes");
  }
  std::copy(sha256.begin(), sha256.end(), row.snapshot.begin());
  row.state = use.Text(4);
  row.reason = use.Text(5);
  row.created_ms = use.Int(6);
  row.played_ms = use.Int(7);
  row.stage = use.In<int>(8, 0, 1'000'000, problem);
  row.stage_seq = use.In<uint64_t>(9, 0, kMaxInt, problem);
  row.evidence_seq = use.In<uint64_t>(10, 0, kMaxInt, problem);
  row.trust_change = use.In<uint64_t>(11, 0, kMaxInt, problem);
  RETURN_IF_ERROR(problem);
  return row;
}

absl::StatusOr<RunRow> ReadRunRow(Use& use, const std::string& file) {
  absl::StatusOr<RunRow> row = ParseRunRow(use);
  if (!row.ok()) return InRow(row.status(), file, "runs", use.Unsigned(0));
  return row;
}

}  // namespace

absl::Status RunRows::InsertSnapshot(const Sha256& sha256, std::string_view bytes,
                                     std::string_view links) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("INSERT INTO snapshots (sha256, bytes, links) VALUES (?, ?, ?)"
                      " ON CONFLICT (sha256) DO UPDATE SET links = excluded.links"))
        .Bind(BytesOf(sha256), Bytes{bytes}, Bytes{links})
        .Run();
  });
}

absl::StatusOr<std::string> RunRows::ReadSnapshot(const Sha256& sha256) {
  return sql_.Guard([&]() -> absl::StatusOr<std::string> {
    Use use(sql_.Prepared("SELECT bytes FROM snapshots WHERE sha256 = ?"));
    use.Bind(BytesOf(sha256));
    if (!use.Step()) {
      return MakeProblem({.code = "unknown_snapshot",
                          .found = Hex(sha256),
                          .expected = "a snapshot of this database"},
                         absl::StatusCode::kNotFound);
    }
    return std::string(use.Blob(0));
  });
}

absl::StatusOr<std::string> RunRows::ReadLinks(const Sha256& sha256) {
  return sql_.Guard([&]() -> absl::StatusOr<std::string> {
    Use use(sql_.Prepared("SELECT links FROM snapshots WHERE sha256 = ?"));
    use.Bind(BytesOf(sha256));
    return use.Step() ? std::string(use.Blob(0)) : std::string();
  });
}

absl::Status RunRows::Insert(const RunRow& run) {
  return sql_.Guard([&] {
    Use use(sql_.Prepared(
        "INSERT INTO runs (run, request_id, spec, snapshot, state, reason, created_ms, played_ms,"
        " stage, stage_seq, evidence_seq, trust_change)"
        " VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    use.Bind(run.run, run.request_id, SpecToJson(run.spec), BytesOf(run.snapshot), run.state,
             run.reason, run.created_ms, run.played_ms, run.stage, run.stage_seq, run.evidence_seq,
             run.trust_change)
        .Run();
  });
}

absl::Status RunRows::Update(const RunRow& run) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("UPDATE runs SET spec = ?, state = ?, reason = ?, played_ms = ?, stage = ?,"
                      " stage_seq = ? WHERE run = ?"))
        .Bind(SpecToJson(run.spec), run.state, run.reason, run.played_ms, run.stage, run.stage_seq,
              run.run)
        .Run();
  });
}

absl::StatusOr<std::vector<RunRow>> RunRows::ReadAll() {
  static constexpr auto kSql = "SELECT run FROM runs ORDER BY run";
  std::vector<RunId> ids;
  RETURN_IF_ERROR(sql_.Guard([&] {
    Use use(sql_.Prepared(kSql));
    while (use.Step()) ids.push_back(use.Unsigned(0));
  }));
  std::vector<RunRow> rows;
  for (const RunId id : ids) {
    ASSIGN_OR_RETURN(RunRow row, Read(id));
    rows.push_back(std::move(row));
  }
  return rows;
}

absl::StatusOr<RunRow> RunRows::Read(RunId run) {
  static const std::string kSql = absl::StrCat(kRunColumns, " WHERE run = ?");
  return sql_.Guard([&]() -> absl::StatusOr<RunRow> {
    Use use(sql_.Prepared(kSql.c_str()));
    use.Bind(run);
    if (!use.Step()) {
      return MakeProblem({.code = "unknown_run",
                          .found = absl::StrCat("run ", run),
                          .expected = "a run of this database"},
                         absl::StatusCode::kNotFound);
    }
    return ReadRunRow(use, sql_.file());
  });
}

}  // namespace joseki::coordinator
