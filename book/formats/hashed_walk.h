#pragma once

#include <functional>
#include <vector>

#include "book/formats/game_form.h"
#include "book/formats/position.h"

namespace joseki::book {

// How to enumerate a book that stores hashes in place of positions: by walking from known positions
// and asking the book for every one that comes up.
template <typename Form>
struct HashedWalkOf {
  // Where to start; the even start position is always tried.
  std::vector<typename Form::Position> roots;
  // How many plies in a row may be moves that the book does not name. 0 finds nothing behind a
  // gap; 1 finds the other side's answers in a book for one side, and what moves outside the book
  // lead back to. Each further one costs a hundred times the one before.
  int gap = 1;
};

template <typename Form>
struct HashedBookOf {
  // Whether the book has records under the position's hash.
  std::function<bool(const typename Form::Position&)> knows;
  // What they say of it. Without moves where none is legal: then the hash is another position's.
  // Asked once for a position.
  std::function<DbPosition(const typename Form::Position&, int ply)> entry;
};

using HashedWalk = HashedWalkOf<ShogiForm>;
using HashedBook = HashedBookOf<ShogiForm>;

// Gives each position that is reached, in the order of its distance, ply 1 at a root.
template <typename Form>
void Walk(const HashedBookOf<Form>& book, const HashedWalkOf<Form>& walk,
          const std::function<void(DbPosition)>& accept);

}  // namespace joseki::book
