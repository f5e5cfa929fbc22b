#include "coordinator/store/run_store.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/run_store_impl.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kProbeBytes = size_t{64} * 1024;

constexpr char kRunColumns[] =
    "SELECT run, coalesce(request_id, ''), spec, snapshot, state, reason, created_ms, played_ms,"
    " stage, stage_seq, evidence_seq, trust_change FROM runs";
constexpr char kLeaseColumns[] =
    "SELECT lease, run, worker, session, stage, state, granted_ms, term_ms, slots, process"
    " FROM leases";

std::string FailedText(const std::vector<LineFailure>& failed) {
  std::string text;
  for (const LineFailure& failure : failed) {
    absl::StrAppend(&text, text.empty() ? "" : " ", failure.lease, ":", failure.worker);
  }
  return text;
}

absl::StatusOr<std::vector<LineFailure>> FailedOf(const std::string& text) {
  std::vector<LineFailure> failed;
  const std::vector<std::string> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  for (const std::string& word : words) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits(':', 1));
    LineFailure& failure = failed.emplace_back();
    failure.worker = parts.second;
    if (!absl::SimpleAtoi(parts.first, &failure.lease) || failure.worker.empty()) {
      return DataLoss(absl::StrCat("a failure ", Quote(word)), "LEASE:WORKER");
    }
  }
  return failed;
}

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

absl::StatusOr<LeaseRow> ParseLeaseRow(Use& use) {
  LeaseRow row;
  absl::Status problem;
  row.grant.lease = use.Unsigned(0);
  row.grant.run = use.Unsigned(1);
  row.grant.worker = use.Text(2);
  row.grant.session = use.Unsigned(3);
  row.grant.stage = use.In<int>(4, 0, 1'000'000, problem);
  row.state = use.In<LeaseState>(5, 0, static_cast<int64_t>(LeaseState::kAbandoned), problem);
  row.granted_ms = use.Int(6);
  row.grant.term = absl::Milliseconds(use.In<int64_t>(7, 0, int64_t{1} << 40, problem));
  RETURN_IF_ERROR(problem);
  ASSIGN_OR_RETURN(row.grant.slots, DecodeSlots(use.Blob(8)));
  row.grant.process = use.Unsigned(9);
  return row;
}

absl::StatusOr<RunRow> ReadRunRow(Use& use, const std::string& file) {
  absl::StatusOr<RunRow> row = ParseRunRow(use);
  if (!row.ok()) return InRow(row.status(), file, "runs", use.Unsigned(0));
  return row;
}

absl::StatusOr<LeaseRow> ReadLeaseRow(Use& use, const std::string& file) {
  absl::StatusOr<LeaseRow> row = ParseLeaseRow(use);
  if (!row.ok()) return InRow(row.status(), file, "leases", use.Unsigned(0));
  return row;
}

}  // namespace

RunStore::RunStore(book::Store& store) : impl_(std::make_unique<Impl>(store)) {}
RunStore::~RunStore() = default;

const std::string& RunStore::epoch() const { return impl_->store.epoch(); }
book::Store& RunStore::store() { return impl_->store; }

absl::Status RunStore::Begin() {
  return impl_->Guard([&] { impl_->store.db().exec("BEGIN IMMEDIATE"); });
}

absl::Status RunStore::Commit() {
  return impl_->Guard([&] { impl_->store.db().exec("COMMIT"); });
}

void RunStore::Rollback() {
  // Some errors have already rolled back; then there is nothing left to undo.
  if (sqlite3_get_autocommit(impl_->store.db().getHandle()) == 0) {
    impl_->store.db().tryExec("ROLLBACK");
  }
}

absl::Status RunStore::BeginRead() {
  // Unlike transactions, savepoints may stand in one another.
  return impl_->Guard([&] { impl_->store.db().exec("SAVEPOINT reading"); });
}

void RunStore::EndRead() {
  impl_->Guard([&] { impl_->store.db().exec("RELEASE reading"); }).IgnoreError();
}

absl::StatusOr<RunStore::Marks> RunStore::ReadMarks() {
  return impl_->Guard([&]() -> absl::StatusOr<Marks> {
    Marks marks;
    // The sequence table remembers numbers whose rows are gone.
    Use names(impl_->Prepared("SELECT name, seq FROM sqlite_sequence"));
    while (names.Step()) {
      const std::string name = names.Text(0);
      const uint64_t next = names.Unsigned(1) + 1;
      if (name == "runs") marks.run = next;
      if (name == "leases") marks.lease = next;
      if (name == "sessions") marks.session = next;
    }
    Use last(
        impl_->Prepared("SELECT max(coalesce((SELECT max(commit_seq) FROM games), 0),"
                        " coalesce((SELECT max(last_seq) FROM archives), 0))"));
    last.Step();
    marks.commit_seq = last.Unsigned(0);
    return marks;
  });
}

absl::Status RunStore::InsertSnapshot(const Sha256& sha256, std::string_view bytes,
                                      std::string_view links) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("INSERT INTO snapshots (sha256, bytes, links) VALUES (?, ?, ?)"
                        " ON CONFLICT (sha256) DO UPDATE SET links = excluded.links"))
        .Bind(BytesOf(sha256), Bytes{bytes}, Bytes{links})
        .Run();
  });
}

absl::StatusOr<std::string> RunStore::ReadLinks(const Sha256& sha256) {
  return impl_->Guard([&]() -> absl::StatusOr<std::string> {
    Use use(impl_->Prepared("SELECT links FROM snapshots WHERE sha256 = ?"));
    use.Bind(BytesOf(sha256));
    return use.Step() ? std::string(use.Blob(0)) : std::string();
  });
}

absl::StatusOr<std::string> RunStore::ReadSnapshot(const Sha256& sha256) {
  return impl_->Guard([&]() -> absl::StatusOr<std::string> {
    Use use(impl_->Prepared("SELECT bytes FROM snapshots WHERE sha256 = ?"));
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

absl::Status RunStore::InsertRun(const RunRow& run) {
  return impl_->Guard([&] {
    Use use(impl_->Prepared(
        "INSERT INTO runs (run, request_id, spec, snapshot, state, reason, created_ms, played_ms,"
        " stage, stage_seq, evidence_seq, trust_change)"
        " VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    use.Bind(run.run, run.request_id, SpecToJson(run.spec), BytesOf(run.snapshot), run.state,
             run.reason, run.created_ms, run.played_ms, run.stage, run.stage_seq, run.evidence_seq,
             run.trust_change)
        .Run();
  });
}

absl::Status RunStore::UpdateRun(const RunRow& run) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("UPDATE runs SET spec = ?, state = ?, reason = ?, played_ms = ?, stage = ?,"
                        " stage_seq = ? WHERE run = ?"))
        .Bind(SpecToJson(run.spec), run.state, run.reason, run.played_ms, run.stage, run.stage_seq,
              run.run)
        .Run();
  });
}

absl::StatusOr<std::vector<RunRow>> RunStore::ReadRuns() {
  static constexpr auto kSql = "SELECT run FROM runs ORDER BY run";
  std::vector<RunId> ids;
  RETURN_IF_ERROR(impl_->Guard([&] {
    Use use(impl_->Prepared(kSql));
    while (use.Step()) ids.push_back(use.Unsigned(0));
  }));
  std::vector<RunRow> rows;
  for (const RunId id : ids) {
    ASSIGN_OR_RETURN(RunRow row, ReadRun(id));
    rows.push_back(std::move(row));
  }
  return rows;
}

absl::StatusOr<RunRow> RunStore::ReadRun(RunId run) {
  static const std::string kSql = absl::StrCat(kRunColumns, " WHERE run = ?");
  return impl_->Guard([&]() -> absl::StatusOr<RunRow> {
    Use use(impl_->Prepared(kSql.c_str()));
    use.Bind(run);
    if (!use.Step()) {
      return MakeProblem({.code = "unknown_run",
                          .found = absl::StrCat("run ", run),
                          .expected = "a run of this database"},
                         absl::StatusCode::kNotFound);
    }
    return ReadRunRow(use, impl_->store.path());
  });
}

absl::Status RunStore::InsertSession(const SessionRow& session) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("INSERT INTO sessions (session, worker, slots, build, joined_ms)"
                        " VALUES (?, ?, ?, ?, ?)"))
        .Bind(session.session, session.worker, session.seats, session.build, session.joined_ms)
        .Run();
  });
}

absl::Status RunStore::EndSession(SessionId session, int64_t left_ms) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("UPDATE sessions SET left_ms = ? WHERE session = ?"))
        .Bind(left_ms, session)
        .Run();
  });
}

absl::StatusOr<bool> RunStore::HasSession(const std::string& worker) {
  return impl_->Guard([&]() -> absl::StatusOr<bool> {
    Use use(impl_->Prepared("SELECT 1 FROM sessions WHERE worker = ? LIMIT 1"));
    use.Bind(worker);
    return use.Step();
  });
}

absl::Status RunStore::InsertLease(const LeaseGrant& grant, int64_t granted_ms, LeaseState state) {
  return impl_->Guard([&] {
    Use use(
        impl_->Prepared("INSERT INTO leases (lease, run, worker, session, stage, state,"
                        " granted_ms, term_ms, slots, replaces, process)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const bool replaces =
        std::any_of(grant.slots.begin(), grant.slots.end(),
                    [](const PlannedSlot& plan) { return plan.replaces.lease != 0; });
    const std::string slots = EncodeSlots(grant.slots);
    use.Bind(grant.lease, grant.run, grant.worker, grant.session, grant.stage, state, granted_ms,
             absl::ToInt64Milliseconds(grant.term), Bytes{slots}, replaces,
             book::Signed(grant.process))
        .Run();
  });
}

absl::Status RunStore::SetLeaseState(LeaseId lease, LeaseState state) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("UPDATE leases SET state = ? WHERE lease = ?")).Bind(state, lease).Run();
  });
}

absl::StatusOr<LeaseRow> RunStore::ReadLease(LeaseId lease) {
  static const std::string kSql = absl::StrCat(kLeaseColumns, " WHERE lease = ?");
  return impl_->Guard([&]() -> absl::StatusOr<LeaseRow> {
    Use use(impl_->Prepared(kSql.c_str()));
    use.Bind(lease);
    if (!use.Step()) {
      return MakeProblem({.code = "unknown_lease",
                          .found = absl::StrCat("lease ", lease),
                          .expected = "a lease of this database"},
                         absl::StatusCode::kNotFound);
    }
    return ReadLeaseRow(use, impl_->store.path());
  });
}

absl::StatusOr<std::vector<LeaseRow>> RunStore::ReadUnfinishedLeases(RunId run) {
  static const std::string kSql =
      absl::StrCat(kLeaseColumns, " WHERE run = ? AND state <> 1 ORDER BY lease");
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<LeaseRow>> {
    std::vector<LeaseRow> rows;
    Use use(impl_->Prepared(kSql.c_str()));
    use.Bind(run);
    while (use.Step()) {
      ASSIGN_OR_RETURN(LeaseRow row, ReadLeaseRow(use, impl_->store.path()));
      rows.push_back(std::move(row));
    }
    return rows;
  });
}

absl::StatusOr<std::set<uint32_t>> RunStore::ReadFilledSlots(RunId run, LeaseId lease) {
  return impl_->Guard([&]() -> absl::StatusOr<std::set<uint32_t>> {
    std::set<uint32_t> filled;
    Use use(
        impl_->Prepared("SELECT slot FROM games WHERE run = ?1 AND lease = ?2 UNION ALL"
                        " SELECT slot FROM checks WHERE run = ?1 AND lease = ?2 AND state <> 0"
                        " UNION ALL SELECT slot FROM archived_games WHERE run = ?1 AND lease = ?2"
                        " UNION ALL SELECT slot FROM evaluations WHERE run = ?1 AND lease = ?2"));
    use.Bind(run, lease);
    while (use.Step()) filled.insert(static_cast<uint32_t>(use.Int(0)));
    return filled;
  });
}

absl::StatusOr<std::vector<SlotRef>> RunStore::ReadReplaced(RunId run, LeaseId after) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<SlotRef>> {
    std::vector<SlotRef> replaced;
    Use use(impl_->Prepared(
        "SELECT slots, lease FROM leases WHERE run = ? AND lease > ? AND replaces <> 0"));
    use.Bind(run, after);
    while (use.Step()) {
      const absl::StatusOr<std::vector<PlannedSlot>> slots = DecodeSlots(use.Blob(0));
      if (!slots.ok()) {
        return InRow(slots.status(), impl_->store.path(), "leases", use.Unsigned(1));
      }
      for (const PlannedSlot& plan : *slots) {
        if (plan.replaces.lease != 0) replaced.push_back(plan.replaces);
      }
    }
    return replaced;
  });
}

absl::Status RunStore::InsertPoisoned(RunId run, const PoisonedLine& line) {
  return impl_->Guard([&] {
    Use use(impl_->Prepared(
        "INSERT INTO poisoned_lines (run, line, attempts, reason, failed, freed)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run, line) DO UPDATE SET"
        " attempts = excluded.attempts, reason = excluded.reason, failed = excluded.failed,"
        " freed = excluded.freed"));
    const std::string moves = EncodeMoves(line.line);
    use.Bind(run, Bytes{moves}, line.attempts, line.reason, FailedText(line.failed), line.freed)
        .Run();
  });
}

absl::StatusOr<std::vector<PoisonedLine>> RunStore::ReadPoisoned(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<PoisonedLine>> {
    std::vector<PoisonedLine> lines;
    absl::Status problem;
    Use use(impl_->Prepared(
        "SELECT line, attempts, reason, failed, freed FROM poisoned_lines WHERE run = ?"
        " ORDER BY line"));
    use.Bind(run);
    while (use.Step()) {
      PoisonedLine line;
      absl::StatusOr<std::vector<Move>> moves = DecodeMoves(use.Blob(0));
      if (!moves.ok()) {
        return InRow(moves.status(), impl_->store.path(), "poisoned_lines of run", run);
      }
      line.line = *std::move(moves);
      line.attempts = use.In<uint32_t>(1, 0, kMaxUint32, problem);
      line.reason = use.Text(2);
      absl::StatusOr<std::vector<LineFailure>> failed = FailedOf(use.Text(3));
      problem.Update(failed.status());
      if (failed.ok()) line.failed = *std::move(failed);
      line.freed = use.In<uint64_t>(4, 0, kMaxInt, problem);
      if (!problem.ok()) {
        return InRow(problem, impl_->store.path(), "poisoned_lines of run", run);
      }
      lines.push_back(std::move(line));
    }
    return lines;
  });
}

absl::Status RunStore::Probe() {
  RETURN_IF_ERROR(Begin());
  absl::Status status = impl_->Guard([&] {
    Use(impl_->Prepared("INSERT INTO meta VALUES ('write_probe', ?)"
                        " ON CONFLICT (name) DO UPDATE SET value = excluded.value"))
        .Bind(std::string(kProbeBytes, '0'))
        .Run();
  });
  if (status.ok()) status = Commit();
  if (!status.ok()) {
    Rollback();
    return status;
  }
  return impl_->Guard(
      [&] { impl_->store.db().exec("DELETE FROM meta WHERE name = 'write_probe'"); });
}

}  // namespace joseki::coordinator
