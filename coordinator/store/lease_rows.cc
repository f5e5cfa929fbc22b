#include "coordinator/store/lease_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

constexpr char kLeaseColumns[] =
    "SELECT lease, run, worker, session, stage, state, granted_ms, term_ms, slots, process"
    " FROM leases";

absl::StatusOr<LeaseRow> ParseLeaseRow(Use& use) {
  LeaseRow row;
  absl::Status problem;
  row.grant.lease = use.Unsigned(0);
  row.grant.run = use.Unsigned(1);
  row.grant.worker = use.Text(2);
  row.grant.session = use.Unsigned(3);
  row.grant.stage = use.In<int>(4, 0, 1'000'000, problem);
  row.state = use.In<LeaseState>(5, 0, static_cast<int64_t>(LeaseState::kAbandoned), problem);
  row.grant.granted_ms = use.Int(6);
  row.grant.term = absl::Milliseconds(use.In<int64_t>(7, 0, int64_t{1} << 40, problem));
  RETURN_IF_ERROR(problem);
  ASSIGN_OR_RETURN(row.grant.slots, DecodeSlots(use.Blob(8)));
  row.grant.process = use.Unsigned(9);
  return row;
}

absl::StatusOr<LeaseRow> ReadLeaseRow(Use& use, const std::string& file) {
  absl::StatusOr<LeaseRow> row = ParseLeaseRow(use);
  if (!row.ok()) return InRow(row.status(), file, "leases", use.Unsigned(0));
  return row;
}

}  // namespace

absl::Status LeaseRows::Insert(const LeaseGrant& grant, LeaseState state) {
  return sql_.Guard([&] {
    Use use(
        sql_.Prepared("INSERT INTO leases (lease, run, worker, session, stage, state,"
                      " granted_ms, term_ms, slots, replaces, process)"
                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const bool replaces =
        std::any_of(grant.slots.begin(), grant.slots.end(),
                    [](const PlannedSlot& plan) { return plan.replaces.lease != 0; });
    const std::string slots = EncodeSlots(grant.slots);
    use.Bind(grant.lease, grant.run, grant.worker, grant.session, grant.stage, state,
             grant.granted_ms, absl::ToInt64Milliseconds(grant.term), Bytes{slots}, replaces,
             book::Signed(grant.process))
        .Run();
  });
}

absl::Status LeaseRows::SetState(LeaseId lease, LeaseState state) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("UPDATE leases SET state = ? WHERE lease = ?")).Bind(state, lease).Run();
  });
}

absl::StatusOr<LeaseRow> LeaseRows::Read(LeaseId lease) {
  static const std::string kSql = absl::StrCat(kLeaseColumns, " WHERE lease = ?");
  return sql_.Guard([&]() -> absl::StatusOr<LeaseRow> {
    Use use(sql_.Prepared(kSql.c_str()));
    use.Bind(lease);
    if (!use.Step()) {
      return MakeProblem({.code = "unknown_lease",
                          .found = absl::StrCat("lease ", lease),
                          .expected = "a lease of this database"},
                         absl::StatusCode::kNotFound);
    }
    return ReadLeaseRow(use, sql_.file());
  });
}

absl::StatusOr<std::vector<LeaseRow>> LeaseRows::ReadUnfinished(RunId run) {
  static const std::string kSql =
      absl::StrCat(kLeaseColumns, " WHERE run = ? AND state <> 1 ORDER BY lease");
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<LeaseRow>> {
    std::vector<LeaseRow> rows;
    Use use(sql_.Prepared(kSql.c_str()));
    use.Bind(run);
    while (use.Step()) {
      ASSIGN_OR_RETURN(LeaseRow row, ReadLeaseRow(use, sql_.file()));
      rows.push_back(std::move(row));
    }
    return rows;
  });
}

absl::StatusOr<std::set<uint32_t>> LeaseRows::ReadFilledSlots(RunId run, LeaseId lease) {
  return sql_.Guard([&]() -> absl::StatusOr<std::set<uint32_t>> {
    std::set<uint32_t> filled;
    Use use(
        sql_.Prepared("SELECT slot FROM games WHERE run = ?1 AND lease = ?2 UNION ALL"
                      " SELECT slot FROM checks WHERE run = ?1 AND lease = ?2 AND state <> 0"
                      " UNION ALL SELECT slot FROM archived_games WHERE run = ?1 AND lease = ?2"
                      " UNION ALL SELECT slot FROM evaluations WHERE run = ?1 AND lease = ?2"));
    use.Bind(run, lease);
    while (use.Step()) filled.insert(static_cast<uint32_t>(use.Int(0)));
    return filled;
  });
}

absl::StatusOr<std::vector<SlotRef>> LeaseRows::ReadReplaced(RunId run, LeaseId after) {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<SlotRef>> {
    std::vector<SlotRef> replaced;
    Use use(sql_.Prepared(
        "SELECT slots, lease FROM leases WHERE run = ? AND lease > ? AND replaces <> 0"));
    use.Bind(run, after);
    while (use.Step()) {
      const absl::StatusOr<std::vector<PlannedSlot>> slots = DecodeSlots(use.Blob(0));
      if (!slots.ok()) {
        return InRow(slots.status(), sql_.file(), "leases", use.Unsigned(1));
      }
      for (const PlannedSlot& plan : *slots) {
        if (plan.replaces.lease != 0) replaced.push_back(plan.replaces);
      }
    }
    return replaced;
  });
}

}  // namespace joseki::coordinator
