#include "coordinator/store/weight_store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/sql.h"

namespace joseki::coordinator {
namespace {

absl::Status BadChain(RunId run, uint32_t version, const absl::Status& cause) {
  return MakeProblem({.code = "bad_row",
                      .found = absl::StrCat("weights ", version, " of run ", run, ": ",
                                            std::string(cause.message())),
                      .expected = "deltas that lead to them"},
                     absl::StatusCode::kDataLoss);
}

}  // namespace

absl::Status InsertWeightVersion(book::Store& store, const WeightVersionRow& row) {
  return book::GuardSql(store.path(), [&] {
    SQLite::Statement insert(store.db(),
                             "INSERT INTO weight_versions (run, version, seq, games,"
                             " trust_change, base, delta, priors) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, static_cast<int64_t>(row.run));
    insert.bind(2, static_cast<int64_t>(row.version));
    insert.bind(3, static_cast<int64_t>(row.seq));
    insert.bind(4, static_cast<int64_t>(row.games));
    insert.bind(5, static_cast<int64_t>(row.trust_change));
    insert.bind(6, static_cast<int64_t>(row.base));
    insert.bind(7, row.delta.data(), static_cast<int>(row.delta.size()));
    insert.bind(8, static_cast<int64_t>(row.priors));
    insert.exec();
  });
}

absl::Status InsertNewWeights(book::Store& store, const NewWeights& weights) {
  WeightVersionRow row{weights.run,          weights.version, weights.seq, weights.games,
                       weights.trust_change, weights.priors,  0,           ""};
  if (weights.before != nullptr && weights.version % kWeightsChain != 1) row.base = row.version - 1;
  row.delta = row.base == 0 ? book::EncodeWeightsDelta({}, *weights.after, 0, row.version)
                            : book::EncodeWeightsDelta(*weights.before, *weights.after, row.base,
                                                       row.version);
  return InsertWeightVersion(store, row);
}

absl::StatusOr<std::vector<WeightVersionRow>> ReadWeightVersions(book::Store& store, RunId run) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<std::vector<WeightVersionRow>> {
    std::vector<WeightVersionRow> rows;
    SQLite::Statement select(
        store.db(),
        "SELECT version, seq, games, base, trust_change, priors FROM weight_versions WHERE run = ?"
        " ORDER BY version");
    select.bind(1, static_cast<int64_t>(run));
    while (select.executeStep()) {
      WeightVersionRow row;
      row.run = run;
      row.version = select.getColumn(0).getUInt();
      row.seq = static_cast<uint64_t>(select.getColumn(1).getInt64());
      row.games = static_cast<uint64_t>(select.getColumn(2).getInt64());
      row.base = select.getColumn(3).getUInt();
      row.trust_change = static_cast<uint64_t>(select.getColumn(4).getInt64());
      row.priors = select.getColumn(5).getUInt();
      rows.push_back(std::move(row));
    }
    return rows;
  });
}

absl::StatusOr<book::Weights> ReadWeights(book::Store& store, RunId run, uint32_t version) {
  return book::GuardSql(store.path(), [&]() -> absl::StatusOr<book::Weights> {
    SQLite::Statement select(
        store.db(),
        "SELECT version, delta FROM weight_versions WHERE run = ?1 AND version <= ?2 AND version >="
        " (SELECT max(version) FROM weight_versions WHERE run = ?1 AND version <= ?2 AND base = 0)"
        " ORDER BY version");
    select.bind(1, static_cast<int64_t>(run));
    select.bind(2, static_cast<int64_t>(version));
    book::Weights weights;
    uint32_t reached = 0;
    while (select.executeStep()) {
      const SQLite::Column blob = select.getColumn(1);
      const std::string_view delta(static_cast<const char*>(blob.getBlob()),
                                   static_cast<size_t>(blob.getBytes()));
      const auto header = book::ReadWeightsDeltaHeader(delta);
      if (!header.ok()) return BadChain(run, version, header.status());
      if (header->from != reached || header->to != select.getColumn(0).getUInt()) {
        return BadChain(run, version,
                        absl::DataLossError(absl::StrCat("a step from ", header->from, " to ",
                                                         header->to, " after ", reached)));
      }
      auto next = book::ApplyWeightsDelta(weights, delta, header->edges);
      if (!next.ok()) return BadChain(run, version, next.status());
      weights = *std::move(next);
      reached = header->to;
    }
    if (reached != version) {
      return MakeProblem({.code = "unknown_weights",
                          .found = absl::StrCat("version ", version, " of run ", run),
                          .expected = "a version that the run has had"},
                         absl::StatusCode::kNotFound);
    }
    return weights;
  });
}

}  // namespace joseki::coordinator
