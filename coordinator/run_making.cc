#include "coordinator/run_making.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/folding.h"
#include "book/tuning/tuner.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/weight_store.h"

namespace joseki::coordinator {
namespace {

// The current book; for a run that folds colours, with each position turned as well.
absl::StatusOr<book::Graph> FreezeBook(const std::string& db_path, const Rules& rules,
                                       const RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(book::Graph graph, book::BookStore(*store).LoadGraph(rules));
  if (!book::AsksToFold(spec.policy_options)) return graph;
  return book::Fold(rules, graph);
}

// Whether searches may add moves to choose between.
bool AddsMoves(const RunSpec& spec) {
  return spec.line_searches.wanted() && !spec.line_searches.fixed_book;
}

// FailedPrecondition "no_choice" where every position has one move.
absl::Status CheckChoice(const book::Graph& graph, book::NodeId start) {
  std::vector<book::NodeId> open = {start};
  std::vector<bool> seen(graph.node_count());
  seen[start] = true;
  while (!open.empty()) {
    const book::Graph::Stop& at = graph.stop(open.back());
    open.pop_back();
    if (at.count > 1) return absl::OkStatus();
    for (book::EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
      const book::NodeId to = graph.target(edge);
      if (to == book::kNoNode || seen[to]) continue;
      seen[to] = true;
      open.push_back(to);
    }
  }
  return MakeProblem({.code = "no_choice",
                      .found = "a book with one move in every position that lines come to",
                      .expected = "a position with two book moves, to choose between, or searches "
                                  "that add moves"},
                     absl::StatusCode::kFailedPrecondition);
}

// Determines the games and searches that a new run takes over, and adds them.
absl::Status TakeOver(RunStore& rows, const Rules& rules, book::NodeId start, LoadedRun& run) {
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  std::optional<TakenOver>& taken = run.row.spec.taken_over;
  ASSIGN_OR_RETURN(taken, FindTakenOver(rows, run.row.spec));
  if (!taken) return absl::OkStatus();
  uint64_t games = 0;
  RETURN_IF_ERROR(ForEachTakenOver(
      rows, rules, run.row.spec, *run.graph, start, run.trust, [&](const book::TunedGame& game) {
        if (!run.tuner->Seen(game.moves_hash)) run.seen.push_back(game.moves_hash);
        run.changed.insert(run.changed.end(), game.edges.begin(), game.edges.end());
        run.tuner->Apply(game);
        ++games;
      }));
  taken->games = games;
  if (games == 0) {
    taken.reset();
    return absl::OkStatus();
  }
  if (run.line_searches == nullptr) return absl::OkStatus();
  return ReadSearchesTakenOver(rows.store(), run.row.spec, Trust(), *run.line_searches,
                               [&](const EvaluationRow&) { ++taken->searches; });
}

// Adds evaluations of the book by earlier runs, and values imported with it.
absl::Status FindEvaluations(const std::string& db_path, const Rules& rules, book::NodeId start,
                             LoadedRun& run) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(run.priors.shared, LastEvaluation(*store));
  ASSIGN_OR_RETURN(
      Evaluations evaluations,
      LoadEvaluations(*store, rules, run.row, run.graph, start, run.priors.shared, run.imported));
  evaluations.SetTrust(run.trust);
  run.evaluations = std::make_shared<Evaluations>(std::move(evaluations));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<NewRun> BeginNewRun(const std::string& db_path, const Rules& rules,
                                   const RunSpec& spec) {
  NewRun run;
  book::Graph graph;  // a match does not use our book
  if (!spec.match) {
    ASSIGN_OR_RETURN(graph, FreezeBook(db_path, rules, spec));
  }
  ASSIGN_OR_RETURN(run.start, StartNode(rules, graph, spec));
  if (!spec.match && !AddsMoves(spec)) RETURN_IF_ERROR(CheckChoice(graph, run.start));
  run.snapshot = graph.Serialize();
  run.links = graph.SerializeLinks();
  LoadedRun& loaded = run.loaded;
  loaded.row.spec = spec;
  loaded.row.snapshot = Sha256Of(run.snapshot);
  loaded.graph = std::make_shared<const book::Graph>(std::move(graph));
  ASSIGN_OR_RETURN(loaded.policy, PolicyOf(spec));
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Orbits> orbits,
                   book::OrbitsFor(rules, *loaded.graph, spec.policy_options));
  loaded.tuner = std::make_unique<book::Tuner>(loaded.graph, loaded.policy, /*priors=*/nullptr,
                                               std::move(orbits));
  return run;
}

absl::Status ReadKnown(const std::string& db_path, const Rules& rules, NewRun& run) {
  LoadedRun& loaded = run.loaded;
  const RunSpec& spec = loaded.row.spec;
  if (spec.line_searches.wanted()) {
    ASSIGN_OR_RETURN(LineSearches searches,
                     LineSearches::Make(rules, loaded.graph, spec, kEvaluationAttempts));
    loaded.line_searches = std::make_shared<LineSearches>(std::move(searches));
    loaded.calibration = RunCalibration(spec, *loaded.graph, run.start);
  }
  {
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(db_path, book::OpenMode::kReadOnly));
    RunStore rows(*store);
    ASSIGN_OR_RETURN(loaded.opponent, OpponentBook(rows, rules, spec));
    if (spec.match) {
      RETURN_IF_ERROR(CheckMatchBooks(rows, spec));
    } else {
      ASSIGN_OR_RETURN(book::ImportedValues imported,
                       book::BookStore(*store).ReadImportedValues(*loaded.graph));
      loaded.imported = std::make_shared<const book::ImportedValues>(std::move(imported));
    }
    if (spec.take_over) RETURN_IF_ERROR(TakeOver(rows, rules, run.start, loaded));
  }
  if (loaded.line_searches != nullptr) loaded.line_searches->SetTrust(loaded.trust);
  loaded.tuner->ComputeValues();
  if (HasPriors(spec, *loaded.policy, *loaded.imported)) {
    RETURN_IF_ERROR(FindEvaluations(db_path, rules, run.start, loaded));
  }
  return absl::OkStatus();
}

absl::Status InsertNewRun(RunStore& rows, const NewRunRows& run) {
  RETURN_IF_ERROR(rows.runs().InsertSnapshot(run.row.snapshot, run.snapshot, run.links));
  RETURN_IF_ERROR(InsertImportedValues(rows.store(), run.row.run, *run.imported));
  for (const PriorSet& set : run.priors) {
    RETURN_IF_ERROR(InsertPriorSet(rows.store(), set));
  }
  for (const NewWeights& version : run.weights) {
    RETURN_IF_ERROR(InsertNewWeights(rows.store(), version));
  }
  return rows.runs().Insert(run.row);
}

absl::Status CheckBookIs(const std::string& db_path, const Rules& rules, const RunSpec& spec,
                         RunId run, const Sha256& snapshot) {
  ASSIGN_OR_RETURN(const book::Graph graph, FreezeBook(db_path, rules, spec));
  if (Sha256Of(graph.Serialize()) == snapshot) return absl::OkStatus();
  return MakeProblem({.code = "book_changed",
                      .found = absl::StrCat("a book that has changed since run ", run, " began"),
                      .expected = "the book that the run froze"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::Status CheckGamesAreHere(const std::string& db_path, RunId run) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(*store, run));
  const bool dropped = std::any_of(archives.begin(), archives.end(),
                                   [](const ArchiveRow& archive) { return archive.dropped; });
  if (!dropped) return absl::OkStatus();
  return MakeProblem({.code = "games_dropped",
                      .found = absl::StrCat("run ", run, ", games of which are in archives alone"),
                      .expected = "its games in the book (`joseki archive put-back`)"},
                     absl::StatusCode::kFailedPrecondition);
}

}  // namespace joseki::coordinator
