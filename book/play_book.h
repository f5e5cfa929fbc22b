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

// A book as one side of a match plays it. Immutable; shared by the games that use it.
struct PlayBook {
  std::shared_ptr<const Graph> graph;
  std::vector<double> weights;  // by edge
  std::vector<EdgeId> answers;  // by node; kNoEdge at a position without moves
  // The largest difference between two weights of one position: the unit of PlayRules::range.
  double gap = 0;
};

// Computes the gap. REQUIRES: sizes as in PlayBook.
PlayBook MakePlayBook(std::shared_ptr<const Graph> graph, std::vector<double> weights,
                      std::vector<EdgeId> answers);

// A book to play from in its shipped form: a graph, named by the SHA-256 of its snapshot. Base
// weights are the book's weights in thousandths. The answer of each position is the first of its
// largest weights; where it was not, its weight is lifted above the others. PlayBookOf is the
// inverse.
absl::StatusOr<Graph> ShippedBook(const Rules& rules, const PlayBook& book);
PlayBook PlayBookOf(std::shared_ptr<const Graph> shipped);

// A side's use of its book.
struct PlayRules {
  enum class Choice : uint8_t {
    kAnswer,  // the book's answer
    // The largest of weight + r, r uniform in [0, range * gap], as in J. Nagashima's thesis, 3.3.3
    // (range 1 and 1.5); random among equals.
    kRange,
    kShare,  // at random by weight; a negative weight is never chosen if another is positive
  };
  Choice choice = Choice::kAnswer;
  double range = 0;  // for kRange only
  // Chance, at each book position, that the engine must choose a move outside the book.
  double deviation = 0;
  int max_plies = 0;  // plies after which the book is not asked any more; 0: no limit
  bool operator==(const PlayRules&) const = default;
};

// The book's reply for a position: a move or, where the side deviates on purpose, the moves that
// the engine may not choose. Both are empty where the book has no move.
struct BookWord {
  Move move;
  std::span<const Graph::Edge> excluded;
};

// Asks the book at the position of `key`, reached after `ply` plies. A position that occurred
// before in the game (`seen`) is left to the engine, so that the book never causes a repetition. A
// deviation is never demanded where every legal move is a book move.
BookWord AskBook(const PlayBook& book, const PlayRules& rules, const Key& key, int ply, bool seen,
                 Rng& rng);

}  // namespace joseki::book
