#include "engine/shogi/learn/self_play.h"

#include <cstdlib>

#include "engine/shogi/packed.h"

namespace joseki::learn {
namespace {

// A random legal move that does not lose material at once; Move() if there is none.
Move RandomMove(const shogi::Position& position, Rng& rng) {
  shogi::MoveList moves;
  position.Generate<GenType::kSearch>(moves);
  for (int tries = 0; tries < 8 && moves.size() > 0; ++tries) {
    const Move move = moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))];
    if (shogi::SeeAtLeast(position, move, 0)) return move;
  }
  return Move();
}

}  // namespace

std::vector<Sample> PlaySelfPlayGame(const shogi::Position& start, const SelfPlayOptions& options,
                                     Rng& rng, Search<Shogi>& search) {
  shogi::Position position = start;
  std::vector<Sample> samples;
  std::vector<Color> movers;
  const auto random_plies = rng.Below(static_cast<uint64_t>(options.random_plies) + 1);
  for (uint64_t i = 0; i < random_plies; ++i) {
    const Move move = RandomMove(position, rng);
    if (!move) break;
    shogi::Undo undo;
    position.Do(move, undo);
  }
  search.NewGame();
  int winner = 0;  // 1 Black, -1 White, 0 none
  int decided = 0;
  while (position.plies() < options.longest) {
    const int mover = position.side_to_move() == shogi::kBlack ? 1 : -1;
    SearchLimits limits;
    limits.nodes = options.nodes / 2 + rng.Below(options.nodes);
    const SearchResult result = search.Run(position, limits);
    if (result.declare || !result.best) {
      winner = result.declare ? mover : -mover;
      break;
    }
    if (std::abs(result.value) >= options.decided_score) {
      const int side = result.value > 0 ? mover : -mover;
      decided = decided * side > 0 ? decided + side : side;
      if (std::abs(decided) >= 2) {
        winner = side;
        break;
      }
    } else {
      decided = 0;
      if (!position.InCheck()) {
        samples.push_back(
            {.position = shogi::Pack(position),
             .score = static_cast<int16_t>(result.value),
             .move = result.best,
             .ply = static_cast<uint16_t>(position.plies()),
             .quiet = !Shogi::IsCapture(position, result.best) && !result.best.promotes()});
        movers.push_back(position.side_to_move());
      }
    }
    shogi::Undo undo;
    position.Do(result.best, undo);
    const Repetition repetition = position.CheckRepetition(4);
    if (repetition == Repetition::kNone) continue;
    if (repetition != Repetition::kDraw) {
      winner =
          (repetition == Repetition::kWin) == (position.side_to_move() == shogi::kBlack) ? 1 : -1;
    }
    break;
  }
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].result = static_cast<int8_t>(movers[i] == shogi::kBlack ? winner : -winner);
  }
  return samples;
}

}  // namespace joseki::learn
