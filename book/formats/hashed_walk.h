#pragma once

#include <functional>
#include <vector>

#include "book/formats/game_form.h"
#include "book/formats/position.h"

namespace joseki::book {

// Settings for enumerating a book that stores hashes instead of positions. The walk starts at known
// positions and looks up each position on its way.
template <typename Form>
struct HashedWalkOf {
  // Start positions; the even start position is always included.
  std::vector<typename Form::Position> roots;
  // Maximum number of consecutive plies outside the book. 0 finds nothing behind a gap. 1 finds the
  // other side's replies in a one-sided book, and moves outside the book that return to it. Each
  // further ply multiplies the cost by about a hundred.
  int gap = 1;
};

template <typename Form>
struct HashedBookOf {
  // True if the book has records under the position's hash.
  std::function<bool(const typename Form::Position&)> knows;
  // The moves of these records; empty if none is legal, as the hash then belongs to another
  // position. Called once for each position.
  std::function<DbPosition(const typename Form::Position&, int ply)> entry;
};

using HashedWalk = HashedWalkOf<ShogiForm>;
using HashedBook = HashedBookOf<ShogiForm>;

// Gives each reached position, in the order of its distance, with ply 1 at a root.
template <typename Form>
void Walk(const HashedBookOf<Form>& book, const HashedWalkOf<Form>& walk,
          const std::function<void(DbPosition)>& accept);

}  // namespace joseki::book
