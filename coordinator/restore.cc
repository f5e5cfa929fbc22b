#include "coordinator/restore.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/core/verify.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/weight_store.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

// The newest weights of a run with re-entry; nullopt for another one.
absl::StatusOr<std::optional<UnfinishedWork::Weights>> ReadNewestWeights(book::Store& store,
                                                                         const LoadedRun& loaded) {
  const RunRow& row = loaded.row;
  if (!row.spec.play.re_entry) return std::nullopt;
  ASSIGN_OR_RETURN(const std::vector<WeightVersionRow> versions,
                   ReadWeightVersions(store, row.run));
  const WeightVersionRow newest = versions.empty() ? WeightVersionRow() : versions.back();
  ASSIGN_OR_RETURN(book::Weights weights, ReadWeights(store, row.run, newest.version));
  if (newest.version == 0 || weights.size() != loaded.graph->edge_count()) {
    return MakeProblem(
        {.code = "bad_row",
         .file = store.path(),
         .found = absl::StrCat("weights ", newest.version, " of run ", row.run, " for ",
                               weights.size(), " moves"),
         .expected = absl::StrCat("weights for ", loaded.graph->edge_count(), " moves")},
        absl::StatusCode::kDataLoss);
  }
  return UnfinishedWork::Weights{newest.version, newest.games,
                                 std::make_shared<const book::Weights>(std::move(weights))};
}

// Marks slots that repeat a game; leases are stored without this mark.
void MarkCopies(const std::vector<CopyRow>& copies, std::vector<LeaseRow>& leases) {
  std::map<SlotRef, SlotRef> of;
  for (const CopyRow& copy : copies) {
    if (copy.given_out) of[copy.key] = copy.of;
  }
  for (LeaseRow& lease : leases) {
    for (PlannedSlot& plan : lease.grant.slots) {
      const auto at = of.find({lease.grant.lease, plan.slot.slot});
      if (at != of.end()) plan.copy_of = at->second;
    }
  }
}

// A worker that others have refuted, by its game.
struct Refuted {
  std::string worker;
  RunId run = 0;
  SlotRef game;
};

// Adds to `refuted` the workers that the last process ended too early to block.
absl::Status RestoreCopies(const book::Store& store, RunStore& rows, ActiveRun& run,
                           const std::vector<CopyRow>& copies, Tables& tables,
                           std::vector<Refuted>& refuted) {
  const RunId id = run.state.row().run;
  ASSIGN_OR_RETURN(const CopyCounts counts, rows.copies().Count(id));
  run.copies = counts.same;
  run.mismatches = counts.others;
  const auto slot_of = [&](const SlotRef& game) -> absl::StatusOr<Slot> {
    ASSIGN_OR_RETURN(const LeaseRow lease, rows.leases().Read(game.lease));
    for (const PlannedSlot& plan : lease.grant.slots) {
      if (plan.slot.slot == game.slot) return plan.slot;
    }
    return MakeProblem({.code = "bad_row",
                        .file = store.path(),
                        .found = absl::StrCat("no slot ", game.slot, " in lease ", game.lease),
                        .expected = "the slot that is played again"},
                       absl::StatusCode::kDataLoss);
  };
  std::map<SlotRef, std::vector<Testimony>> disputes;
  for (const CopyRow& copy : copies) {
    if (copy.given_out) continue;
    std::vector<Testimony>& testimonies = disputes[copy.of];
    if (testimonies.empty()) testimonies.push_back(copy.game);
    testimonies.push_back(copy.testimony);
  }
  const std::set<std::string> blocked = Blocked(tables);
  for (auto& [game, testimonies] : disputes) {
    const Judgement judgement = Judge(testimonies, blocked);
    if (judgement.decided) {
      // The verdict came just before the end of the last process.
      tables.ledger.OweClosedCopies(id, game);
      for (const std::string& wrong : judgement.wrong) refuted.push_back({wrong, id, game});
      continue;
    }
    ASSIGN_OR_RETURN(const Slot slot, slot_of(game));
    run.verification.RestoreDispute(game, slot, std::move(testimonies));
  }
  for (const CopyRow& copy : copies) {
    if (!copy.given_out || !tables.leases.IsLive(copy.key.lease)) continue;
    ASSIGN_OR_RETURN(const Slot slot, slot_of(copy.of));
    run.verification.RestoreTaken(copy.of, slot, copy.game);
  }
  return absl::OkStatus();
}

absl::Status RestoreRun(book::Store& store, RunStore& rows, RunId id, int attempts_per_line,
                        Graphs& graphs, Tables& tables, std::vector<Refuted>& refuted) {
  // State and reason of a match that is over are in its row; a change of trust reads its games.
  ASSIGN_OR_RETURN(LoadedRun loaded,
                   LoadRun(store, tables.rules, id, graphs, EndedMatch::kWithoutGames));
  const LoadedRun::Times& times = loaded.times;
  spdlog::info(
      "event=run_loaded run={} games={} book_ms={} checkpoint_ms={} games_read={} games_ms={}", id,
      loaded.counters.games, absl::ToInt64Milliseconds(times.book),
      absl::ToInt64Milliseconds(times.checkpoint), times.games_read,
      absl::ToInt64Milliseconds(times.games));
  ASSIGN_OR_RETURN(const book::NodeId start,
                   StartNode(tables.rules, *loaded.graph, loaded.row.spec));
  const RunSpec spec = loaded.row.spec;
  UnfinishedWork unfinished;
  ASSIGN_OR_RETURN(unfinished.weights, ReadNewestWeights(store, loaded));
  ASSIGN_OR_RETURN(unfinished.poisoned, rows.poisoned().ReadAll(id));

  // 1. Leases with empty slots.
  LeaseId oldest_lost = tables.marks.lease;
  ASSIGN_OR_RETURN(std::vector<LeaseRow> leases, rows.leases().ReadUnfinished(id));
  ASSIGN_OR_RETURN(const std::vector<CopyRow> copies, rows.copies().ReadOpen(id));
  MarkCopies(copies, leases);
  for (LeaseRow& lease : leases) {
    const LeaseId lease_id = lease.grant.lease;
    ASSIGN_OR_RETURN(std::set<uint32_t> filled, rows.leases().ReadFilledSlots(id, lease_id));
    if (filled.size() == lease.grant.slots.size()) {
      tables.ledger.OweEnd(lease_id, LeaseState::kFinished);
      continue;
    }
    if (lease.state != LeaseState::kLive) oldest_lost = std::min(oldest_lost, lease_id);
    unfinished.leases.push_back({std::move(lease.grant), lease.state, std::move(filled)});
  }

  // 2. Lost slots and faults that are not replaced yet wait for it.
  for (const GameRow& fault : loaded.faults) oldest_lost = std::min(oldest_lost, fault.lease);
  ASSIGN_OR_RETURN(unfinished.replaced, rows.leases().ReadReplaced(id, oldest_lost));
  const std::set<SlotRef> struck(unfinished.replaced.begin(), unfinished.replaced.end());
  for (const GameRow& fault : loaded.faults) {
    if (struck.count({fault.lease, fault.slot}) != 0) continue;
    ASSIGN_OR_RETURN(const LeaseRow lease, rows.leases().Read(fault.lease));
    for (const PlannedSlot& plan : lease.grant.slots) {
      if (plan.slot.slot == fault.slot) unfinished.faults.push_back({fault, plan});
    }
  }

  // 3. The run. Live leases get a new term, as their workers could not reach us.
  RunState state(std::move(loaded), start, {.attempts_per_line = attempts_per_line}, unfinished);
  for (UnfinishedWork::Lease& lease : unfinished.leases) {
    const LeaseId lease_id = lease.grant.lease;
    RETURN_IF_ERROR(tables.leases.Restore(std::move(lease.grant), lease.state, lease.filled,
                                          tables.moment.now));
    tables.leases.MarkHandedOut(lease_id);
  }

  ASSIGN_OR_RETURN(const uint64_t conflicts, rows.games().CountConflicts(id));
  ActiveRun& run =
      tables.runs
          .emplace(id, ActiveRun{std::move(state), RateMeter(), 0, conflicts, VerificationOf(spec)})
          .first->second;
  RETURN_IF_ERROR(RestoreCopies(store, rows, run, copies, tables, refuted));
  tables.serving.shares.Set(id, run.state.row().spec.share);
  tables.Touch(id);
  return absl::OkStatus();
}

}  // namespace

absl::Status RestoreTables(book::Store& store, int attempts_per_line, Tables& tables) {
  RunStore rows(store);
  ASSIGN_OR_RETURN(tables.marks, rows.ReadMarks());
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.runs().ReadAll());
  ASSIGN_OR_RETURN(const std::vector<TrustChange> changes, rows.trust().ReadAll());
  for (const TrustChange& change : changes) tables.standing.trust.Apply(change);
  Graphs graphs;
  std::vector<Refuted> refuted;
  for (const RunRow& run : runs) {
    RETURN_IF_ERROR(RestoreRun(store, rows, run.run, attempts_per_line, graphs, tables, refuted));
  }
  // A block ends the worker's leases of every run.
  for (const Refuted& of : refuted) QuarantineForGame(tables, of.worker, of.run, of.game);
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
