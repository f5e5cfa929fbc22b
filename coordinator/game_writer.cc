#include "coordinator/game_writer.h"

#include <optional>

#include "base/status_macros.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/match_store.h"

namespace joseki::coordinator {
namespace {

// Limits on conflicting games that are kept: enough for a diagnosis.
constexpr uint64_t kMostConflicts = 10'000;  // of a run
constexpr uint32_t kMostOfWorker = 100;      // since this coordinator started

}  // namespace

absl::Status WriteLeases(const Grants& leases, WriteBatch& batch) {
  for (const auto& grant : leases) {
    RETURN_IF_ERROR(batch.rows.leases().Insert(*grant));
    for (const PlannedSlot& plan : grant->slots) {
      if (!plan.IsCopy()) continue;
      RETURN_IF_ERROR(batch.rows.copies().Insert(grant->run, {grant->lease, plan.slot.slot},
                                                 plan.copy_of, grant->worker));
    }
  }
  return absl::OkStatus();
}

absl::Status GameWriter::Write(Submission& submission, int64_t now_ms, WriteBatch& batch) {
  gate_.Look([&](const Tables& tables) {
    for (SubmittedItem& item : submission.items) {
      item.row.stale = !tables.leases.IsLive(item.row.lease);
    }
  });
  for (SubmittedItem& item : submission.items) {
    item.insert.reset();
    if (item.kind == SubmittedItem::Kind::kRejected) continue;
    if (item.kind == SubmittedItem::Kind::kNew) {
      item.row.commit_seq = batch.commit_seq + 1;
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<Inserted> inserted = batch.rows.games().Insert(item.row);
      if (!inserted.ok()) return inserted.status();
      item.insert = *inserted;
      if (item.insert == Inserted::kNew) {
        batch.commit_seq = item.row.commit_seq;
        if (item.plan->slot.kind == SlotKind::kMatch) {
          RETURN_IF_ERROR(InsertMatchUse(batch.rows.store(), item.row));
        }
      }
    } else if (item.kind == SubmittedItem::Kind::kCopy) {
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<FinishedCopy> finished =
          batch.rows.copies().Finish(item.row, item.plan->copy_of);
      if (!finished.ok()) return finished.status();
      item.insert = finished->insert;
      item.same = finished->same;
      item.of_seq = finished->of_seq;
    } else if (item.kind == SubmittedItem::Kind::kEvaluation) {
      item.row.accepted_ms = now_ms;
      RETURN_IF_ERROR(WriteEvaluation(item, batch));
    } else {
      const absl::StatusOr<std::optional<Inserted>> known = batch.rows.games().Compare(item.row);
      if (!known.ok()) return known.status();
      item.insert = *known;
    }
    item.kept_conflict = false;
    if (item.insert == Inserted::kConflict && KeepsConflicts(item.row)) {
      ASSIGN_OR_RETURN(item.kept_conflict, batch.rows.games().InsertConflict(item.row, now_ms));
      if (item.kept_conflict) ++kept_[{item.row.run, item.row.worker}];
    }
  }
  return absl::OkStatus();
}

bool GameWriter::KeepsConflicts(const GameRow& game) const {
  uint32_t of_worker = 0;
  uint64_t of_run = 0;
  gate_.Look([&](const Tables& tables) {
    const auto tally = tables.standing.tallies.find(game.worker);
    if (tally != tables.standing.tallies.end()) of_worker = tally->second.conflicts;
    of_run = tables.runs.at(game.run).conflicts;
  });
  for (const auto& [whose, kept] : kept_) {
    if (whose.first == game.run) of_run += kept;
    if (whose.second == game.worker) of_worker += kept;
  }
  return of_run < kMostConflicts && of_worker < kMostOfWorker;
}

absl::Status GameWriter::WriteEvaluation(SubmittedItem& item, WriteBatch& batch) {
  const RunSpec spec = gate_.Look(
      [&](const Tables& tables) { return tables.runs.at(item.row.run).state.row().spec; });
  const Slot& slot = item.plan->slot;
  std::optional<AlongLine> along;
  if (spec.line_searches.wanted()) {
    along = {.line = item.FollowedLine(),
             .kind = slot.kind,
             .searched_from = slot.searched_from,
             .excluded = slot.excluded,
             .own = slot.own,
             .scores = item.row.scores};
  }
  ASSIGN_OR_RETURN(const InsertedEvaluation inserted,
                   InsertEvaluation(batch.rows.store(),
                                    {.game = item.row,
                                     .position = item.position,
                                     .score = item.score,
                                     .depth = item.depth,
                                     .attempt = item.plan->failures + 1,
                                     .limit = slot.nodes,
                                     .along = std::move(along)},
                                    spec));
  item.insert = inserted.insert;
  item.row.commit_seq = inserted.seq;
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
