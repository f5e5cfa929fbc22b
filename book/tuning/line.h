#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "book/graph.h"
#include "book/play_book.h"
#include "book/tuning/settling.h"
#include "book/tuning/tuner.h"
#include "engine/core/types.h"

namespace joseki::book {

// The book part of one game. If `excluded` is empty, the line ended because it left the book,
// repeated one of its positions, or reached the ply limit. The engine then plays on freely.
struct Line {
  std::vector<Move> moves;
  std::vector<EdgeId> edges;  // one for each move
  // After a deviation: the book moves of the last position, which the engine's next move must
  // avoid.
  std::vector<Move> excluded;
  bool operator==(const Line&) const = default;
};

struct LineRules {
  double deviation = 0.008;  // chance, at each book position, that the line ends there
  int max_book_plies = 0;    // 0: no limit
  // At a settled position the book's side drops moves that cannot be the best.
  Settling settling = {};
  // Against an opponent: the side that the tuner chooses for; nullopt: both.
  std::optional<Color> own = {};
  // The opponent's book. Null: it has none, and the line ends at the opponent's turn. The line
  // never deviates at its moves.
  const PlayBook* opponent = nullptr;
  PlayRules opponent_rules = {};
};

// True if a finished line may not be played, because it is poisoned. Must be pure.
using LineFilter = std::function<bool(const Line&)>;

// Chooses the next line from `start`, for both sides by the policy of `tuner`. In order, at each
// position:
//   1. the line ends at the ply limit, outside the book, and at a position that has no moves or
//      was visited before;
//   2. with probability `deviation` it ends with the book moves excluded, unless the node is closed
//      (no other move is legal);
//   3. otherwise the policy picks an arm in `stage`; if it plays for the book and the position is
//      settled, among the moves that may be the best.
// At an opponent's turn (rules.own) its book's move replaces steps 2 and 3. The line ends if that
// book has no move, or one that the tuner's book lacks.
//
// If the line is refused, the last choice is repeated among the remaining moves, and so on
// backwards. Even a greedy policy thus finds another line, and meets each refused line at most
// twice. Nullopt if every line is refused. The result depends only on the arguments and the
// generator's state.
//
// The policy chooses by the tuner's selection(). REQUIRES: `start` is a node of the tuner's graph.
std::optional<Line> ChooseLine(Tuner& tuner, NodeId start, int stage, const LineRules& rules,
                               Rng& rng, const LineFilter& refused = nullptr);

// The edges of a stored line (the first `book_plies` moves of a game), up to the first move outside
// the book. Recomputes Line::edges from the moves.
std::vector<EdgeId> EdgesOf(const Graph& graph, NodeId start, std::span<const Move> line);

}  // namespace joseki::book
