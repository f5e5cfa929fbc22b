#pragma once

#include <functional>
#include <vector>

#include "book/formats/game_form.h"
#include "book/formats/position.h"

namespace joseki::book {

// Settings for enumerating a book that stores hashes in place of positions: it is walked from known
// positions, and asked for each position on the way.
template <typename Form>
struct HashedWalkOf {
  // Start positions; the even start position is always tried.
  std::vector<typename Form::Position> roots;
  // Largest number of consecutive plies that the book does not name. 0 finds nothing behind a gap;
  // 1 finds the other side's answers in a book for one side, and moves outside the book that lead
  // back. Each further ply costs a hundred times the one before.
  int gap = 1;
};

template <typename Form>
struct HashedBookOf {
  // True if the book has records under the position's hash.
  std::function<bool(const typename Form::Position&)> knows;
  // The moves of these records. Empty if none is legal: the hash is then another position's. Asked
  // once for a position.
  std::function<DbPosition(const typename Form::Position&, int ply)> entry;
};

using HashedWalk = HashedWalkOf<ShogiForm>;
using HashedBook = HashedBookOf<ShogiForm>;

// Gives each position that is reached, in the order of its distance, ply 1 at a root.
template <typename Form>
void Walk(const HashedBookOf<Form>& book, const HashedWalkOf<Form>& walk,
          const std::function<void(DbPosition)>& accept);

}  // namespace joseki::book
