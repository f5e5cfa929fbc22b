#include "coordinator/page/line_games.h"

#include <algorithm>
#include <deque>
#include <iterator>

#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

bool GoesThrough(const GameRow& game, const std::vector<Move>& line) {
  return game.moves.size() >= line.size() &&
         std::equal(line.begin(), line.end(), game.moves.begin());
}

}  // namespace

absl::StatusOr<LineGames> ReadLineGames(book::Store& store, RunId run,
                                        const std::vector<Move>& line, Color mover, uint64_t after,
                                        uint64_t last, size_t most_samples) {
  LineGames found;
  std::deque<GameRow> newest;
  RETURN_IF_ERROR(RunStore(store).games().ForEach(run, after, [&](const GameRow& game) {
    const absl::Status next = game.commit_seq < last ? absl::OkStatus() : absl::CancelledError();
    ++found.looked_at;
    if (!GoesThrough(game, line)) return next;
    ++found.passed;
    if (game.book_plies == line.size() && game.moves.size() > line.size() &&
        !IsFault(game.ending.termination)) {
      const Move move = game.moves[line.size()];
      auto exit = std::find_if(found.exits.begin(), found.exits.end(),
                               [&](const Exit& known) { return known.move == move; });
      if (exit == found.exits.end()) exit = found.exits.insert(exit, Exit{.move = move});
      const Result result = game.ending.result;
      ++(result == Result::kDraw   ? exit->draws
         : result == WinFor(mover) ? exit->wins
                                   : exit->losses);
    }
    newest.push_front(game);
    if (newest.size() > most_samples) newest.pop_back();
    return next;
  }));
  const auto games = [](const Exit& exit) { return exit.wins + exit.draws + exit.losses; };
  std::stable_sort(found.exits.begin(), found.exits.end(),
                   [&](const Exit& a, const Exit& b) { return games(a) > games(b); });
  found.sample.assign(std::make_move_iterator(newest.begin()),
                      std::make_move_iterator(newest.end()));
  return found;
}

}  // namespace joseki::coordinator
