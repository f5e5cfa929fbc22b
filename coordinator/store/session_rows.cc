#include "coordinator/store/session_rows.h"

#include "coordinator/store/statements.h"

namespace joseki::coordinator {

absl::Status SessionRows::Insert(const SessionRow& session) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("INSERT INTO sessions (session, worker, slots, build, joined_ms)"
                      " VALUES (?, ?, ?, ?, ?)"))
        .Bind(session.session, session.worker, session.seats, session.build, session.joined_ms)
        .Run();
  });
}

absl::Status SessionRows::End(SessionId session, int64_t left_ms) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("UPDATE sessions SET left_ms = ? WHERE session = ?"))
        .Bind(left_ms, session)
        .Run();
  });
}

absl::StatusOr<bool> SessionRows::Has(const std::string& worker) {
  return sql_.Guard([&]() -> absl::StatusOr<bool> {
    Use use(sql_.Prepared("SELECT 1 FROM sessions WHERE worker = ? LIMIT 1"));
    use.Bind(worker);
    return use.Step();
  });
}

}  // namespace joseki::coordinator
