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

// The book part of one game. With an empty `excluded` the line ended by itself (it left the book,
// came back to one of its positions, or reached the ply limit) and the engine plays on freely.
struct Line {
  std::vector<Move> moves;
  std::vector<EdgeId> edges;   // one a move
  std::vector<Move> excluded;  // deviation: the book moves of the last position; the engine's next
                               // move is none of them
  bool operator==(const Line&) const = default;
};

struct LineRules {
  double deviation = 0.008;  // chance, at each book position, that the line ends there
  int max_book_plies = 0;    // 0: no limit
  Settling settling = {};    // at a settled position the book's side leaves out what lost
  // Against an opponent: the side that the tuner chooses for; nullopt: both.
  std::optional<Color> own = {};
  // The other side's book; null: it has none, and the line ends where it is to move. Its moves are
  // its own, so the line does not deviate there.
  const PlayBook* opponent = nullptr;
  PlayRules opponent_rules = {};
};

// True if a finished line may not be played, because it is poisoned. Pure.
using LineFilter = std::function<bool(const Line&)>;

// Chooses the next line from `start`, for both sides by the same policy. In order, at each
// position:
//   1. the line ends at the ply limit, out of the book, at a position without moves or visited
//      before;
//   2. with probability `deviation` it ends with the book moves excluded (never at a closed node,
//      where no other move is legal);
//   3. otherwise the policy picks an arm in `stage`; if it plays for the book and the position is
//      settled, among the moves that may be the best.
// If an opponent is to move (rules.own), its book says the move instead of 2 and 3. The line ends
// if that has no move, or one that the tuner's book lacks. If the line is refused, the last choice
// is made again among the other moves, and so on backwards: even a greedy policy finds its way
// round, and a refused line is met at most twice. Nullopt if every line is refused. The same
// arguments and generator give the same line.
//
// The tuner's policy chooses among its selection(), on its graph. REQUIRES: start is a node.
std::optional<Line> ChooseLine(Tuner& tuner, NodeId start, int stage, const LineRules& rules,
                               Rng& rng, const LineFilter& refused = nullptr);

// The edges of a stored line (the first `book_plies` moves of a game), up to the first move that is
// not in the book: Line::edges again, from the moves alone.
std::vector<EdgeId> EdgesOf(const Graph& graph, NodeId start, std::span<const Move> line);

}  // namespace joseki::book
