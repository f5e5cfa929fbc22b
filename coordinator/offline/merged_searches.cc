#include "coordinator/offline/merged_searches.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

// The workers and leases of all databases need different names and numbers. Leases keep their
// order, by which Trust tells them apart.
std::string WorkerOf(size_t number, const std::string& worker) {
  return absl::StrCat(number, " ", worker);
}
LeaseId LeaseOf(size_t number, size_t numbers, LeaseId lease) { return lease * numbers + number; }

}  // namespace

absl::StatusOr<MergedSearches> MergedSearches::Read(const Rules& rules,
                                                    std::span<const MergeInput> runs) {
  MergedSearches merged;
  for (size_t i = 0; i < runs.size(); ++i) {
    RETURN_IF_ERROR(merged.Add(rules, runs[i], i, runs.size()));
  }
  if (merged.searches_) merged.searches_->SetTrust(merged.trust_);
  return merged;
}

absl::Status MergedSearches::Add(const Rules& rules, const MergeInput& input, size_t number,
                                 size_t numbers) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(input.path, book::OpenMode::kReadOnly, rules.game()));
  RunStore rows(*store);
  const absl::StatusOr<RunRow> read = rows.runs().Read(input.run);
  if (!read.ok()) return At(read.status(), input.path);
  const RunRow& run = *read;
  if (!run.spec.line_searches.wanted()) return absl::OkStatus();
  if (!first_) {
    ASSIGN_OR_RETURN(const LoadedRun loaded, LoadRun(*store, rules, input.run));
    // Workers of two databases were never asked to vouch for each other.
    RunSpec spec = run.spec;
    spec.verify_percent = 0;
    ASSIGN_OR_RETURN(LineSearches searches,
                     LineSearches::Make(rules, loaded.graph, spec, kEvaluationAttempts));
    searches_.emplace(std::move(searches));
    first_ = run;
  } else if (run.snapshot != first_->snapshot || !SharesSearches(run.spec, first_->spec) ||
             run.spec.line_searches.own_limit != first_->spec.line_searches.own_limit) {
    return MakeProblem(
        {.code = "different_searches",
         .file = absl::StrCat(input.path, "#", input.run),
         .found = "a run that searches along lines of another book, or by other limits",
         .expected = "runs that froze one book, with the same --search-nodes, --fixed-book, "
                     "--own-limit and --max-book-plies, or this one in a layer of its own"},
        absl::StatusCode::kFailedPrecondition);
  }
  ASSIGN_OR_RETURN(const Trust trust, ReadTrust(rows, run.trust_change));
  ASSIGN_OR_RETURN(const std::vector<TrustChange> changes, rows.trust().ReadAll());
  for (TrustChange change : std::span(changes).first(run.trust_change)) {
    change.change = trust_.change() + 1;
    change.worker = WorkerOf(number, change.worker);
    change.lease = LeaseOf(number, numbers, change.lease);
    trust_.Apply(change);
  }
  ASSIGN_OR_RETURN(const std::vector<book::MarkedMove> marks, book::BookStore(*store).Marks());
  for (const book::MarkedMove& mark : marks) marked_.emplace(mark.position, mark.move);
  const auto add = [&](const EvaluationRow& row) { return AddRow(row, number, numbers, trust); };
  RETURN_IF_ERROR(ForEachSearchTakenOver(*store, run.spec, add));
  return ForEachLineSearch(*store, run.run, add);
}

absl::Status MergedSearches::AddRow(EvaluationRow row, size_t number, size_t numbers,
                                    const Trust& trust) {
  GameRow& game = row.game;
  if (IsFault(game.ending.termination)) return absl::OkStatus();
  // Another database may trust the worker: its row then counts.
  const bool trusted = !trust.Excludes(game.worker, game.lease);
  if (trusted && !seen_.insert(game.payload_hash).second) return absl::OkStatus();
  game.worker = WorkerOf(number, game.worker);
  game.lease = LeaseOf(number, numbers, game.lease);
  return AddLineSearch(row, *searches_);
}

const book::Repertoire* MergedSearches::repertoire() const {
  return searches_ && searches_->say_something() ? &searches_->repertoire() : nullptr;
}

void MergedSearches::ForEachAnswer(
    const std::function<void(const PackedPosition&, int ply, const book::Repertoire::Answer&)>&
        visit) const {
  if (repertoire() == nullptr) return;
  repertoire()->ForEachAnswer(
      [&](const Key& key, const PackedPosition& packed, int ply, const book::Repertoire::Answer&) {
        for (const book::Repertoire::Answer& candidate : repertoire()->CandidatesAt(key)) {
          if (marked_.contains({packed, candidate.move})) continue;
          visit(packed, ply, candidate);
          return;
        }
      });
}

}  // namespace joseki::coordinator
