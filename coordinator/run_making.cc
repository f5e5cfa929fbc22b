#include "coordinator/run_making.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/folding.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/evaluation_store.h"

namespace joseki::coordinator {

absl::StatusOr<book::Graph> FreezeBook(const std::string& db_path, const Rules& rules,
                                       const RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  book::BookStore book(*store);
  ASSIGN_OR_RETURN(book::Graph graph, book.LoadGraph(rules));
  if (!book::AsksToFold(spec.policy_options)) return graph;
  ASSIGN_OR_RETURN(const std::vector<book::MarkedMove> marks, book.Marks());
  book::ForbiddenMoves forbidden;
  for (const book::MarkedMove& marked : marks) {
    if (marked.mark == book::kForbidden) forbidden.emplace(marked.position, marked.move);
  }
  return book::Fold(rules, graph, forbidden);
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
  if (games == 0) taken.reset();
  return absl::OkStatus();
}

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
                      .expected = "a position with two book moves, to choose between"},
                     absl::StatusCode::kFailedPrecondition);
}

}  // namespace joseki::coordinator
