#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// A book as a side of a match plays from it. Immutable; shared by the games that use it.
struct PlayBook {
  std::shared_ptr<const Graph> graph;
  std::vector<double> weights;  // one an edge
  std::vector<EdgeId> answers;  // one a node; kNoEdge at a position without moves
  // The largest difference between two weights of one position: what ranges are measured in.
  double gap = 0;
};

// Fills in the gap. REQUIRES: sizes as above.
PlayBook MakePlayBook(std::shared_ptr<const Graph> graph, std::vector<double> weights,
                      std::vector<EdgeId> answers);

// A book to play from as it is shipped: a graph (a snapshot, by its SHA-256) whose base weights are
// the book's weights in thousandths, each position's answer the first of the largest; where it was
// not, it is lifted above them. And back.
absl::StatusOr<Graph> ShippedBook(const Rules& rules, const PlayBook& book);
PlayBook PlayBookOf(std::shared_ptr<const Graph> shipped);

// A side's use of its book.
struct PlayRules {
  enum class Choice : uint8_t {
    kAnswer,  // the book's answer
    kRange,   // the largest of weight + r, r uniform in [0, range x the book's gap] (J. Nagashima's
              // thesis, 3.3.3: x 1 and x 1.5); ties fall to chance
    kShare,  // each move as often as its weight says; negative weights never, if another is above 0
  };
  Choice choice = Choice::kAnswer;
  double range = 0;      // of kRange
  double deviation = 0;  // chance, at each book position, that the engine must play another move
  int max_plies = 0;     // the book is not asked after so many plies; 0: no such limit
  bool operator==(const PlayRules&) const = default;
};

// The book's word on a position: a move, or, where the side leaves it on purpose, the moves that
// the engine may not choose. Neither: the book has no move.
struct BookWord {
  Move move;
  std::span<const Graph::Edge> excluded;
};

// `key` is the position's, `ply` how many have been played. A position that came up before in the
// game (`seen`) is left to the engine, so that no book brings about a repetition. Never leaves the
// book where no other move is legal.
BookWord AskBook(const PlayBook& book, const PlayRules& rules, const Key& key, int ply, bool seen,
                 Rng& rng);

}  // namespace joseki::book
