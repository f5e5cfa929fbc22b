#include "coordinator/runs/taken_over.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/own_sides.h"

namespace joseki::coordinator {
namespace {

// Everything that evidence belongs to.
std::string ProfileOf(const RunSpec& spec) {
  RunSpec profile;
  profile.play = spec.play;
  profile.play.snapshot.clear();
  profile.start = spec.start;
  return SpecToJson(profile);
}

bool IsOver(const RunRow& run) { return run.state != "running" && run.state != "paused"; }

}  // namespace

absl::StatusOr<std::optional<TakenOver>> FindTakenOver(RunStore& rows, const RunSpec& spec) {
  if (!spec.take_over || spec.match) return std::nullopt;
  ASSIGN_OR_RETURN(const std::shared_ptr<const book::Policy> policy, PolicyOf(spec));
  if (!policy->stages().empty()) return std::nullopt;
  const std::string profile = ProfileOf(spec);
  TakenOver taken;
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.ReadRuns());
  for (const RunRow& run : runs) {
    if (run.spec.match || !IsOver(run) || ProfileOf(run.spec) != profile) continue;
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(rows.store(), run.run));
    if (std::any_of(archives.begin(), archives.end(),
                    [](const ArchiveRow& archive) { return archive.dropped; })) {
      continue;
    }
    bool played = false;
    RETURN_IF_ERROR(rows.ForEachGame(run.run, 0, [&played](const GameRow&) {
      played = true;
      return absl::CancelledError("one is enough");
    }));
    if (played) taken.runs.push_back(run.run);
  }
  if (taken.runs.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const RunStore::Marks marks, rows.ReadMarks());
  taken.up_to = marks.commit_seq;
  return taken;
}

absl::Status ForEachTakenOver(RunStore& rows, const Rules& rules, const RunSpec& spec,
                              const book::Graph& graph, book::NodeId start, const Trust& trust,
                              const std::function<void(const book::TunedGame&)>& visit) {
  if (!spec.taken_over) return absl::OkStatus();
  const uint64_t up_to = spec.taken_over->up_to;
  for (const RunId earlier : spec.taken_over->runs) {
    OwnSides sides(rows, spec);
    const auto credit = [&](const GameRow& game) -> absl::Status {
      if (game.commit_seq > up_to) return absl::CancelledError("enough");
      if (IsFault(game.ending.termination) || trust.Excludes(game.worker, game.lease)) {
        return absl::OkStatus();
      }
      if (game.ending.result == Result::kNone || game.book_plies > game.moves.size()) {
        return MakeProblem(
            {.code = "bad_row",
             .found = absl::StrCat("game ", game.commit_seq, " without a result or a line"),
             .expected = "a finished game"},
            absl::StatusCode::kDataLoss);
      }
      std::vector<book::EdgeId> edges =
          book::EdgesOf(graph, start, std::span(game.moves).first(game.book_plies));
      if (spec.play.re_entry) {
        ASSIGN_OR_RETURN(
            const std::vector<book::EdgeId> reentered,
            book::ReenteredEdges(rules, graph, spec.start, game.moves, game.book_plies));
        edges.insert(edges.end(), reentered.begin(), reentered.end());
        ASSIGN_OR_RETURN(const std::optional<Color> own, sides.Of(game));
        book::KeepOwn(graph, own, edges);
      }
      visit({edges, game.ending, /*stage=*/0, game.moves_hash});
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(rows.ForEachGame(earlier, 0, credit));
  }
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
