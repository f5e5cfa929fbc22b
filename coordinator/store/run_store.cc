#include "coordinator/store/run_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/store/sql.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kProbeBytes = size_t{64} * 1024;

// 64-bit hashes and ids are stored in SQLite's signed integers, bit for bit.
int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

// A prepared statement for one use: bound in order, and reset when the use is over, so that no
// forgotten cursor keeps a snapshot of the database alive.
class Use {
 public:
  explicit Use(SQLite::Statement& statement) : statement_(statement) {}
  ~Use() { statement_.tryReset(); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  template <typename... Args>
  Use& Bind(const Args&... args) {
    (BindOne(args), ...);
    return *this;
  }
  bool Step() { return statement_.executeStep(); }
  // For a statement without rows; how many rows it changed.
  int Run() { return statement_.exec(); }

  int64_t Int(int column) { return statement_.getColumn(column).getInt64(); }
  uint64_t Unsigned(int column) { return static_cast<uint64_t>(Int(column)); }
  std::string Text(int column) { return statement_.getColumn(column).getString(); }
  bool IsNull(int column) { return statement_.getColumn(column).isNull(); }
  std::string_view Blob(int column) {
    const SQLite::Column value = statement_.getColumn(column);
    const auto* bytes = static_cast<const char*>(value.getBlob());
    return bytes == nullptr ? std::string_view()
                            : std::string_view(bytes, static_cast<size_t>(value.getBytes()));
  }
  // A number of the row that must lie in [low, high].
  template <typename T>
  T In(int column, int64_t low, int64_t high, absl::Status& problem) {
    const int64_t value = Int(column);
    if (value < low || value > high) {
      problem.Update(
          MakeProblem({.code = "bad_row",
                       .found = absl::StrCat(statement_.getColumnName(column), " ", value),
                       .expected = absl::StrCat("a number from ", low, " to ", high)},
                      absl::StatusCode::kDataLoss));
      return T{};
    }
    return static_cast<T>(value);
  }

 private:
  template <typename T>
  void BindOne(const T& value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
      statement_.bind(next_++);
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      statement_.bind(next_++, static_cast<int64_t>(value));
    } else if constexpr (requires { value.blob; }) {
      const std::string_view bytes = value.blob;
      // A null pointer would bind NULL, not an empty blob.
      statement_.bindNoCopy(next_++, bytes.empty() ? "" : bytes.data(),
                            static_cast<int>(bytes.size()));
    } else if constexpr (std::is_same_v<T, std::string>) {
      statement_.bind(next_++, value);
    } else {
      statement_.bind(next_++, std::string(value));
    }
  }

  SQLite::Statement& statement_;
  int next_ = 1;
};

// Marks bytes that are bound as a blob, and stay where they are until the statement has run.
struct Bytes {
  std::string_view blob;
};
Bytes BytesOf(const Sha256& hash) {
  return {std::string_view(reinterpret_cast<const char*>(hash.data()), hash.size())};
}

// States of a check (schema.h).
constexpr int kCheckSame = 1;
constexpr int kCheckOther = 2;
constexpr int kCheckFault = 3;

constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();
constexpr int64_t kMaxUint32 = std::numeric_limits<uint32_t>::max();

absl::Status DataLoss(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_row", .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kDataLoss);
}

constexpr char kRunColumns[] =
    "SELECT run, coalesce(request_id, ''), spec, snapshot, state, reason, created_ms, played_ms,"
    " stage, stage_seq, evidence_seq, trust_change FROM runs";
constexpr char kLeaseColumns[] =
    "SELECT lease, run, worker, session, stage, state, granted_ms, term_ms, slots, process"
    " FROM leases";
constexpr char kGameColumns[] =
    "SELECT run, lease, slot, commit_seq, stage, worker, payload_hash, moves_hash, book_plies,"
    " result, termination, stale, nodes, think_ms, accepted_ms, moves, coalesce(fault, ''),"
    " scores, resign_check FROM games";

absl::StatusOr<RunRow> ReadRunRow(Use& use) {
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

absl::StatusOr<LeaseRow> ReadLeaseRow(Use& use) {
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

absl::StatusOr<GameRow> ReadGameRow(Use& use) {
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

}  // namespace

struct RunStore::Impl {
  explicit Impl(Store& s) : store(s) {}

  // The statement of this text, prepared at its first use. REQUIRES: a string literal.
  SQLite::Statement& Prepared(const char* sql) {
    std::unique_ptr<SQLite::Statement>& statement = statements[sql];
    if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(store.db(), sql);
    return *statement;
  }
  template <typename Body>
  auto Guard(Body&& body) {
    return GuardSql(store.path(), std::forward<Body>(body));
  }

  bool IsOfTrust(RunId run, uint64_t trust_change) {
    Use use(Prepared("SELECT trust_change FROM runs WHERE run = ?"));
    use.Bind(run);
    return use.Step() && use.Unsigned(0) == trust_change;
  }

  Store& store;
  std::map<const char*, std::unique_ptr<SQLite::Statement>> statements;
};

RunStore::RunStore(Store& store) : impl_(std::make_unique<Impl>(store)) {}
RunStore::~RunStore() = default;

const std::string& RunStore::epoch() const { return impl_->store.epoch(); }
Store& RunStore::store() { return impl_->store; }

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
    Use last(impl_->Prepared("SELECT coalesce(max(commit_seq), 0) FROM games"));
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
    return ReadRunRow(use);
  });
}

absl::Status RunStore::InsertSession(const SessionRow& session) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("INSERT INTO sessions (session, worker, slots, build, joined_ms)"
                        " VALUES (?, ?, ?, ?, ?)"))
        .Bind(session.session, session.worker, session.slots, session.build, session.joined_ms)
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
             absl::ToInt64Milliseconds(grant.term), Bytes{slots}, replaces, Signed(grant.process))
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
    return ReadLeaseRow(use);
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
      ASSIGN_OR_RETURN(LeaseRow row, ReadLeaseRow(use));
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
                        " UNION ALL SELECT slot FROM evaluations WHERE run = ?1 AND lease = ?2"));
    use.Bind(run, lease);
    while (use.Step()) filled.insert(static_cast<uint32_t>(use.Int(0)));
    return filled;
  });
}

absl::StatusOr<std::vector<SlotRef>> RunStore::ReadReplaced(RunId run, LeaseId after) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<SlotRef>> {
    std::vector<SlotRef> replaced;
    Use use(
        impl_->Prepared("SELECT slots FROM leases WHERE run = ? AND lease > ? AND replaces <> 0"));
    use.Bind(run, after);
    while (use.Step()) {
      ASSIGN_OR_RETURN(const std::vector<PlannedSlot> slots, DecodeSlots(use.Blob(0)));
      for (const PlannedSlot& plan : slots) {
        if (plan.replaces.lease != 0) replaced.push_back(plan.replaces);
      }
    }
    return replaced;
  });
}

absl::StatusOr<RunStore::Insert> RunStore::InsertGame(const GameRow& game) {
  const absl::StatusOr<bool> added = impl_->Guard([&]() -> absl::StatusOr<bool> {
    Use use(impl_->Prepared(
        "INSERT INTO games (run, lease, slot, commit_seq, stage, worker, payload_hash, moves_hash,"
        " book_plies, result, termination, stale, nodes, think_ms, accepted_ms, moves, fault,"
        " scores, resign_check)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, x''), ?)"
        " ON CONFLICT (run, lease, slot) DO NOTHING"));
    const std::string_view moves = MoveBytes(game.moves);
    const std::string scores = EncodeScores(game.scores);
    use.Bind(game.run, game.lease, game.slot, game.commit_seq, game.stage, game.worker,
             Signed(game.payload_hash), Signed(game.moves_hash), game.book_plies,
             game.ending.result, game.ending.termination, game.stale, Signed(game.nodes),
             game.think_ms, game.accepted_ms, Bytes{moves}, game.fault, Bytes{scores},
             game.resign_check);
    return use.Run() == 1;
  });
  RETURN_IF_ERROR(added.status());
  if (*added) return Insert::kNew;
  ASSIGN_OR_RETURN(const std::optional<Insert> insert,
                   CompareGame(game.run, game.lease, game.slot, game.payload_hash));
  if (!insert) return DataLoss("a key that is taken and not there", "a game under it");
  return *insert;
}

absl::StatusOr<std::optional<RunStore::Insert>> RunStore::CompareGame(RunId run, LeaseId lease,
                                                                      uint32_t slot,
                                                                      uint64_t payload_hash) {
  return impl_->Guard([&]() -> absl::StatusOr<std::optional<Insert>> {
    Use use(
        impl_->Prepared("SELECT payload_hash FROM games WHERE run = ?1 AND lease = ?2 AND slot = ?3"
                        " UNION ALL SELECT payload_hash FROM checks"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3 AND state <> 0"
                        " UNION ALL SELECT payload_hash FROM evaluations"
                        " WHERE run = ?1 AND lease = ?2 AND slot = ?3"));
    use.Bind(run, lease, slot);
    if (!use.Step()) return std::optional<Insert>();
    return std::optional<Insert>(use.Unsigned(0) == payload_hash ? Insert::kDuplicate
                                                                 : Insert::kConflict);
  });
}

absl::Status RunStore::InsertConflict(const GameRow& game, int64_t seen_ms) {
  return impl_->Guard([&] {
    // A worker that sends the same conflicting game again adds nothing.
    Use use(impl_->Prepared(
        "INSERT INTO conflicts (run, lease, slot, worker, payload_hash, seen_ms, moves)"
        " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM conflicts WHERE"
        " run = ?1 AND lease = ?2 AND slot = ?3 AND payload_hash = ?5)"));
    const std::string_view moves = MoveBytes(game.moves);
    use.Bind(game.run, game.lease, game.slot, game.worker, Signed(game.payload_hash), seen_ms,
             Bytes{moves})
        .Run();
  });
}

absl::Status RunStore::ForEachGame(RunId run, uint64_t after,
                                   const std::function<absl::Status(const GameRow&)>& visit) {
  static const std::string kSql =
      // The plus keeps SQLite from reading the whole of the run's keys for a few games at the end.
      absl::StrCat(kGameColumns, " WHERE commit_seq > ? AND +run = ? ORDER BY commit_seq");
  return impl_->Guard([&]() -> absl::Status {
    Use use(impl_->Prepared(kSql.c_str()));
    use.Bind(after, run);
    while (use.Step()) {
      ASSIGN_OR_RETURN(const GameRow row, ReadGameRow(use));
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
      ASSIGN_OR_RETURN(GameRow row, ReadGameRow(use));
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
    RETURN_IF_ERROR(problem);
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
  ASSIGN_OR_RETURN(RunCounters counters, CountersFromJson(json));
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
        return DataLoss(absl::StrCat(bytes.size(), " bytes of hashes"), "8 bytes a game");
      }
      hashes.resize(bytes.size() / sizeof(uint64_t));
      std::memcpy(hashes.data(), bytes.data(), bytes.size());
      visit(hashes);
    }
    return absl::OkStatus();
  });
}

absl::Status RunStore::InsertCheck(RunId run, const SlotRef& key, const SlotRef& of,
                                   const std::string& worker) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("INSERT INTO checks (run, lease, slot, of_lease, of_slot, worker, state,"
                        " settled, payload_hash, moves_hash, result, termination, nodes, seen_ms,"
                        " moves) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, x'')"))
        .Bind(run, key.lease, key.slot, of.lease, of.slot, worker)
        .Run();
  });
}

absl::StatusOr<RunStore::FinishedCheck> RunStore::FinishCheck(const GameRow& game,
                                                              const SlotRef& of) {
  return impl_->Guard([&]() -> absl::StatusOr<FinishedCheck> {
    {
      Use row(impl_->Prepared(
          "SELECT state, payload_hash FROM checks WHERE run = ? AND lease = ? AND slot = ?"));
      row.Bind(game.run, game.lease, game.slot);
      if (!row.Step()) return FinishedCheck{Insert::kConflict, false};
      if (row.Int(0) != 0) {
        return FinishedCheck{
            row.Unsigned(1) == game.payload_hash ? Insert::kDuplicate : Insert::kConflict, false};
      }
    }
    bool same = false;
    {
      Use original(impl_->Prepared(
          "SELECT 1 FROM games WHERE run = ? AND lease = ? AND slot = ? AND moves_hash = ?"
          " AND result = ? AND termination = ? AND nodes = ?"));
      original.Bind(game.run, of.lease, of.slot, Signed(game.moves_hash), game.ending.result,
                    game.ending.termination, Signed(game.nodes));
      same = original.Step();
    }
    const bool fault = IsFault(game.ending.termination);
    const int state = fault ? kCheckFault : same ? kCheckSame : kCheckOther;
    const std::string moves = same ? "" : EncodeMoves(game.moves);
    Use(impl_->Prepared(
            "UPDATE checks SET state = ?, settled = ?, payload_hash = ?, moves_hash = ?,"
            " result = ?, termination = ?, nodes = ?, seen_ms = ?, moves = ?"
            " WHERE run = ? AND lease = ? AND slot = ?"))
        .Bind(state, state != kCheckOther, Signed(game.payload_hash), Signed(game.moves_hash),
              game.ending.result, game.ending.termination, Signed(game.nodes), game.accepted_ms,
              Bytes{moves}, game.run, game.lease, game.slot)
        .Run();
    return FinishedCheck{Insert::kNew, same};
  });
}

absl::Status RunStore::SettleChecks(RunId run, const SlotRef& of) {
  return impl_->Guard([&] {
    Use(impl_->Prepared("UPDATE checks SET settled = 1 WHERE run = ? AND settled = 0"
                        " AND state <> 0 AND of_lease = ? AND of_slot = ?"))
        .Bind(run, of.lease, of.slot)
        .Run();
  });
}

absl::StatusOr<std::vector<CheckRow>> RunStore::ReadOpenChecks(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<CheckRow>> {
    std::vector<CheckRow> rows;
    absl::Status problem;
    // First what is open by itself; then, where a dispute is among it, who agreed with the game.
    Use use(impl_->Prepared(
        "SELECT c.lease, c.slot, c.of_lease, c.of_slot, c.state, c.worker, cl.session,"
        " c.moves_hash, c.nodes, c.result, c.termination,"
        " g.worker, gl.session, g.moves_hash, g.nodes, g.result, g.termination"
        " FROM checks c JOIN leases cl ON cl.lease = c.lease"
        " JOIN games g ON g.run = c.run AND g.lease = c.of_lease AND g.slot = c.of_slot"
        " JOIN leases gl ON gl.lease = c.of_lease"
        " WHERE c.run = ?1 AND (c.settled = 0 OR (c.state = 1 AND (c.of_lease, c.of_slot) IN"
        " (SELECT of_lease, of_slot FROM checks WHERE run = ?1 AND settled = 0 AND state = 2)))"
        " ORDER BY c.lease, c.slot"));
    use.Bind(run);
    const auto opinion = [&](int column) {
      Opinion read;
      read.worker = use.Text(column);
      read.session = use.Unsigned(column + 1);
      read.answer.moves_hash = use.Unsigned(column + 2);
      read.answer.nodes = use.Unsigned(column + 3);
      read.answer.ending.result =
          use.In<Result>(column + 4, 0, static_cast<int64_t>(Result::kDraw), problem);
      read.answer.ending.termination = use.In<Termination>(
          column + 5, 0, static_cast<int64_t>(Termination::kInterrupted), problem);
      return read;
    };
    while (use.Step()) {
      CheckRow row;
      row.run = run;
      row.key = {use.Unsigned(0), use.In<uint32_t>(1, 0, kMaxUint32, problem)};
      row.of = {use.Unsigned(2), use.In<uint32_t>(3, 0, kMaxUint32, problem)};
      row.given_out = use.In<int>(4, 0, kCheckFault, problem) == 0;
      row.opinion = opinion(5);
      row.game = opinion(11);
      rows.push_back(std::move(row));
    }
    RETURN_IF_ERROR(problem);
    return rows;
  });
}

absl::StatusOr<std::vector<SlotRef>> RunStore::ReadFinishedChecks(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<SlotRef>> {
    std::vector<SlotRef> keys;
    absl::Status problem;
    Use use(impl_->Prepared("SELECT lease, slot FROM checks WHERE run = ? AND state <> 0"));
    use.Bind(run);
    while (use.Step()) {
      keys.push_back({use.Unsigned(0), use.In<uint32_t>(1, 0, kMaxUint32, problem)});
    }
    RETURN_IF_ERROR(problem);
    return keys;
  });
}

absl::StatusOr<RunStore::CheckCounts> RunStore::CountChecks(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<CheckCounts> {
    Use use(
        impl_->Prepared("SELECT coalesce(sum(state = 1), 0), coalesce(sum(state = 2), 0)"
                        " FROM checks WHERE run = ?"));
    use.Bind(run);
    use.Step();
    return CheckCounts{use.Unsigned(0), use.Unsigned(1)};
  });
}

absl::Status RunStore::InsertTrustChange(const TrustChange& change) {
  return impl_->Guard([&] {
    Use(impl_->Prepared(
            "INSERT INTO trust_changes (change, worker, action, lease, by_check, reason,"
            " at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"))
        .Bind(change.change, change.worker, change.action, change.lease, change.by_check,
              change.reason, change.at_ms)
        .Run();
  });
}

absl::StatusOr<std::vector<TrustChange>> RunStore::ReadTrustChanges() {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<TrustChange>> {
    std::vector<TrustChange> changes;
    absl::Status problem;
    Use use(
        impl_->Prepared("SELECT change, worker, action, lease, by_check, reason, at_ms"
                        " FROM trust_changes ORDER BY change"));
    while (use.Step()) {
      TrustChange change;
      change.change = changes.size() + 1;
      if (use.Unsigned(0) != change.change) {
        return DataLoss(absl::StrCat("change ", use.Unsigned(0), " of trust"),
                        absl::StrCat("change ", change.change));
      }
      change.worker = use.Text(1);
      change.action =
          use.In<TrustAction>(2, static_cast<int64_t>(TrustAction::kBlock),
                              static_cast<int64_t>(TrustAction::kUnblockKeepOut), problem);
      change.lease = use.Unsigned(3);
      change.by_check = use.Int(4) != 0;
      change.reason = use.Text(5);
      change.at_ms = use.Int(6);
      changes.push_back(std::move(change));
    }
    RETURN_IF_ERROR(problem);
    return changes;
  });
}

absl::Status RunStore::InsertPoisoned(RunId run, const PoisonedLine& line) {
  return impl_->Guard([&] {
    Use use(impl_->Prepared(
        "INSERT INTO poisoned_lines VALUES (?, ?, ?, ?) ON CONFLICT (run, line) DO NOTHING"));
    const std::string moves = EncodeMoves(line.line);
    use.Bind(run, Bytes{moves}, line.attempts, line.reason).Run();
  });
}

absl::StatusOr<std::vector<PoisonedLine>> RunStore::ReadPoisoned(RunId run) {
  return impl_->Guard([&]() -> absl::StatusOr<std::vector<PoisonedLine>> {
    std::vector<PoisonedLine> lines;
    absl::Status problem;
    Use use(impl_->Prepared(
        "SELECT line, attempts, reason FROM poisoned_lines WHERE run = ? ORDER BY line"));
    use.Bind(run);
    while (use.Step()) {
      PoisonedLine line;
      ASSIGN_OR_RETURN(line.line, DecodeMoves(use.Blob(0)));
      line.attempts = use.In<uint32_t>(1, 0, kMaxUint32, problem);
      line.reason = use.Text(2);
      lines.push_back(std::move(line));
    }
    RETURN_IF_ERROR(problem);
    return lines;
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
