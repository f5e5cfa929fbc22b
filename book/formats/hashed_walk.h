#pragma once

#include <functional>
#include <vector>

#include "book/formats/position.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// How to enumerate a book that stores hashes in place of positions: by walking from known positions
// and asking the book for every one that comes up.
struct HashedWalk {
  // Where to start; the even start position is always tried.
  std::vector<shogi::Position> roots;
  // How many plies in a row may be moves that the book does not name. 0 finds nothing behind a
  // gap; 1 finds the other side's answers in a book for one side, and what moves outside the book
  // lead back to. Each further one costs a hundred times the one before.
  int gap = 1;
};

struct HashedBook {
  // Whether the book has records under the position's hash.
  std::function<bool(const shogi::Position&)> knows;
  // What they say of it. Without moves where none is legal: then the hash is another position's.
  // Asked once for a position.
  std::function<DbPosition(const shogi::Position&, int ply)> entry;
};

// Gives each position that is reached, in the order of its distance, ply 1 at a root.
void Walk(const HashedBook& book, const HashedWalk& walk,
          const std::function<void(DbPosition)>& accept);

}  // namespace joseki::book
