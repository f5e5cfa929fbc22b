#include "coordinator/offline/invariants.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/reentry.h"
#include "coordinator/offline/audit.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/own_sides.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

using GameKey = std::pair<LeaseId, uint32_t>;

constexpr size_t kShownFaults = 100;

void Violate(InvariantReport& report, std::string what, uint64_t count = 1) {
  report.violations += count;
  if (report.first.size() < kShownFaults) report.first.push_back(std::move(what));
}

struct StoredGames {
  std::vector<GameKey> keys;
  std::vector<GameKey> copies;  // repeated games: acknowledged, but no games of the run
  std::vector<uint64_t> seqs;
};

// Reads all runs' games, and checks each run's counts against the credits of its games.
absl::StatusOr<StoredGames> ReadGames(RunStore& rows, const Rules& rules, book::Store& store,
                                      InvariantReport& report) {
  StoredGames stored;
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.runs().ReadAll());
  for (const RunRow& run : runs) {
    const absl::StatusOr<LoadedRun> read = LoadRun(store, rules, run.run);
    if (!read.ok()) {
      Violate(report,
              absl::StrCat("run ", run.run, " cannot be loaded: ", read.status().message()));
      RETURN_IF_ERROR(rows.games().ForEach(run.run, 0, [&](const GameRow& game) {
        stored.keys.emplace_back(game.lease, game.slot);
        stored.seqs.push_back(game.commit_seq);
        return absl::OkStatus();
      }));
      continue;
    }
    const LoadedRun& loaded = *read;
    uint64_t credited = 0;
    for (const book::Arm& arm : loaded.tuner->arms()) credited += arm.evidence.played();
    uint64_t due = 0;
    ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, *loaded.graph, run.spec));
    RETURN_IF_ERROR(ForEachTakenOver(
        rows, rules, run.spec, *loaded.graph, start, loaded.trust,
        [&due](const book::TunedGame& game) {
          due += std::set<book::EdgeId>(game.edges.begin(), game.edges.end()).size();
        }));
    OwnSides sides(rows, run.spec);
    RETURN_IF_ERROR(rows.games().ForEach(run.run, 0, [&](const GameRow& game) {
      stored.keys.emplace_back(game.lease, game.slot);
      stored.seqs.push_back(game.commit_seq);
      // Skip games that came after the counts were read.
      if (game.commit_seq > loaded.commit_seq) return absl::OkStatus();
      if (IsFault(game.ending.termination) || loaded.trust.Excludes(game.worker, game.lease)) {
        return absl::OkStatus();
      }
      if (run.spec.match) return absl::OkStatus();  // credits nothing
      if (!run.spec.play.re_entry) {
        due += game.book_plies;
        return absl::OkStatus();
      }
      // Count every book move of the game once, in the line and later, of the run's own side.
      ASSIGN_OR_RETURN(const std::optional<Color> own, sides.Of(game));
      ASSIGN_OR_RETURN(
          const std::vector<book::EdgeId> edges,
          book::ReenteredEdges(rules, *loaded.graph, run.spec.start, game.moves, 0, own));
      due += std::set<book::EdgeId>(edges.begin(), edges.end()).size();
      return absl::OkStatus();
    }));
    ASSIGN_OR_RETURN(const std::vector<SlotRef> copies, rows.copies().ReadFinished(run.run));
    for (const SlotRef& copy : copies) stored.copies.emplace_back(copy.lease, copy.slot);
    const auto keep = [&stored](const EvaluationRow& evaluation) {
      stored.copies.emplace_back(evaluation.game.lease, evaluation.game.slot);
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(ForEachEvaluation(store, run.run, run.spec, 0, keep));
    RETURN_IF_ERROR(ForEachLineSearch(store, run.run, keep));
    if (credited != due) {
      Violate(report, absl::StrCat("run ", run.run, ": its book moves count ", credited,
                                   " games together, its games have ", due, " book moves"));
    }
  }
  std::sort(stored.keys.begin(), stored.keys.end());
  std::sort(stored.seqs.begin(), stored.seqs.end());
  return stored;
}

}  // namespace

absl::StatusOr<InvariantReport> CheckInvariants(book::Store& store, const Rules& rules,
                                                std::vector<GameKey> acknowledged) {
  InvariantReport report;
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  ASSIGN_OR_RETURN(const std::vector<std::string> flaws, book::BookStore(store).Check());
  for (const std::string& flaw : flaws) Violate(report, flaw);

  ASSIGN_OR_RETURN(const StoredGames stored, ReadGames(rows, rules, store, report));
  report.games = stored.keys.size();
  if (const auto twice = std::adjacent_find(stored.keys.begin(), stored.keys.end());
      twice != stored.keys.end()) {
    Violate(report, absl::StrCat("lease ", twice->first, " slot ", twice->second, " twice"));
  }
  for (size_t i = 0; i < stored.seqs.size(); ++i) {
    if (stored.seqs[i] == i + 1) continue;
    Violate(report, absl::StrCat("game number ", i + 1, " of the commits is not there"));
    break;
  }

  std::sort(acknowledged.begin(), acknowledged.end());
  acknowledged.erase(std::unique(acknowledged.begin(), acknowledged.end()), acknowledged.end());
  report.acknowledged = acknowledged.size();
  std::vector<GameKey> answered = stored.keys;
  answered.insert(answered.end(), stored.copies.begin(), stored.copies.end());
  std::sort(answered.begin(), answered.end());
  std::vector<GameKey> lost;
  std::set_difference(acknowledged.begin(), acknowledged.end(), answered.begin(), answered.end(),
                      std::back_inserter(lost));
  if (!lost.empty()) {
    Violate(report,
            absl::StrCat(lost.size(), " acknowledged games are not stored, the first of lease ",
                         lost.front().first, " slot ", lost.front().second),
            lost.size());
  }

  ASSIGN_OR_RETURN(const AuditReport audit, Audit(store, rules));
  report.weights = audit.weights;
  report.violations += audit.mismatches;
  for (const std::string& mismatch : audit.first) {
    if (report.first.size() < kShownFaults) report.first.push_back(mismatch);
  }
  return report;
}

}  // namespace joseki::coordinator
