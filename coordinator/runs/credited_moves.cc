#include "coordinator/runs/credited_moves.h"

#include <optional>
#include <span>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

absl::StatusOr<std::vector<book::EdgeId>> CreditedMoves::Of(const GameRow& game) {
  if (game.ending.result == Result::kNone || game.book_plies > game.moves.size()) {
    return MakeProblem(
        {.code = "bad_row",
         .found = absl::StrCat("game ", game.commit_seq, " without a result or a line"),
         .expected = "a finished game"},
        absl::StatusCode::kDataLoss);
  }
  std::vector<book::EdgeId> edges =
      book::EdgesOf(graph_, start_, std::span(game.moves).first(game.book_plies));
  if (!spec_.play.re_entry) return edges;
  ASSIGN_OR_RETURN(const std::vector<book::EdgeId> reentered,
                   book::ReenteredEdges(rules_, graph_, spec_.start, game.moves, game.book_plies));
  edges.insert(edges.end(), reentered.begin(), reentered.end());
  ASSIGN_OR_RETURN(const std::optional<Color> own, sides_.Of(game));
  book::KeepOwn(graph_, own, edges);
  return edges;
}

}  // namespace joseki::coordinator
