#include "coordinator/store/trust_rows.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {

absl::Status TrustRows::Insert(const TrustChange& change) {
  return sql_.Guard([&] {
    Use(sql_.Prepared("INSERT INTO trust_changes (change, worker, action, lease, by_check, reason,"
                      " at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"))
        .Bind(change.change, change.worker, change.action, change.lease, change.automatic,
              change.reason, change.at_ms)
        .Run();
  });
}

absl::StatusOr<std::vector<TrustChange>> TrustRows::ReadAll() {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<TrustChange>> {
    std::vector<TrustChange> changes;
    absl::Status problem;
    Use use(
        sql_.Prepared("SELECT change, worker, action, lease, by_check, reason, at_ms"
                      " FROM trust_changes ORDER BY change"));
    while (use.Step()) {
      TrustChange change;
      change.change = changes.size() + 1;
      if (use.Unsigned(0) != change.change) {
        return InRow(DataLoss("no row", absl::StrCat("one before ", use.Unsigned(0))), sql_.file(),
                     "trust_changes", change.change);
      }
      change.worker = use.Text(1);
      change.action =
          use.In<TrustAction>(2, static_cast<int64_t>(TrustAction::kBlock),
                              static_cast<int64_t>(TrustAction::kUnblockKeepOut), problem);
      change.lease = use.Unsigned(3);
      change.automatic = use.Int(4) != 0;
      change.reason = use.Text(5);
      change.at_ms = use.Int(6);
      if (!problem.ok()) {
        return InRow(problem, sql_.file(), "trust_changes", change.change);
      }
      changes.push_back(std::move(change));
    }
    return changes;
  });
}

}  // namespace joseki::coordinator
