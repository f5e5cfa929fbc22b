#include "coordinator/store/run_store.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <cstddef>

#include "base/status_macros.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kProbeBytes = size_t{64} * 1024;

}  // namespace

RunStore::RunStore(book::Store& store)
    : sql_(std::make_unique<Statements>(store)),
      runs_(*sql_),
      sessions_(*sql_),
      leases_(*sql_),
      poisoned_(*sql_),
      games_(*sql_),
      copies_(*sql_),
      evidence_(*sql_),
      trust_(*sql_) {}
RunStore::~RunStore() = default;

book::Store& RunStore::store() { return sql_->store(); }

absl::Status RunStore::Begin() {
  return sql_->Guard([&] { sql_->store().db().exec("BEGIN IMMEDIATE"); });
}

absl::Status RunStore::Commit() {
  return sql_->Guard([&] { sql_->store().db().exec("COMMIT"); });
}

void RunStore::Rollback() {
  // Some errors have already rolled back; then there is nothing left to undo.
  if (sqlite3_get_autocommit(sql_->store().db().getHandle()) == 0) {
    sql_->store().db().tryExec("ROLLBACK");
  }
}

absl::Status RunStore::BeginRead() {
  // Unlike transactions, savepoints may stand in one another.
  return sql_->Guard([&] { sql_->store().db().exec("SAVEPOINT reading"); });
}

void RunStore::EndRead() {
  sql_->Guard([&] { sql_->store().db().exec("RELEASE reading"); }).IgnoreError();
}

const std::string& RunStore::epoch() const { return sql_->store().epoch(); }

absl::StatusOr<Marks> RunStore::ReadMarks() {
  return sql_->Guard([&]() -> absl::StatusOr<Marks> {
    Marks marks;
    // The sequence table remembers numbers whose rows are gone.
    Use names(sql_->Prepared("SELECT name, seq FROM sqlite_sequence"));
    while (names.Step()) {
      const std::string name = names.Text(0);
      const uint64_t next = names.Unsigned(1) + 1;
      if (name == "runs") marks.run = next;
      if (name == "leases") marks.lease = next;
      if (name == "sessions") marks.session = next;
    }
    Use last(
        sql_->Prepared("SELECT max(coalesce((SELECT max(commit_seq) FROM games), 0),"
                       " coalesce((SELECT max(last_seq) FROM archives), 0))"));
    last.Step();
    marks.commit_seq = last.Unsigned(0);
    return marks;
  });
}

absl::Status RunStore::Probe() {
  RETURN_IF_ERROR(Begin());
  absl::Status status = sql_->Guard([&] {
    Use(sql_->Prepared("INSERT INTO meta VALUES ('write_probe', ?)"
                       " ON CONFLICT (name) DO UPDATE SET value = excluded.value"))
        .Bind(std::string(kProbeBytes, '0'))
        .Run();
  });
  if (status.ok()) status = Commit();
  if (!status.ok()) {
    Rollback();
    return status;
  }
  return sql_->Guard(
      [&] { sql_->store().db().exec("DELETE FROM meta WHERE name = 'write_probe'"); });
}

}  // namespace joseki::coordinator
